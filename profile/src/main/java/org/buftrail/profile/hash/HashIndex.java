package org.buftrail.profile.hash;

import java.util.Arrays;

/**
 * The open-addressed part of a table: where to look for an entry of a given hash. The table has the
 * entries themselves, in columns of its own. Filled to two thirds at most: 6 to 12 bytes an entry.
 *
 * <p>A slot is one int. Its low bits, as many as the number of slots needs, are the index of the
 * entry; the others are those bits of the hash that did not choose the slot, so that an entry of
 * another hash is passed over without a look at it:
 *
 * <pre>
 *   | hash, bits 31 .. n | index, bits n-1 .. 0 |     2^n slots
 * </pre>
 *
 * <p>0 is a free slot: no table keeps its entry 0, the zero value, here.
 */
public final class HashIndex {
  private static final int SMALLEST = 32;
  private static final int LARGEST = 1 << 30;

  private int[] entries;
  private int mask;
  private int limit;

  /** For few entries at first. */
  public HashIndex() {
    this(SMALLEST);
  }

  /**
   * @param length slots at first, a power of two
   */
  public HashIndex(int length) {
    entries = new int[length];
    mask = length - 1;
    limit = limitOf(length);
  }

  /** The slot at which to begin to look for an entry of a hash. */
  public int home(int hash) {
    return hash & mask;
  }

  /** The slot behind one that holds another entry. */
  public int after(int slot) {
    return (slot + 1) & mask;
  }

  /** The content of a slot; 0 if it is free. */
  public int at(int slot) {
    return entries[slot];
  }

  /** Whether what a slot holds is of this hash, as far as the slot tells. */
  public boolean matches(int entry, int hash) {
    return ((entry ^ hash) & ~mask) == 0;
  }

  /** The index of an entry, from what its slot holds. */
  public int index(int entry) {
    return entry & mask;
  }

  /** Whether a table of so many entries needs {@link #grow}. */
  public boolean isFullWith(int size) {
    return size > limit;
  }

  /** Puts an entry into a slot. */
  public void put(int slot, int hash, int index) {
    entries[slot] = (hash & ~mask) | index;
  }

  /** Doubles the room; the caller then {@link #putFree puts} every entry again. */
  public void grow() {
    if (entries.length == LARGEST) {
      throw new IllegalStateException(
          "a table holds " + limit + " entries, the most it can; split the input");
    }
    int length = entries.length * 2;
    entries = new int[length];
    mask = length - 1;
    limit = limitOf(length);
  }

  /** Puts an entry that is known to be absent. */
  public void putFree(int hash, int index) {
    int slot = home(hash);
    while (entries[slot] != 0) {
      slot = after(slot);
    }
    put(slot, hash, index);
  }

  /** Forgets all entries and keeps the memory. */
  public void clear() {
    Arrays.fill(entries, 0);
  }

  private static int limitOf(int length) {
    return (int) (length * 2L / 3);
  }
}
