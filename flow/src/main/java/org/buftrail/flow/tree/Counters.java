package org.buftrail.flow.tree;

/**
 * Flows and bytes by node, written by one thread at a time.
 *
 * <p>The owner writes without fences; others may read at any time and see a value that was true a
 * moment ago. A page covers 64 nodes and takes 1 KiB; pages are made when first written.
 */
public final class Counters implements CountsByNode {
  private static final int PAGE_BITS = 6;
  private static final int PAGE_NODES = 1 << PAGE_BITS;

  private volatile long[][] pages = new long[4][];

  /** Owner only. */
  public void add(int node, long bytes) {
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
    int i = (node & PAGE_NODES - 1) << 1;
    page[i] += count;
    page[i + 1] += bytes;
  }

  private long[] makePage(int p) {
    long[][] all = pages;
    if (p >= all.length) {
      long[][] copy = new long[Integer.highestOneBit(p) << 1][];
      System.arraycopy(all, 0, copy, 0, all.length);
      all = copy;
    }
    long[] page = new long[PAGE_NODES << 1];
    all[p] = page;
    // Also when the table is the old one: a later reader of the field sees the page.
    pages = all;
    return page;
  }

  public long count(int node) {
    return read(node, 0);
  }

  public long bytes(int node) {
    return read(node, 1);
  }

  private long read(int node, int which) {
    int p = node >>> PAGE_BITS;
    long[][] all = pages;
    long[] page = p < all.length ? all[p] : null;
    return page == null ? 0 : page[((node & PAGE_NODES - 1) << 1) + which];
  }

  /** Adds all of {@code other}, whose owner must have stopped. Owner only. */
  public void addAll(Counters other) {
    other.forEach(this);
  }

  /** Flows over all nodes. */
  public long flows() {
    long flows = 0;
    for (long[] page : pages) {
      for (int i = 0; page != null && i < page.length; i += 2) {
        flows += page[i];
      }
    }
    return flows;
  }

  /** Calls with what was counted at each node where anything was. */
  public void forEach(CountsByNode sum) {
    long[][] all = pages;
    for (int p = 0; p < all.length; p++) {
      long[] page = all[p];
      for (int node = 0; page != null && node < PAGE_NODES; node++) {
        int i = node << 1;
        if (page[i] != 0 || page[i + 1] != 0) {
          sum.add((p << PAGE_BITS) + node, page[i], page[i + 1]);
        }
      }
    }
  }
}
