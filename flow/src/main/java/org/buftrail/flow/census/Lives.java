package org.buftrail.flow.census;

import java.util.ArrayList;
import java.util.List;

/**
 * The node, the age and the bytes of each live flow, 12 bytes in all.
 *
 * <p>They are in blocks that no collector treats as large objects: G1 begins a collection where
 * such are allocated in a heap that is half full, and the application waits for that. They are
 * sorted where they are, for the same reason. Confined to one thread.
 */
final class Lives {
  private static final int BITS = 13;
  private static final int SIZE = 1 << BITS;
  private static final long LOW = 0xFFFF_FFFFL;

  /** Ranges up to this are sorted by insertion. */
  private static final int SHORT = 16;

  private final List<Block> blocks = new ArrayList<>();
  private Block last = new Block();
  private int size;

  private static final class Block {
    final int[] nodes = new int[SIZE];

    /** The age in ticks, then the bytes. */
    final long[] lives = new long[SIZE];
  }

  void add(int node, int ageTicks, long bytes) {
    int at = size++ & SIZE - 1;
    if (at == 0) {
      last = blocks.isEmpty() ? last : new Block();
      blocks.add(last);
    }
    last.nodes[at] = node;
    last.lives[at] = (long) ageTicks << Integer.SIZE | (bytes & LOW);
  }

  int size() {
    return size;
  }

  int node(int i) {
    return blocks.get(i >> BITS).nodes[i & SIZE - 1];
  }

  int ageTicks(int i) {
    return (int) (life(i) >> Integer.SIZE);
  }

  long bytes(int i) {
    return life(i) & LOW;
  }

  private long life(int i) {
    return blocks.get(i >> BITS).lives[i & SIZE - 1];
  }

  void swap(int i, int j) {
    Block one = blocks.get(i >> BITS);
    Block other = blocks.get(j >> BITS);
    int node = one.nodes[i & SIZE - 1];
    one.nodes[i & SIZE - 1] = other.nodes[j & SIZE - 1];
    other.nodes[j & SIZE - 1] = node;
    swapLives(i, j);
  }

  private void swapLives(int i, int j) {
    Block one = blocks.get(i >> BITS);
    Block other = blocks.get(j >> BITS);
    long life = one.lives[i & SIZE - 1];
    one.lives[i & SIZE - 1] = other.lives[j & SIZE - 1];
    other.lives[j & SIZE - 1] = life;
  }

  /** Sorts a range of flows of one node, the youngest first. */
  void sortByAge(int begin, int end) {
    if (end - begin > 1) {
      sortByAge(begin, end, differingBit(begin, end));
    }
  }

  /** The highest bit in which two lives of a range differ in their ages; 0 where none do. */
  private long differingBit(int begin, int end) {
    long first = life(begin);
    long differing = 0;
    for (int i = begin + 1; i < end; i++) {
      differing |= life(i) ^ first;
    }
    return Long.highestOneBit(differing & ~LOW);
  }

  /** Radix exchange: those without the bit come first, then each half by the next lower bit. */
  private void sortByAge(int begin, int end, long bit) {
    if (end - begin <= SHORT) {
      insert(begin, end);
      return;
    }
    if ((bit & ~LOW) == 0) {
      return;
    }
    int low = begin;
    int high = end;
    while (low < high) {
      if ((life(low) & bit) == 0) {
        low++;
      } else {
        swapLives(low, --high);
      }
    }
    sortByAge(begin, low, bit >>> 1);
    sortByAge(low, end, bit >>> 1);
  }

  private void insert(int begin, int end) {
    for (int i = begin + 1; i < end; i++) {
      for (int j = i; j > begin && ageTicks(j - 1) > ageTicks(j); j--) {
        swapLives(j - 1, j);
      }
    }
  }
}
