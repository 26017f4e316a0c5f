package org.buftrail.profile.dictionary;

import java.util.Arrays;

/**
 * The open-addressed part of a table: where to look for an entry of a given hash. Holds entry
 * indices; 0 means free, which no table needs for an entry because its zero value is never looked
 * up by hash. Filled to two thirds at most: 6 to 12 bytes an entry.
 */
final class Slots {
  private static final int SMALLEST = 32;
  private static final int LARGEST = 1 << 30;

  private int[] entries = new int[SMALLEST];
  private int mask = SMALLEST - 1;
  private int limit = limitOf(SMALLEST);

  int home(int hash) {
    return hash & mask;
  }

  int after(int slot) {
    return (slot + 1) & mask;
  }

  int at(int slot) {
    return entries[slot];
  }

  /** Whether a table of so many entries needs {@link #grow}. */
  boolean isFullWith(int size) {
    return size > limit;
  }

  void put(int slot, int index) {
    entries[slot] = index;
  }

  /** Doubles the room; the caller then {@link #putFree puts} every entry again. */
  void grow() {
    if (entries.length == LARGEST) {
      throw new IllegalStateException(
          "a dictionary table holds " + limit + " entries, the most it can; split the input");
    }
    int length = entries.length * 2;
    entries = new int[length];
    mask = length - 1;
    limit = limitOf(length);
  }

  /** Puts an entry that is known to be absent. */
  void putFree(int hash, int index) {
    int slot = home(hash);
    while (entries[slot] != 0) {
      slot = after(slot);
    }
    entries[slot] = index;
  }

  void clear() {
    Arrays.fill(entries, 0);
  }

  private static int limitOf(int length) {
    return (int) (length * 2L / 3);
  }
}
