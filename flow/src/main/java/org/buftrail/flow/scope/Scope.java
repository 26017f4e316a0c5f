package org.buftrail.flow.scope;

import org.buftrail.flow.tree.MisuseCounts;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/** What threads and flows need of a {@code LeakScope}, which is the only one. */
public abstract class Scope {
  /** Above the roots of all that was allocated here. */
  protected final Node top;

  /** What was collected unreleased. Guarded by itself. */
  protected final Leftovers collected = new Leftovers();

  protected Scope(Node top) {
    this.top = top;
  }

  protected abstract String name();

  protected abstract boolean isOpen();

  /** The innermost open one of this and those around it, or null. */
  protected abstract @Nullable Scope orAround();

  /** The one around all others that are around this, or this. */
  protected abstract Scope outermost();

  /** The root of what is allocated in here and would be {@code root}'s outside of scopes. */
  protected abstract Node root(Node root);

  /** A thread in here did this. */
  protected abstract void misused(MisuseCounts.Key key, @Nullable Node earlier);
}
