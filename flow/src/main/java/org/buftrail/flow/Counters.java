package org.buftrail.flow;

import org.jspecify.annotations.Nullable;

/**
 * Flows and bytes by node, written by one thread at a time.
 *
 * <p>The owner writes without fences; others may read at any time and see a value that was true a
 * moment ago. A page covers 64 nodes and takes 1.1 KiB; pages are made when first written. An owner
 * whose flows end in very many places gives up its pages from time to time, and adds what they hold
 * to counters that all share.
 */
final class Counters implements CountsByNode {
  private static final int PAGE_BITS = 6;
  private static final int PAGE_NODES = 1 << PAGE_BITS;

  /** Where the counts begin in a page; as much is left free behind them. See {@link DeskCounts}. */
  private static final int FIRST = DeskCounts.GUARD_LONGS;

  /** What one owner may keep: 146 KiB. */
  static final int MAX_PAGES = 128;

  private final @Nullable Counters shared;
  private volatile long[][] pages = new long[4][];
  private int pageCount;

  Counters() {
    this(null);
  }

  /**
   * @param shared where to put what is too much to keep, guarded by its monitor; who reads both
   *     holds it too
   */
  Counters(@Nullable Counters shared) {
    this.shared = shared;
  }

  /** Owner only. */
  void add(int node, long bytes) {
    add(node, 1, bytes);
  }

  /** Owner only. Counts both or, when it throws, neither. */
  @Override
  public void add(int node, long count, long bytes) {
    int p = node >>> PAGE_BITS;
    long[][] all = pages;
    long[] page = p < all.length ? all[p] : null;
    if (page == null) {
      page = makePage(p);
    }
    int i = FIRST + ((node & PAGE_NODES - 1) << 1);
    page[i] += count;
    page[i + 1] += bytes;
  }

  private long[] makePage(int p) {
    if (shared != null && pageCount == MAX_PAGES) {
      long[][] none = new long[pages.length][];
      synchronized (shared) {
        forEach(new Move(shared, this));
        pages = none;
      }
      pageCount = 0;
    }
    pageCount++;
    long[][] all = pages;
    if (p >= all.length) {
      long[][] copy = new long[Integer.highestOneBit(p) << 1][];
      System.arraycopy(all, 0, copy, 0, all.length);
      all = copy;
    }
    long[] page = new long[(PAGE_NODES << 1) + 2 * FIRST];
    all[p] = page;
    // Also when the table is the old one: whoever reads the field afterwards sees the page.
    pages = all;
    return page;
  }

  long count(int node) {
    return read(node, 0);
  }

  long bytes(int node) {
    return read(node, 1);
  }

  private long read(int node, int which) {
    int p = node >>> PAGE_BITS;
    long[][] all = pages;
    long[] page = p < all.length ? all[p] : null;
    return page == null ? 0 : page[FIRST + ((node & PAGE_NODES - 1) << 1) + which];
  }

  /** Adds all of {@code other}, whose owner must have stopped. Owner only. */
  void addAll(Counters other) {
    other.forEach(this);
  }

  /** Flows over all nodes. */
  long flows() {
    long flows = 0;
    for (long[] page : pages) {
      for (int i = FIRST; page != null && i < page.length - FIRST; i += 2) {
        flows += page[i];
      }
    }
    return flows;
  }

  /** Calls with what was counted at each node where anything was. */
  void forEach(CountsByNode sum) {
    long[][] all = pages;
    for (int p = 0; p < all.length; p++) {
      long[] page = all[p];
      for (int node = 0; page != null && node < PAGE_NODES; node++) {
        int i = FIRST + (node << 1);
        if (page[i] != 0 || page[i + 1] != 0) {
          sum.add((p << PAGE_BITS) + node, page[i], page[i + 1]);
        }
      }
    }
  }

  /** Moves counts one by one, so that an error in between falsifies none. */
  private static final class Move implements CountsByNode {
    private final Counters to;
    private final Counters from;

    Move(Counters to, Counters from) {
      this.to = to;
      this.from = from;
    }

    @Override
    public void add(int node, long count, long bytes) {
      to.add(node, count, bytes);
      long[] page = from.pages[node >>> PAGE_BITS];
      int i = FIRST + ((node & PAGE_NODES - 1) << 1);
      page[i] = 0;
      page[i + 1] = 0;
    }
  }
}
