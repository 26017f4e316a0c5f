package org.buftrail.flow.tree;

import org.buftrail.flow.base.Stable;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/** Finds the root of an allocation by the allocator's class at run time and the kind of memory. */
public final class Roots {
  /** Kinds of memory: an odd kind is outside the heap. */
  public static final int HEAP = 0;

  public static final int DIRECT = 1;
  public static final int COMPOSITE_HEAP = 2;
  public static final int COMPOSITE_DIRECT = 3;

  private static final String[] METHODS = {
    "heapBuffer", "directBuffer", "compositeHeapBuffer", "compositeDirectBuffer"
  };

  private final PathTree tree;

  /** By kind. */
  @Stable private final Last[] last = {new Last(), new Last(), new Last(), new Last()};

  private final ClassValue<@Nullable Root[]> byClass =
      new ClassValue<>() {
        @Override
        protected @Nullable Root[] computeValue(Class<?> allocator) {
          return new Root[METHODS.length];
        }
      };

  /** Roots named by a method of their own, by {@code site << 2 | kind}. */
  private volatile @Nullable Node[] bySite = new Node[64];

  /** The last allocator seen: nearly always the next one too. */
  private static final class Last {
    @Nullable Root root;
  }

  private static final class Root {
    final Class<?> allocator;
    final Node node;

    Root(Class<?> allocator, Node node) {
      this.allocator = allocator;
      this.node = node;
    }
  }

  Roots(PathTree tree) {
    this.tree = tree;
  }

  /**
   * Tries on a class without buffers what application threads will do: see {@code RuntimeWarmUp}.
   */
  public void rehearse() {
    byClass.get(Roots.class);
    byClass.remove(Roots.class);
  }

  /** Lets go of the classes last seen, so that a class loader that is done with can go. */
  public void forgetLast() {
    for (Last each : last) {
      each.root = null;
    }
  }

  public Node of(Class<?> allocator, int kind) {
    Root seen = last[kind].root;
    return seen != null && seen.allocator == allocator ? seen.node : find(allocator, kind);
  }

  private Node find(Class<?> allocator, int kind) {
    @Nullable Root[] roots = byClass.get(allocator);
    Root root = roots[kind];
    if (root == null) {
      int site = Sites.intern(new Site(allocator.getName(), METHODS[kind], "", 0, ""));
      root = new Root(allocator, tree.root(site, flags(kind)));
      roots[kind] = root;
    }
    last[kind].root = root;
    return root.node;
  }

  private static int flags(int kind) {
    int memory = (kind & 1) != 0 ? Node.DIRECT : 0;
    return kind >= COMPOSITE_HEAP ? memory | Node.COMPOSITE : memory;
  }

  /** The root of a method that makes buffers without an allocator, of one of the kinds. */
  public Node of(int site, int kind) {
    int i = site << 2 | kind;
    @Nullable Node[] roots = bySite;
    Node root = i < roots.length ? roots[i] : null;
    return root != null ? root : make(site, kind, i);
  }

  /** The kind that gave {@code root} its flags. */
  public static int kindOf(Node root) {
    return (root.isComposite() ? COMPOSITE_HEAP : HEAP) | (root.isDirect() ? 1 : 0);
  }

  private synchronized Node make(int site, int kind, int i) {
    Node root = tree.root(site, flags(kind) | Node.BY_SITE);
    @Nullable Node[] old = bySite;
    @Nullable Node[] copy = new Node[Math.max(old.length, Integer.highestOneBit(i) << 1)];
    System.arraycopy(old, 0, copy, 0, old.length);
    copy[i] = root;
    bySite = copy;
    return root;
  }
}
