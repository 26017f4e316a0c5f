package org.buftrail.flow;

import org.buftrail.flow.tree.MisuseCounts;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/** What threads and flows need of a {@link LeakScope}, which is the only one. */
abstract class Scope {
  /** Above the roots of all that was allocated here. */
  final Node top;

  /** What was collected unreleased. Guarded by itself. */
  final Leftovers collected = new Leftovers();

  Scope(Node top) {
    this.top = top;
  }

  abstract String name();

  abstract boolean isOpen();

  /** The innermost open one of this and those around it, or null. */
  abstract @Nullable Scope orAround();

  /** The one around all others that are around this, or this. */
  abstract Scope outermost();

  /** The root of what is allocated in here and would be {@code root}'s outside of scopes. */
  abstract Node root(Node root);

  /** A thread in here did this. */
  abstract void misused(MisuseCounts.Key key, @Nullable Node earlier);
}
