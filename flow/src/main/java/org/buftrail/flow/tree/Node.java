package org.buftrail.flow.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.buftrail.flow.base.ForceInline;
import org.jspecify.annotations.Nullable;

/**
 * A node of the path tree: one site, seen with one reference-count bucket, after one path.
 *
 * <p>A flow's position is a reference to its node, so a hop is {@link #next}: compare the first
 * child's key, which the node knows itself, and only when that fails look into a hash table of the
 * other ways on. These are the other children, and the earlier nodes of the path that flows went
 * back to (loops): all are found by their key, in one step as a rule. Only a way that was never
 * gone is searched for among the nodes above.
 *
 * <p>Everything that makes a node is final; ways are only ever added, under the path tree's lock,
 * and read without it. A reader that misses one just added asks the path tree, which looks again
 * under the lock.
 *
 * <p>The children of an end are its twins (see {@link #after}), whose key is the id of an end.
 *
 * <p>What was allocated in a {@code LeakScope} has nodes of the scope's own, which are twins too:
 * each has the id of the node of the same path outside of scopes, and the end of that, or a twin of
 * it for flows that were looked at ({@link Looks}). So reports know nothing of scopes, no thread
 * counts anything more, and the path tree does not hold such nodes: they go when nothing is there
 * any more. Above their roots is the scope's top, which is no hop of a path, and above that the one
 * of the scope around it.
 *
 * <p>Nodes that the tree distinguishes and a report does not are twins as well: those of composites
 * and of other buffers that one method makes, those of sites that read the same, and a node below
 * one that reads the same, such as a call on the line where its method begins.
 */
public final class Node {
  public static final byte DIRECT = 1;
  static final byte OVERFLOW = 2;
  public static final byte END = 4;
  static final byte COMPOSITE = 8;

  /** Marks nodes of an object that is no buffer; the root has its type. */
  public static final byte RESOURCE = 16;

  /** An end, as that of an object whose life before is known: see {@link #after}. */
  static final byte AFTER = 32;

  /** Marks a root whose buffers are made by a method that is no allocator's. */
  static final byte BY_SITE = 64;

  /** Marks nodes of a scope: see {@code LeakScope}. */
  static final int SCOPED = 128;

  /** The marks that a node inherits from its root. */
  static final int INHERITED = DIRECT | COMPOSITE | RESOURCE | SCOPED;

  /** The key of a scope's top, and of no other node. */
  private static final int TOP_KEY = -1;

  /** The key of the top of a scope that counts exactly. */
  static final int METERED_TOP_KEY = -2;

  private static final int FIRST_WAYS = 4;
  private static final int SHIFT_BITS = 5;
  private static final VarHandle WAYS = MethodHandles.arrayElementVarHandle(Node[].class);

  /**
   * The node above, or the path tree: so a root knows whose it is, and no node is larger for that.
   * A {@link Look} above its top.
   */
  private final Object above;

  /** {@code site << 2 | bucket}. */
  public final int key;

  /** Index into {@link Counters}, from 0 without gaps. */
  public final int id;

  /** The number of an end and its twins among all ends, from 1 without gaps; 0 for other nodes. */
  public final int endId;

  public final short depth;
  final byte flags;
  private byte looped;

  /** Most nodes have one child; all other ways on are in {@link #ways}. */
  private @Nullable Node first;

  /**
   * The complement of the key of {@link #first}, so that 0 is none. Seen before or after it: the
   * two must be there, and are never replaced.
   */
  private int notFirstKey;

  /** Open addressing, a power of two, half of it empty at least. */
  private volatile Node @Nullable [] ways;

  /**
   * How many children there are and, in the last five bits, how far a hash is shifted for a slot of
   * {@link #ways}. Java takes only these of a distance. To ask the table for its length would be
   * one more wait for memory in a row.
   */
  private volatile int sizes = shift(FIRST_WAYS);

  private volatile @Nullable Node end;

  /** Taken by all that would go past a bound from here. */
  private @Nullable Node overflow;

  Node(Node parent, int key, int id, int endId, int flags) {
    this(parent, parent.depth + 1, key, id, endId, flags);
  }

  private Node(Object above, int depth, int key, int id, int endId, int flags) {
    this.above = above;
    this.key = key;
    this.id = id;
    this.endId = endId;
    this.depth = (short) depth;
    this.flags = (byte) flags;
  }

  static Node root(PathTree tree, int key, int id, int flags) {
    return new Node(tree, 1, key, id, 0, flags);
  }

  /** The top of a scope within another, or within none. */
  static Node top(PathTree tree, @Nullable Node around, boolean isMetered) {
    int key = isMetered ? METERED_TOP_KEY : TOP_KEY;
    return new Node(around == null ? tree : around, 0, key, 0, 0, SCOPED);
  }

  /** The top of flows that were seen to come from one place. */
  static Node top(Look look) {
    return new Node(look, 0, TOP_KEY, 0, 0, SCOPED);
  }

  /** The twin of a root below a scope's top. */
  public static Node scopedRoot(Node top, Node root) {
    return new Node(top, 1, root.key, root.id, 0, root.flags | SCOPED);
  }

  /** A child of {@code parent} with the number of another node. */
  static Node twin(Node parent, int key, Node twin) {
    int flags = (twin.flags & OVERFLOW) | (parent.flags & INHERITED);
    return new Node(parent, key, twin.id, 0, flags);
  }

  /** The node above; null of a root, and of the top of a scope within none. */
  public @Nullable Node parent() {
    return above instanceof Node
        ? (Node) above
        : above instanceof Look ? ((Look) above).around : null;
  }

  private PathTree tree() {
    Object at = above;
    while (at instanceof Node) {
      at = ((Node) at).above;
    }
    return at instanceof Look ? ((Look) at).tree : (PathTree) at;
  }

  /** The evidence that looks saw about the flows here, or null. */
  @Nullable Look look() {
    Node top = scopeTop();
    return top != null && top.above instanceof Look ? (Look) top.above : null;
  }

  /** What looks at the stack saw of the flows here, or null. */
  public @Nullable Sighting sighting() {
    Look look = look();
    return look == null ? null : look.seen;
  }

  /** The nearest top above, or null. */
  @Nullable Node scopeTop() {
    Node at = isScoped() ? this : null;
    while (at != null && !at.isTop()) {
      at = at.parent();
    }
    return at;
  }

  /** The node of the same path outside of scopes. */
  public Node unscoped() {
    return isScoped() ? tree().unscoped(this) : this;
  }

  /** The node whose number this one has: itself, or what it is a twin of. */
  public Node counted() {
    return tree().counted(this);
  }

  /**
   * The node that a flow here goes on to. An existing child or an earlier node of the same path (a
   * loop) where there is one, else a new child, else, past a bound, the overflow child.
   */
  @ForceInline
  public Node next(int key) {
    Node child = first;
    return notFirstKey == ~key && child != null ? child : search(key);
  }

  private Node search(int key) {
    Node way = way(key);
    return way != null ? way : searchAbove(key);
  }

  private Node searchAbove(int key) {
    if ((flags & OVERFLOW) != 0) {
      return this;
    }
    for (Node n = this; n != null; n = n.parent()) {
      if (n.key == key) {
        if (losesHop(n) && tree().hasRoomToUnfold(this)) {
          break;
        }
        // A line that holds two calls is no loop.
        boolean loops = n != this || !Sites.isCall(n.site());
        if (loops) {
          n.markLooped();
        }
        tree().noteLoop(this, n, loops);
        return n;
      }
    }
    Node past = overflow;
    return past != null ? past : tree().grow(this, key);
  }

  /**
   * Whether a path that ends here would have a place of the application no more if flows went back
   * to a node above. Each node that is kept for this is the first of a place or comes after one
   * that is, so a path of n places has less than n times as many nodes. Reference counts are left
   * out: a place is one, however often a buffer is counted there.
   */
  private boolean losesHop(Node to) {
    for (Node n = this; n != null && n != to; n = n.parent()) {
      if (n.site() != Sites.RETAIN && !to.isPlaceAbove(n.site())) {
        return true;
      }
    }
    return false;
  }

  /** Whether this node or one above it is of a site. */
  private boolean isPlaceAbove(int site) {
    for (Node n = this; n != null; n = n.parent()) {
      if (n.site() == site) {
        return true;
      }
    }
    return false;
  }

  /** The node of the release that ends flows here. */
  public Node end() {
    Node e = end;
    return e != null ? e : tree().growEnd(this);
  }

  /**
   * This end, for an object that was recycled: the state of a released buffer shows it where two
   * lives ended. Like this node in all that is counted.
   *
   * @param before id of the node where the life before ended, or 0 when it is not known
   */
  public Node after(int before) {
    Node usual = first;
    return notFirstKey == ~before && usual != null ? usual : searchAfter(before);
  }

  private Node searchAfter(int before) {
    if (before == 0 || isAfter()) {
      return this;
    }
    Node known = child(before);
    if (known != null) {
      return known;
    }
    return childCount() >= PathTree.MAX_AFTER ? this : tree().growAfter(this, before);
  }

  /** The end that has a node for each end of the life before and for each look, or this. */
  public Node plainEnd() {
    return isAfter() || isScoped() ? counted() : this;
  }

  /** Whether this is an end and knows the one of the life before. */
  public boolean isAfter() {
    return (flags & AFTER) != 0;
  }

  public boolean isEnd() {
    return (flags & END) != 0;
  }

  public boolean isOverflow() {
    return (flags & OVERFLOW) != 0;
  }

  public boolean isDirect() {
    return (flags & DIRECT) != 0;
  }

  public boolean isComposite() {
    return (flags & COMPOSITE) != 0;
  }

  /** Whether it is that of a composite or scoped, so that a hop may have more to do. */
  public boolean isCompositeOrScoped() {
    return (flags & (COMPOSITE | SCOPED)) != 0;
  }

  public boolean isBySite() {
    return (flags & BY_SITE) != 0;
  }

  public boolean isResource() {
    return (flags & RESOURCE) != 0;
  }

  public boolean isScoped() {
    return (flags & SCOPED) != 0;
  }

  public boolean isTop() {
    return depth == 0;
  }

  public boolean isRoot() {
    return depth == 1;
  }

  public boolean isLooped() {
    return looped != 0;
  }

  public int site() {
    return key >>> 2;
  }

  int bucket() {
    return key & 3;
  }

  /** Whether a hop with {@code key} would read as this one does. */
  boolean readsAs(int key) {
    return bucket() == (key & 3) && Sites.get(site()).equals(Sites.get(key >>> 2));
  }

  public int childCount() {
    return sizes >>> SHIFT_BITS;
  }

  void markLooped() {
    if (looped == 0) {
      looped = 1;
    }
  }

  public @Nullable Node child(int key) {
    Node child = first;
    return notFirstKey == ~key && child != null ? child : way(key);
  }

  /** A child that reads as one with {@code key} would. Under the path tree's lock. */
  @Nullable Node childAlike(int key) {
    if (isChildAlike(first, key)) {
      return first;
    }
    Node[] table = ways;
    for (int i = 0; table != null && i < table.length; i++) {
      if (isChildAlike(table[i], key)) {
        return table[i];
      }
    }
    return null;
  }

  private boolean isChildAlike(@Nullable Node node, int key) {
    return node != null && node.above == this && node.readsAs(key);
  }

  /** A child but the first, or where a loop went back to. */
  @Nullable Node way(int key) {
    // First, so that the table is no smaller.
    int shift = sizes;
    Node[] table = ways;
    if (table == null) {
      return null;
    }
    Node likely = (Node) WAYS.getAcquire(table, hash(key) >>> shift);
    return likely != null && likely.key == key ? likely : wayIn(table, key);
  }

  private static @Nullable Node wayIn(Node[] table, int key) {
    int mask = table.length - 1;
    for (int i = index(key, table.length); ; i = i + 1 & mask) {
      Node n = (Node) WAYS.getAcquire(table, i);
      if (n == null || n.key == key) {
        return n;
      }
    }
  }

  /** Under the path tree's lock. */
  void adopt(Node child) {
    int before = sizes;
    sizes = before + (1 << SHIFT_BITS);
    if (first == null) {
      first = child;
      notFirstKey = ~child.key;
    } else {
      addWay(child);
    }
  }

  /** Under the path tree's lock. */
  void addWay(Node node) {
    Node[] table = ways;
    if (table == null || 2 * (count(table) + 1) > table.length) {
      Node[] larger = new Node[table == null ? FIRST_WAYS : 2 * table.length];
      for (int i = 0; table != null && i < table.length; i++) {
        if (table[i] != null) {
          insert(larger, table[i]);
        }
      }
      ways = larger;
      sizes = (childCount() << SHIFT_BITS) | shift(larger.length);
      table = larger;
    }
    insert(table, node);
  }

  /** Counted when one is added, which is rare: a field more would make every node larger. */
  private static int count(Node[] table) {
    int count = 0;
    for (Node n : table) {
      count += n != null ? 1 : 0;
    }
    return count;
  }

  /** Under the path tree's lock. */
  void adoptEnd(Node node) {
    end = node;
  }

  /** Under the path tree's lock. */
  void adoptOverflow(Node node) {
    overflow = node;
  }

  public @Nullable Node overflow() {
    return overflow;
  }

  /** The end of lives that were over here, or this where it is one; null if none was. */
  public @Nullable Node ending() {
    Node e = end;
    return e != null ? e : isEnd() ? this : null;
  }

  public @Nullable Node existingEnd() {
    return end;
  }

  private static void insert(Node[] table, Node n) {
    int mask = table.length - 1;
    int i = index(n.key, table.length);
    while (table[i] != null) {
      i = i + 1 & mask;
    }
    WAYS.setRelease(table, i, n);
  }

  static int index(int key, int size) {
    return hash(key) >>> shift(size);
  }

  /** For the upper bits of a hash, as many as a table of a size has slots for, a power of two. */
  private static int shift(int size) {
    return Integer.numberOfLeadingZeros(size - 1);
  }

  /**
   * Fibonacci hashing, by the upper bits: sites of a class are numbered one after the other, and
   * such keys hardly ever meet. The next hop waits for this one, and for each that is met in vain.
   */
  private static int hash(int key) {
    return key * 0x9E3779B9;
  }
}
