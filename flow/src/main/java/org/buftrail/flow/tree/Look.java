package org.buftrail.flow.tree;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.buftrail.flow.base.CallPlace;
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

  private final Node top;

  /** The twins of roots, by root. */
  private final Map<Node, Node> roots = new ConcurrentHashMap<>(2);

  /** Where flows went on when they were handed to something, so that the next takes no lock. */
  private final Map<Handing, Node> handings = new ConcurrentHashMap<>(2);

  /** A node below this look, and what flows there were handed to. */
  private static final class Handing {
    private final Node at;
    private final CallPlace to;

    Handing(Node at, CallPlace to) {
      this.at = at;
      this.to = to;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Handing && ((Handing) o).at == at && ((Handing) o).to.equals(to);
    }

    @Override
    public int hashCode() {
      return at.id * 31 + to.hashCode();
    }
  }

  Look(PathTree tree, @Nullable Node around, Sighting seen) {
    this.tree = tree;
    this.around = around;
    this.seen = seen;
    this.top = Node.top(this);
  }

  /** Where flows at a node below went on to when they were handed on before, or null. */
  @Nullable Node handed(Node at, CallPlace to) {
    return handings.get(new Handing(at, to));
  }

  void noteHanded(Node at, CallPlace to, Node next) {
    handings.put(new Handing(at, to), next);
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
