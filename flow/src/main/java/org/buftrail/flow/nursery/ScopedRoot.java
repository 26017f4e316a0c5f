package org.buftrail.flow.nursery;

import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * Remembers where the last life of a thread began that is in a scope, so that the next one need not
 * ask which scope that is. Confined to the thread.
 */
public final class ScopedRoot {
  private @Nullable Node of;
  private @Nullable Node twin;
  private int since;

  ScopedRoot() {}

  /** Returns the twin that was kept for a root; null for another root, or in another version. */
  public @Nullable Node get(Node root, int version) {
    return of == root && since == version ? twin : null;
  }

  /**
   * Remembers a root.
   *
   * @param twin where lives in the scope begin instead
   * @param version of before that was found out
   * @return {@code twin}
   */
  public Node keep(Node root, Node twin, int version) {
    this.of = root;
    this.twin = twin;
    this.since = version;
    return twin;
  }
}
