package org.buftrail.flow.tree;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every path taken so far, bounded.
 *
 * <p>At most {@link #maxNodes} ordinary nodes of 56 bytes each (compressed oops), {@link #maxDepth}
 * deep, with {@link #maxChildren} children each; beside every one of them there may be one overflow
 * node and, beside every node, one end node, so there are at most four times as many, and a quarter
 * for pairs of ends. Each child but the first, each loop and each pair takes 8 to 16 bytes in the
 * table of its node, which has 32 at least; there are as many loops as ordinary nodes at most. So
 * the default bound is some 90 MB if every node is an end, branches and goes past the bound, and 29
 * MB if each is an end. Lookups take no lock; growth takes the one of the path tree and stops at
 * the bound. A scope (see {@code LeakScope}) has at most as many nodes again, for as long as
 * something that was allocated in it is live, or it is open; so have the composites of a method
 * that makes other buffers too.
 *
 * <p>No two numbered nodes stand for hops and a kind of memory that read the same: a twin takes the
 * number of the one that was there first. So a snapshot, which has a row for each number, has no
 * two rows that a reader could not tell apart.
 */
public final class PathTree {
  public static final int DEFAULT_MAX_NODES = 1 << 18;
  public static final int DEFAULT_MAX_DEPTH = 100;
  public static final int DEFAULT_MAX_CHILDREN = 1_000;

  /** What {@link Node#depth} can hold, with an overflow node, an end and its twin beyond. */
  static final int DEPTH_LIMIT = Short.MAX_VALUE - 3;

  /** How many different ends each end is known to follow. */
  public static final int MAX_AFTER = 256;

  /** The share of each bound, as its divisor, up to which paths may have a place twice. */
  private static final int UNFOLDED = 2;

  /** Stands for the flags that a report does not show. */
  private static final int SHOWN = 1 << 7;

  public final Roots roots = new Roots(this);
  public final Looks looks = new Looks(this);

  /** By site and all flags. */
  private final Map<Long, Node> bySite = new HashMap<>();

  private Node[] nodes = new Node[256];
  private int nodeCount;

  /** Written under the lock. */
  private volatile int ordinaryCount;

  private int endCount;

  /** Ways back to earlier nodes. Written under the lock. */
  private volatile int loopCount;

  /** Pairs of ends. Written under the lock. */
  private volatile int afterCount;

  private int maxNodes = DEFAULT_MAX_NODES;
  private int maxDepth = DEFAULT_MAX_DEPTH;
  private int maxChildren = DEFAULT_MAX_CHILDREN;

  public PathTree() {}

  public synchronized void setBounds(int maxNodes, int maxDepth, int maxChildren) {
    this.maxNodes = maxNodes;
    this.maxDepth = Math.min(maxDepth, DEPTH_LIMIT);
    this.maxChildren = maxChildren;
  }

  /**
   * The root of an allocation site and a kind of memory. Roots are not subject to the bounds. Those
   * that differ in other flags alone, as that of a method which makes composites too, are twins.
   *
   * @param flags of {@link Node#INHERITED}, and {@link Node#BY_SITE}
   */
  public synchronized Node root(int site, int flags) {
    long identity = (long) site << 8 | flags;
    Node root = bySite.get(identity);
    if (root == null) {
      long shown = (long) site << 8 | SHOWN | (flags & Node.DIRECT);
      Node twin = bySite.get(shown);
      int key = site << 2 | 1;
      root = Node.root(this, key, twin == null ? nodeCount : twin.id, flags);
      if (twin == null) {
        bySite.put(shown, register(root));
      }
      bySite.put(identity, root);
    }
    return root;
  }

  /** The top of a scope within that of another, or within none. */
  public Node top(@Nullable Node around, boolean isMetered) {
    return Node.top(this, around, isMetered);
  }

  /** A child of {@code parent}, made unless another thread was first or a bound is reached. */
  synchronized Node grow(Node parent, int key) {
    Node found = parent.child(key);
    if (found != null) {
      return found;
    }
    Node counted = nodes[parent.id];
    if (counted != parent) {
      return twin(parent, grow(counted, key));
    }
    int overflowKey = (Sites.OVERFLOW << 2) | (key & 3);
    boolean full =
        ordinaryCount >= maxNodes || parent.depth >= maxDepth || parent.childCount() >= maxChildren;
    if (full) {
      Node overflow = parent.overflow();
      if (overflow == null) {
        overflow = register(child(parent, overflowKey, Node.OVERFLOW));
        parent.adoptOverflow(overflow);
      }
      return overflow;
    }
    Node alike = Sites.hasAlike(key >>> 2) ? alike(parent, key) : null;
    Node child = alike == null ? register(child(parent, key, 0)) : Node.twin(parent, key, alike);
    ordinaryCount++;
    parent.adopt(child);
    return child;
  }

  private static @Nullable Node alike(Node parent, int key) {
    return parent.readsAs(key) ? parent : parent.childAlike(key);
  }

  /**
   * Whether a path may have a place twice, so that no other place is lost where it folds. Such
   * paths have more nodes and there are more of them, so only while the path tree is far from its
   * bounds: beyond that all paths fold.
   */
  boolean hasRoomToUnfold(Node from) {
    return from.depth < maxDepth / UNFOLDED
        && from.childCount() < maxChildren / UNFOLDED
        && ordinaryCount < maxNodes / UNFOLDED;
  }

  /**
   * The child of {@code parent} that counts as {@code counted} does, a child of its twin; {@code
   * counted} itself where too many nodes are kept for looks.
   */
  private Node twin(Node parent, Node counted) {
    Node known = counted.isOverflow() ? parent.overflow() : parent.child(counted.key);
    if (known != null) {
      return known;
    }
    if (!looks.hasRoom(parent)) {
      return counted;
    }
    Node child = Node.twin(parent, counted.key, counted);
    if (child.isOverflow()) {
      parent.adoptOverflow(child);
    } else {
      parent.adopt(child);
    }
    return child;
  }

  /**
   * Flows go back from {@code from} to {@code to}, a node of the same path. The next one finds it
   * at once, unless there are as many loops as there may be nodes.
   *
   * @param shown whether reports say so
   */
  void noteLoop(Node from, Node to, boolean shown) {
    if (loopCount >= maxNodes) {
      return;
    }
    synchronized (this) {
      if (from.child(to.key) == null) {
        from.addWay(to);
        if (shown) {
          nodes[to.id].markLooped();
        }
        loopCount += from.isScoped() ? 0 : 1;
      }
    }
  }

  synchronized Node counted(Node node) {
    return nodes[node.id];
  }

  /** The node of the same path as a scoped one, and of the same kind of buffers. */
  synchronized Node unscoped(Node scoped) {
    Node counted = nodes[scoped.id];
    return counted.isComposite() == scoped.isComposite() ? counted : otherKind(counted);
  }

  /** The twin of a node for composites where it is for others, and the other way round. */
  private Node otherKind(Node counted) {
    Node[] path = path(counted);
    return below(root(path[0].site(), path[0].flags ^ Node.COMPOSITE), path);
  }

  /** The node of the same path as {@code node}, for flows that were looked at. */
  synchronized Node underLook(Look look, Node node) {
    Node[] path = path(node.isScoped() ? unscoped(node) : node);
    return below(look.root(path[0]), path);
  }

  private static Node[] path(Node last) {
    Node[] path = new Node[last.depth];
    int i = path.length;
    for (Node n = last; n != null; n = n.parent()) {
      path[--i] = n;
    }
    return path;
  }

  private Node below(Node root, Node[] path) {
    Node at = root;
    for (int i = 1; i < path.length; i++) {
      at = twin(at, path[i]);
    }
    return at;
  }

  synchronized Node growEnd(Node parent) {
    Node end = parent.existingEnd();
    if (end == null && nodes[parent.id] != parent) {
      end = twinEnd(parent, growEnd(nodes[parent.id]));
      if (!isMetered(parent)) {
        parent.adoptEnd(end);
      }
    } else if (end == null) {
      int flags = Node.END | (parent.flags & Node.INHERITED);
      end = register(new Node(parent, endSite(parent) << 2, nodeCount, endCount + 1, flags));
      endCount++;
      parent.adoptEnd(end);
    }
    return end;
  }

  /**
   * The end of flows at {@code parent} that counts as {@code counted} does. Where they were looked
   * at it is one of their own, so that what was seen outlives the end.
   */
  private Node twinEnd(Node parent, Node counted) {
    return parent.look() == null || !looks.hasRoom(parent)
        ? counted
        : new Node(parent, counted.key, counted.id, counted.endId, counted.flags | Node.SCOPED);
  }

  /**
   * {@code end}, for objects whose life before ended at the node {@code before}; {@code end} itself
   * past a bound, which is a quarter of {@link #maxNodes} over all.
   */
  Node growAfter(Node end, int before) {
    boolean counts = !end.isScoped();
    if ((counts && afterCount >= maxNodes >> 2)
        || end.childCount() >= MAX_AFTER
        || !looks.hasRoomForPair(end)) {
      return end;
    }
    synchronized (this) {
      Node after = end.child(before);
      if (after != null) {
        return after;
      }
      looks.addPair(end);
      int flags = Node.END | Node.AFTER | end.flags;
      after = new Node(end, before, end.id, end.endId, flags);
      afterCount += counts ? 1 : 0;
      end.adopt(after);
      return after;
    }
  }

  /** Whether a node is of a scope that counts exactly, or of one within such a scope. */
  private static boolean isMetered(Node node) {
    Node at = node;
    while (at != null && at.key != Node.METERED_TOP_KEY) {
      at = at.parent();
    }
    return at != null;
  }

  private static int endSite(Node node) {
    if (!node.isResource()) {
      return Sites.RELEASE;
    }
    Node root = node;
    for (Node n = node; n != null; n = n.parent()) {
      root = n;
    }
    return Sites.intern(Sites.ofClose(Sites.get(root.site()).className()));
  }

  private Node child(Node parent, int key, int flags) {
    return new Node(parent, key, nodeCount, 0, flags | (parent.flags & Node.INHERITED));
  }

  private Node register(Node node) {
    if (nodeCount == nodes.length) {
      Node[] grown = new Node[nodeCount * 2];
      System.arraycopy(nodes, 0, grown, 0, nodeCount);
      nodes = grown;
    }
    nodes[nodeCount++] = node;
    return node;
  }

  /** One more than the largest {@link Node#endId}. */
  public synchronized int ends() {
    return endCount + 1;
  }

  public synchronized int size() {
    return nodeCount;
  }

  public synchronized @Nullable Node byId(int id) {
    return id < nodeCount ? nodes[id] : null;
  }

  /** All nodes so far, by id. A copy. */
  public synchronized Node[] all() {
    Node[] copy = new Node[nodeCount];
    System.arraycopy(nodes, 0, copy, 0, nodeCount);
    return copy;
  }
}
