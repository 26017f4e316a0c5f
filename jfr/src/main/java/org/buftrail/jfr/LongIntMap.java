package org.buftrail.jfr;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Constant pool keys to non-negative indices: open addressing over primitive arrays.
 *
 * <p>Any 64-bit key is allowed. Takes 24 to 48 bytes an entry.
 */
final class LongIntMap {
  /** What {@link #get} answers for a key that is not there. */
  static final int NONE = -1;

  // Nobody can prepare a recording whose keys all meet in one slot.
  private static final long SEED = new SplittableRandom().nextLong();

  private long[] keys;
  private int[] values;
  private int size;
  private int mask;

  /**
   * @param capacity a power of two
   */
  LongIntMap(int capacity) {
    keys = new long[capacity];
    values = new int[capacity];
    mask = capacity - 1;
  }

  /** How many keys there are. */
  int size() {
    return size;
  }

  /** The index of a key, or {@link #NONE}. */
  int get(long key) {
    return values[slot(key)] - 1;
  }

  /** The index of a key, which becomes the number of keys before it if it is not there. */
  int intern(long key) {
    int slot = slot(key);
    int value = values[slot];
    if (value != 0) {
      return value - 1;
    }
    put(slot, key, size);
    return size - 1;
  }

  /** Sets the index of a key. */
  void put(long key, int index) {
    int slot = slot(key);
    if (values[slot] != 0) {
      values[slot] = index + 1;
    } else {
      put(slot, key, index);
    }
  }

  /** Removes all keys and keeps the memory. */
  void clear() {
    if (size == 0) {
      return;
    }
    Arrays.fill(values, 0);
    size = 0;
  }

  private void put(int slot, long key, int index) {
    keys[slot] = key;
    values[slot] = index + 1;
    if (++size > keys.length / 2) {
      grow();
    }
  }

  private int slot(long key) {
    long mixed = (key ^ SEED) * 0x9E3779B97F4A7C15L;
    int slot = (int) (mixed >>> 32) & mask;
    while (values[slot] != 0 && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new int[oldKeys.length * 2];
    mask = keys.length - 1;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != 0) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }
}
