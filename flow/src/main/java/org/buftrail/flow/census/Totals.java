package org.buftrail.flow.census;

import java.util.Arrays;
import org.buftrail.flow.tree.CountsByNode;

/**
 * Flows and bytes by node, added up from what several threads have counted.
 *
 * <p>16 bytes for each node, in one array. Confined to one thread.
 */
final class Totals implements CountsByNode {
  /** Room for nodes made meanwhile. */
  private static final int MORE = 1_024;

  private long[] sums;
  private long flows;
  private long bytes;

  /**
   * @param nodes the approximate number of nodes
   */
  Totals(int nodes) {
    sums = new long[2 * nodes];
  }

  @Override
  public void add(int node, long count, long bytes) {
    int i = 2 * node;
    if (i >= sums.length) {
      sums = Arrays.copyOf(sums, 2 * (node + MORE));
    }
    flows += count;
    this.bytes += bytes;
    sums[i] += count;
    sums[i + 1] += bytes;
  }

  /** Over all nodes. */
  long flows() {
    return flows;
  }

  /** Bytes of a flow on the average, 0 where there is none. */
  long meanBytes() {
    return flows == 0 ? 0 : bytes / flows;
  }

  long count(int node) {
    return 2 * node < sums.length ? sums[2 * node] : 0;
  }

  long bytes(int node) {
    return 2 * node < sums.length ? sums[2 * node + 1] : 0;
  }
}
