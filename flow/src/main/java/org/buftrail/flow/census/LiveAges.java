package org.buftrail.flow.census;

import java.util.Arrays;
import org.buftrail.flow.base.Ticks;

/**
 * How many flows are live at each node, and how old they are. First {@link #add}, then {@link
 * #sort}, then ask.
 *
 * <p>12 bytes for a flow and 12 for a node, in few large arrays: a collection that falls into a
 * snapshot does not copy them object by object, which the application would have to wait for.
 * Confined to the thread that takes the snapshot.
 */
final class LiveAges {
  /** Node of each flow, in the order they came. */
  private int[] nodes;

  /** Age in ticks of each flow; once sorted, by node and then by age. */
  private int[] ticks;

  private int size;

  /** By node. */
  private long[] bytes;

  /** By node, where its flows end in {@link #ticks}; those of the next node begin there. */
  private int[] ends = {};

  /**
   * @param expected how many flows there may be
   * @param treeSize how many nodes there are, about
   */
  LiveAges(int expected, int treeSize) {
    bytes = new long[treeSize];
    nodes = new int[expected];
    ticks = new int[expected];
  }

  void add(int node, int ageTicks, long capacity) {
    if (size == nodes.length) {
      int more = Math.max(16, size + (size >> 1));
      nodes = Arrays.copyOf(nodes, more);
      ticks = Arrays.copyOf(ticks, more);
    }
    if (node >= bytes.length) {
      bytes = Arrays.copyOf(bytes, node + 1 + (node >> 2));
    }
    nodes[size] = node;
    ticks[size++] = ageTicks;
    bytes[node] += capacity;
  }

  int size() {
    return size;
  }

  void sort() {
    ends = new int[bytes.length];
    for (int i = 0; i < size; i++) {
      ends[nodes[i]]++;
    }
    int end = 0;
    for (int node = 0; node < ends.length; node++) {
      int begin = end;
      end += ends[node];
      ends[node] = begin;
    }
    int[] sorted = new int[size];
    for (int i = 0; i < size; i++) {
      // From where the node's flows begin on; so it comes to say where they end.
      sorted[ends[nodes[i]]++] = ticks[i];
    }
    ticks = sorted;
    for (int node = 0; node < ends.length; node++) {
      Arrays.sort(ticks, begin(node), ends[node]);
    }
    nodes = new int[0];
  }

  private int begin(int node) {
    return node == 0 ? 0 : ends[node - 1];
  }

  int count(int node) {
    return node < ends.length ? ends[node] - begin(node) : 0;
  }

  long bytes(int node) {
    return node < bytes.length ? bytes[node] : 0;
  }

  /** In ticks of {@link Ticks}. Where at least one flow is. */
  int oldest(int node) {
    return ticks[ends[node] - 1];
  }

  /** In ticks of {@link Ticks}; the older one in the middle of an even number. */
  int median(int node) {
    return ticks[begin(node) + count(node) / 2];
  }
}
