package org.buftrail.flow.tree;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the flows below one top were seen to come from: see {@link Looks}. Thread-safe; the path
 * tree does not hold it.
 */
final class Look {
  final PathTree tree;

  /** The top of the scope in which the flows began, or null. */
  final @Nullable Node around;

  final Sighting seen;

  /** How many looks at the stack a flow has had that is here. */
  final int taken;

  private final Node top;

  /** By what they are the twins of. */
  private final Map<Node, Node> roots = new ConcurrentHashMap<>(2);

  Look(PathTree tree, @Nullable Node around, Sighting seen, int taken) {
    this.tree = tree;
    this.around = around;
    this.seen = seen;
    this.taken = taken;
    this.top = Node.top(this);
  }

  /** The root here of what would begin at {@code root}. */
  Node root(Node root) {
    Node known = roots.get(root);
    if (known != null) {
      return known;
    }
    Node made = Node.scopedRoot(top, root);
    Node other = roots.putIfAbsent(root, made);
    return other != null ? other : made;
  }
}
