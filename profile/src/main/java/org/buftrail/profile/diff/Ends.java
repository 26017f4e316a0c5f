package org.buftrail.profile.diff;

import java.util.Arrays;

/**
 * The nodes at which stacks end, numbered as they are met: most nodes have no values of their own,
 * so those of a measure are kept by this number. Belongs to one thread.
 */
final class Ends {
  private static final int NONE = -1;

  /** By node. */
  private int[] rows = {};

  private int size;

  /** The number of a node, given now if it has none. */
  int number(int node) {
    if (node >= rows.length) {
      int before = rows.length;
      rows = Arrays.copyOf(rows, Math.max(16, node + 1 + node / 2));
      Arrays.fill(rows, before, rows.length, NONE);
    }
    if (rows[node] == NONE) {
      rows[node] = size++;
    }
    return rows[node];
  }

  /** What a node has in values by number; 0 where it has none. */
  long at(long[] values, int node) {
    int row = node < rows.length ? rows[node] : NONE;
    return row != NONE && row < values.length ? values[row] : 0;
  }

  /** As {@link #at(long[], int)}. */
  double at(double[] values, int node) {
    int row = node < rows.length ? rows[node] : NONE;
    return row != NONE && row < values.length ? values[row] : 0;
  }

  /** Values by number as values by node. */
  long[] byNode(long[] values, int nodes) {
    long[] all = new long[nodes];
    for (int node = 0; node < nodes; node++) {
      all[node] = at(values, node);
    }
    return all;
  }
}
