package org.buftrail.flow.census;

import java.util.Arrays;
import org.buftrail.flow.base.Ticks;
import org.buftrail.model.Births;

/**
 * How many flows are live at each node, and how old they are. First {@link #add}, then {@link
 * #sort}, then ask.
 *
 * <p>12 bytes for a flow, 8 more while it is sorted, and 12 for a node, in few large arrays: a
 * collection that falls into a snapshot does not copy them object by object, which the application
 * would have to wait for. Confined to the thread that takes the snapshot.
 */
final class LiveAges {
  /** Minutes that are told apart: what is older began in the first of them. */
  private static final int MOST_MINUTES = 25 * 60;

  private static final long LOW = 0xFFFF_FFFFL;

  /** Node of each flow, in the order they came. */
  private int[] nodes;

  /** Age in ticks and bytes of each flow; once sorted, by node and then by age. */
  private long[] lives;

  private int size;

  /** By node. */
  private long[] bytes;

  /** By node, where its flows end in {@link #lives}; those of the next node begin there. */
  private int[] ends = {};

  /**
   * @param expected how many flows there may be
   * @param treeSize how many nodes there are, about
   */
  LiveAges(int expected, int treeSize) {
    bytes = new long[treeSize];
    nodes = new int[expected];
    lives = new long[expected];
  }

  void add(int node, int ageTicks, long capacity) {
    if (size == nodes.length) {
      int more = Math.max(16, size + (size >> 1));
      nodes = Arrays.copyOf(nodes, more);
      lives = Arrays.copyOf(lives, more);
    }
    if (node >= bytes.length) {
      bytes = Arrays.copyOf(bytes, node + 1 + (node >> 2));
    }
    nodes[size] = node;
    lives[size++] = (long) ageTicks << Integer.SIZE | (capacity & LOW);
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
    long[] sorted = new long[size];
    for (int i = 0; i < size; i++) {
      // From where the node's flows begin on; so it comes to say where they end.
      sorted[ends[nodes[i]]++] = lives[i];
    }
    lives = sorted;
    for (int node = 0; node < ends.length; node++) {
      Arrays.sort(lives, begin(node), ends[node]);
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

  private int ticks(int life) {
    return (int) (lives[life] >> Integer.SIZE);
  }

  /** In ticks of {@link Ticks}. Where at least one flow is. */
  int oldest(int node) {
    return ticks(ends[node] - 1);
  }

  /** In ticks of {@link Ticks}; the older one in the middle of an even number. */
  int median(int node) {
    return ticks(begin(node) + count(node) / 2);
  }

  /**
   * Adds how much of what is live at a node began in which minute.
   *
   * @param nowMillis when ages were counted, in milliseconds since the epoch
   * @param weight how many flows each stands for
   */
  void addBirths(int node, long nowMillis, long weight, BirthRows to) {
    long earliest = minute(nowMillis) - MOST_MINUTES * Births.MINUTE_MILLIS;
    for (int i = ends[node] - 1; i >= begin(node); i--) {
      long minute = Math.max(earliest, minute(nowMillis - Ticks.millis(ticks(i))));
      to.add(minute, weight, weight * (lives[i] & LOW));
    }
  }

  private static long minute(long millis) {
    return Math.floorDiv(millis, Births.MINUTE_MILLIS) * Births.MINUTE_MILLIS;
  }
}
