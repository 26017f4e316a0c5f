package org.buftrail.flow.census;

import java.util.Arrays;
import org.buftrail.flow.base.Ticks;
import org.buftrail.model.Births;

/**
 * How many flows are live at each node, and how old they are. First {@link #add}, then {@link
 * #sort}, then ask.
 *
 * <p>12 bytes for a flow, also while they are sorted, and 16 for a node. The flows are in {@link
 * Lives}, in small blocks: large arrays may force a collection. Confined to the thread that takes
 * the snapshot.
 */
final class LiveAges {
  /** Minutes that are told apart: what is older began in the first of them. */
  private static final int MOST_MINUTES = 25 * 60;

  /** Each flow; once sorted, by node and then by age. */
  private final Lives lives = new Lives();

  /** By node. */
  private long[] bytes;

  /** By node, where its flows end in {@link #lives}; those of the next node begin there. */
  private int[] ends = {};

  /**
   * @param treeSize how many nodes there are, about
   */
  LiveAges(int treeSize) {
    bytes = new long[treeSize];
  }

  void add(int node, int ageTicks, long capacity) {
    if (node >= bytes.length) {
      bytes = Arrays.copyOf(bytes, node + 1 + (node >> 2));
    }
    lives.add(node, ageTicks, capacity);
    bytes[node] += capacity;
  }

  int size() {
    return lives.size();
  }

  void sort() {
    int[] next = new int[bytes.length];
    for (int i = 0; i < lives.size(); i++) {
      next[lives.node(i)]++;
    }
    ends = next.clone();
    for (int node = 1; node < ends.length; node++) {
      ends[node] += ends[node - 1];
    }
    for (int node = 0; node < ends.length; node++) {
      next[node] = begin(node);
    }
    for (int node = 0; node < ends.length; node++) {
      gather(node, next);
      lives.sortByAge(begin(node), ends[node]);
    }
  }

  /**
   * Has the places of a node filled with its flows; {@code next} is each node's first open place.
   */
  private void gather(int node, int[] next) {
    while (next[node] < ends[node]) {
      int here = next[node];
      int of = lives.node(here);
      int there = next[of]++;
      if (there != here) {
        lives.swap(here, there);
      }
    }
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
    return lives.ageTicks(ends[node] - 1);
  }

  /** In ticks of {@link Ticks}; the older one in the middle of an even number. */
  int median(int node) {
    return lives.ageTicks(begin(node) + count(node) / 2);
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
      long minute = Math.max(earliest, minute(nowMillis - Ticks.millis(lives.ageTicks(i))));
      to.add(minute, weight, weight * lives.bytes(i));
    }
  }

  private static long minute(long millis) {
    return Math.floorDiv(millis, Births.MINUTE_MILLIS) * Births.MINUTE_MILLIS;
  }
}
