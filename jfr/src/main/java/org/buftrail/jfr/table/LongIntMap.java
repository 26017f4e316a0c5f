package org.buftrail.jfr.table;

import java.util.Arrays;
import org.buftrail.profile.hash.HashIndex;

/**
 * Constant pool keys to non-negative indices, which are given in the order of first appearance.
 * Small keys, as counters give them, are looked up in an array; all others in a hash index.
 *
 * <p>Any 64-bit key is allowed. Takes 12 to 40 bytes an entry with a small key, 14 to 20 with
 * another.
 */
public final class LongIntMap {
  /** What {@link #get} answers for a key that is not there. */
  public static final int NONE = -1;

  private static final long[] FACTORS = HashSeed.draw(2);

  /** Keys up to so many times the number of keys are small. */
  private static final int SPARSEST = 8;

  private static final int ALWAYS_SMALL = 256;

  /** So many low bits of a key do not change what it is hashed to. */
  private static final int BLOCK = 4;

  private static final int NEIGHBOURS = (1 << BLOCK) - 1;

  // Index + 1 by small key.
  private int[] small = new int[0];

  // All keys by index + 1, of which the index holds those that are not small.
  private final HashIndex slots = new HashIndex();
  private long[] keys = new long[32];
  private int hashed;
  private int size;

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
    return hashed == 0 ? NONE : entry(key, hash(key)) - 1;
  }

  /** The key of an index. */
  public long key(int index) {
    return keys[index + 1];
  }

  /** The index of a key, which becomes the number of keys before it if it is not there. */
  public int intern(long key) {
    if (key >= 0 && key < small.length) {
      int value = small[(int) key];
      if (value != 0) {
        return value - 1;
      }
    }
    if (hashed == 0 && isSmall(key, size + 1)) {
      return addSmall(key);
    }
    int hash = hash(key);
    int slot = slots.home(hash);
    for (int entry = slots.at(slot); entry != 0; entry = slots.at(slot)) {
      int index = slots.index(entry);
      if (slots.matches(entry, hash) && keys[index] == key) {
        return index - 1;
      }
      slot = slots.after(slot);
    }
    return isSmall(key, size + 1) ? addSmall(key) : addHashed(key, slot, hash);
  }

  /** Removes all keys and keeps the memory. */
  public void clear() {
    if (size > hashed) {
      Arrays.fill(small, 0);
    }
    if (hashed > 0) {
      slots.clear();
    }
    size = 0;
    hashed = 0;
  }

  /** Whether a key is small among so many; it stays so, since the number of keys only grows. */
  private static boolean isSmall(long key, int count) {
    return key >= 0 && key < (long) SPARSEST * count + ALWAYS_SMALL;
  }

  /** The entry of a key, its index + 1; 0 if it is not there. */
  private int entry(long key, int hash) {
    int slot = slots.home(hash);
    for (int entry = slots.at(slot); entry != 0; entry = slots.at(slot)) {
      int index = slots.index(entry);
      if (slots.matches(entry, hash) && keys[index] == key) {
        return index;
      }
      slot = slots.after(slot);
    }
    return 0;
  }

  private int addSmall(long key) {
    int entry = add(key);
    if (key >= small.length) {
      small = Arrays.copyOf(small, (int) Math.min(Integer.MAX_VALUE - 8L, key + key / 2 + 64));
    }
    small[(int) key] = entry;
    return entry - 1;
  }

  /** Adds a key whose hash leads to a free slot. */
  private int addHashed(long key, int slot, int hash) {
    int entry = add(key);
    hashed++;
    if (slots.isFullWith(entry)) {
      grow(entry);
      slots.putFree(hash, entry);
    } else {
      slots.put(slot, hash, entry);
    }
    return entry - 1;
  }

  private int add(long key) {
    int entry = ++size;
    if (entry == keys.length) {
      keys = Arrays.copyOf(keys, entry * 2);
    }
    keys[entry] = key;
    return entry;
  }

  /** Makes room for an entry and puts those before it where they belong. */
  private void grow(int entry) {
    // More than once if many have come that are small.
    do {
      slots.grow();
    } while (slots.isFullWith(entry));
    for (int i = 1; i < entry; i++) {
      if (keys[i] < 0 || keys[i] >= small.length || small[(int) keys[i]] != i) {
        slots.putFree(hash(keys[i]), i);
      }
    }
  }

  /** Neighbours, such as the methods of a class, stay beside each other. */
  private static int hash(long key) {
    long block = key >>> BLOCK;
    // One factor alone would have keys meet that differ in their upper bits alone.
    long mixed = block * FACTORS[0] + (block >>> 32) * FACTORS[1];
    return (int) (mixed >>> 32) + (int) (key & NEIGHBOURS);
  }
}
