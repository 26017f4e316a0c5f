package org.buftrail.jfr;

import java.util.Arrays;

/**
 * The constants of one type of which only those that events name are decoded: stack traces and
 * threads. First the keys are asked for, then their places in the file are found, then they are
 * resolved in the order of the file.
 */
final class WantedPool {
  private final LongIntMap indices = new LongIntMap(64);

  // Constants that were found are decoded while others are still being found. Who decodes is told
  // of what stands in an array; that it may since have been copied to a larger one, these tell.
  private volatile long[] offsets = new long[64];
  private volatile int[] lengths = new int[64];
  private volatile int[] order = new int[64];

  private int[] resolved = new int[64];
  private boolean[] named = new boolean[64];
  private int found;
  private boolean all;

  /** Asks for every constant that is found. */
  void wantAll() {
    all = true;
  }

  /** Whether every constant is asked for. */
  boolean isAllWanted() {
    return all;
  }

  /** Asks for a constant, which an event names. */
  void want(long key) {
    int index = add(key);
    named[index] = true;
  }

  /** Whether {@link #want} has asked for a constant, by its index. */
  boolean isNamed(int index) {
    return named[index];
  }

  private int add(long key) {
    int before = indices.size();
    int index = indices.intern(key);
    if (index == before) {
      if (index == offsets.length) {
        lengths = Arrays.copyOf(lengths, index * 2);
        resolved = Arrays.copyOf(resolved, index * 2);
        order = Arrays.copyOf(order, index * 2);
        named = Arrays.copyOf(named, index * 2);
        offsets = Arrays.copyOf(offsets, index * 2);
      }
      offsets[index] = 0;
      resolved[index] = 0;
      named[index] = false;
    }
    return index;
  }

  /**
   * Notes in which bytes of the file the value of a key is, if anyone asked for it.
   *
   * @param length 0 if nobody will ask for it
   * @return whether it was noted: not if nobody asked, or for the second time
   */
  boolean found(long key, long offset, int length) {
    int index = all ? add(key) : indices.get(key);
    if (index < 0 || offsets[index] != 0) {
      return false;
    }
    offsets[index] = offset;
    lengths[index] = length;
    order[found++] = index;
    return true;
  }

  /** The index of a key, or {@link LongIntMap#NONE} if nobody asked for it. */
  int indexOf(long key) {
    return indices.get(key);
  }

  /** How many of the wanted constants have been found. */
  int found() {
    return found;
  }

  /** The index of a found constant, by its rank in the file. */
  int inOrder(int rank) {
    return order[rank];
  }

  /** Where a constant's value begins in the file; 0 if it has not been found. */
  long offset(int index) {
    return offsets[index];
  }

  /** How many bytes the value of a found constant takes. */
  int length(int index) {
    return lengths[index];
  }

  /** Says what a constant has become. */
  void resolve(int index, int value) {
    resolved[index] = value;
  }

  /** What a constant has become; 0 if it was not found. */
  int resolved(int index) {
    return resolved[index];
  }

  /** Forgets all constants and keeps the memory. */
  void clear() {
    indices.clear();
    found = 0;
    all = false;
  }
}
