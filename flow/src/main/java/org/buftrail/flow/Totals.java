package org.buftrail.flow;

import java.util.Arrays;

/**
 * Flows and bytes by node, added up from the {@link Counters} of several threads.
 *
 * <p>16 bytes for each node of the trie, in one array. Confined to one thread.
 */
final class Totals implements CountsByNode {
  private long[] sums;
  private long flows;

  /**
   * @param nodes how many there are, about
   */
  Totals(int nodes) {
    sums = new long[2 * nodes];
  }

  void addAll(Counters counters) {
    counters.forEach(this);
  }

  @Override
  public void add(int node, long count, long bytes) {
    int i = 2 * node;
    if (i >= sums.length) {
      sums = Arrays.copyOf(sums, 2 * Math.max(node + 1, Trie.INSTANCE.size()));
    }
    flows += count;
    sums[i] += count;
    sums[i + 1] += bytes;
  }

  /** Over all nodes. */
  long flows() {
    return flows;
  }

  long count(int node) {
    return 2 * node < sums.length ? sums[2 * node] : 0;
  }

  long bytes(int node) {
    return 2 * node < sums.length ? sums[2 * node + 1] : 0;
  }
}
