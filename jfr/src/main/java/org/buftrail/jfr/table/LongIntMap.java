package org.buftrail.jfr.table;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Constant pool keys to non-negative indices. Small keys, as counters give them, are looked up in
 * an array; all others by open addressing over one primitive array, in which each key stands beside
 * its index, so that a look-up touches one cache line.
 *
 * <p>Any 64-bit key is allowed. Takes 4 to 32 bytes an entry with a small key, 32 to 64 with
 * another.
 */
public final class LongIntMap {
  /** What {@link #get} answers for a key that is not there. */
  public static final int NONE = -1;

  // Nobody can prepare a recording whose keys all meet in one slot.
  private static final long SEED = new SplittableRandom().nextLong();

  /** Keys up to so many times the number of keys are small. */
  private static final int SPARSEST = 8;

  private static final int ALWAYS_SMALL = 256;

  /** So many low bits of a key do not change what it is hashed to. */
  private static final int BLOCK = 4;

  private static final int NEIGHBOURS = (1 << BLOCK) - 1;

  // Index + 1 by small key.
  private int[] small = new int[0];
  // Key and index + 1 by turns; 0 in place of the latter is a free slot.
  private long[] table;
  private int size;
  private int hashed;
  private int mask;

  /**
   * @param capacity a power of two
   */
  public LongIntMap(int capacity) {
    table = new long[2 * capacity];
    mask = 2 * capacity - 2;
  }

  /** How many keys there are. */
  public int size() {
    return size;
  }

  /** The index of a key, or {@link #NONE}. */
  public int get(long key) {
    if (key >= 0 && key < small.length) {
      int value = small[(int) key];
      if (value != 0) {
        return value - 1;
      }
    }
    return hashed == 0 ? NONE : (int) table[slot(key) + 1] - 1;
  }

  /** The index of a key, which becomes the number of keys before it if it is not there. */
  public int intern(long key) {
    if (isSmall(key)) {
      int known = get(key);
      if (known < 0) {
        putSmall(key, size);
        return size - 1;
      }
      return known;
    }
    int slot = slot(key);
    int value = (int) table[slot + 1];
    if (value == 0) {
      put(slot, key, size);
      return size - 1;
    }
    return value - 1;
  }

  /** Sets the index of a key. */
  public void put(long key, int index) {
    int slot = hashed == 0 ? NONE : slot(key);
    if (slot >= 0 && table[slot + 1] != 0) {
      table[slot + 1] = index + 1L;
    } else if (isSmall(key)) {
      putSmall(key, index);
    } else {
      put(slot(key), key, index);
    }
  }

  /** Removes all keys and keeps the memory. */
  public void clear() {
    if (size > hashed) {
      Arrays.fill(small, 0);
    }
    if (hashed > 0) {
      Arrays.fill(table, 0);
    }
    size = 0;
    hashed = 0;
  }

  /** Whether a key is small now; it stays so, since the number of keys only grows. */
  private boolean isSmall(long key) {
    return key >= 0 && key < (long) SPARSEST * size + ALWAYS_SMALL;
  }

  private void putSmall(long key, int index) {
    if (key >= small.length) {
      small = Arrays.copyOf(small, (int) Math.min(Integer.MAX_VALUE - 8L, key + key / 2 + 64));
    }
    size += small[(int) key] == 0 ? 1 : 0;
    small[(int) key] = index + 1;
  }

  private void put(int slot, long key, int index) {
    table[slot] = key;
    table[slot + 1] = index + 1L;
    size++;
    if (++hashed > table.length / 4) {
      grow();
    }
  }

  private int home(long key) {
    // Neighbours, such as the methods of a class, stay beside each other.
    long block = ((key >>> BLOCK) ^ SEED) * 0x9E3779B97F4A7C15L;
    return 2 * ((int) (block >>> 32) + (int) (key & NEIGHBOURS)) & mask;
  }

  private int slot(long key) {
    long[] all = table;
    int slot = home(key);
    while (all[slot + 1] != 0 && all[slot] != key) {
      slot = (slot + 2) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] old = table;
    table = new long[Math.multiplyExact(old.length, 2)];
    mask = table.length - 2;
    for (int i = 0; i < old.length; i += 2) {
      if (old[i + 1] != 0) {
        int slot = slot(old[i]);
        table[slot] = old[i];
        table[slot + 1] = old[i + 1];
      }
    }
  }
}
