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
 * something that was allocated in it is live, or it is open.
 */
public final class PathTree {
  public static final int DEFAULT_MAX_NODES = 1 << 18;
  public static final int DEFAULT_MAX_DEPTH = 100;
  public static final int DEFAULT_MAX_CHILDREN = 1_000;

  /** What {@link Node#depth} can hold, with an overflow node, an end and its twin beyond. */
  static final int DEPTH_LIMIT = Short.MAX_VALUE - 3;

  /** How many different ends each end is known to follow. */
  public static final int MAX_AFTER = 256;

  public final Roots roots = new Roots(this);

  /** By site and kind of memory. */
  private final Map<Long, Node> bySite = new HashMap<>();

  private Node[] nodes = new Node[256];
  private int nodeCount;
  private int ordinaryCount;
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
   * The root of an allocation site and a kind of memory. Roots are not subject to the bounds.
   *
   * @param flags of {@link Node#INHERITED}, and {@link Node#BY_SITE}
   */
  public synchronized Node root(int site, int flags) {
    long identity = (long) site << 8 | flags;
    Node root = bySite.get(identity);
    if (root == null) {
      root = register(Node.root(this, site << 2 | 1, nodeCount, flags));
      bySite.put(identity, root);
    }
    return root;
  }

  /** The top of a scope within that of another, or within none. */
  public Node top(@Nullable Node around) {
    return Node.top(this, around);
  }

  /** A child of {@code parent}, made unless another thread was first or a bound is reached. */
  synchronized Node grow(Node parent, int key) {
    Node found = parent.child(key);
    if (found != null) {
      return found;
    }
    if (parent.isScoped()) {
      return growScoped(parent, key);
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
    Node child = register(child(parent, key, 0));
    ordinaryCount++;
    parent.adopt(child);
    return child;
  }

  private Node growScoped(Node parent, int key) {
    Node child = Node.scopedChild(parent, grow(nodes[parent.id], key));
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
   */
  void noteLoop(Node from, Node to) {
    if (loopCount >= maxNodes) {
      return;
    }
    synchronized (this) {
      if (from.child(to.key) == null) {
        from.addWay(to);
        if (from.isScoped()) {
          nodes[to.id].markLooped();
        } else {
          loopCount++;
        }
      }
    }
  }

  /** The node of the same path as a scoped one. */
  synchronized Node unscoped(Node scoped) {
    return nodes[scoped.id];
  }

  synchronized Node growEnd(Node parent) {
    Node end = parent.existingEnd();
    if (end == null && parent.isScoped()) {
      end = growEnd(nodes[parent.id]);
      parent.adoptEnd(end);
    } else if (end == null) {
      int flags = Node.END | (parent.flags & Node.INHERITED);
      end = register(new Node(parent, endSite(parent) << 2, nodeCount, endCount + 1, flags));
      endCount++;
      parent.adoptEnd(end);
    }
    return end;
  }

  /**
   * {@code end}, for objects whose life before ended at the node {@code before}; {@code end} itself
   * past a bound, which is a quarter of {@link #maxNodes} over all.
   */
  Node growAfter(Node end, int before) {
    if (afterCount >= maxNodes >> 2 || end.childCount() >= MAX_AFTER) {
      return end;
    }
    synchronized (this) {
      Node after = end.child(before);
      if (after == null) {
        int flags = Node.END | Node.AFTER | end.flags;
        after = new Node(end, before, end.id, end.endId, flags);
        afterCount++;
        end.adopt(after);
      }
      return after;
    }
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
