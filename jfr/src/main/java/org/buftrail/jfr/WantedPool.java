package org.buftrail.jfr;

import java.util.Arrays;

/**
 * The constants of one type of which only those that events name are decoded: stack traces and
 * threads. First the keys are asked for, then they are found, then they are resolved in the order
 * of the file.
 */
final class WantedPool {
  private final LongIntMap indices = new LongIntMap(64);

  private long[] offsets = new long[64];
  private int[] lengths = new int[64];
  private int[] order = new int[64];
  private int[] resolved = new int[64];
  private int found;

  /** Asks for a constant, which an event names. */
  void want(long key) {
    int before = indices.size();
    int index = indices.intern(key);
    if (index == before) {
      if (index == offsets.length) {
        lengths = Arrays.copyOf(lengths, index * 2);
        resolved = Arrays.copyOf(resolved, index * 2);
        order = Arrays.copyOf(order, index * 2);
        offsets = Arrays.copyOf(offsets, index * 2);
      }
      offsets[index] = 0;
      resolved[index] = 0;
    }
  }

  /**
   * Notes in which bytes of the file the value of a key is, if anyone asked for it.
   *
   * @param length 0 if nobody will ask for it
   */
  void found(long key, long offset, int length) {
    int index = indices.get(key);
    if (index >= 0 && offsets[index] == 0) {
      offsets[index] = offset;
      lengths[index] = length;
      order[found++] = index;
    }
  }

  /** Whether a constant was asked for and has not been found yet. */
  boolean isWanted(long key) {
    int index = indices.get(key);
    return index >= 0 && offsets[index] == 0;
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
  }
}
