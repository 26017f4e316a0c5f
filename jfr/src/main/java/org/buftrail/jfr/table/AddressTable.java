package org.buftrail.jfr.table;

import java.util.Arrays;

/**
 * What happened last to each address: when, how many bytes it is about, and whose they are. Records
 * lie side by side, each in half a cache line; an open-addressed array of their numbers finds them.
 *
 * <p>A slot is one int: the low bits, as many as the number of slots needs, are the number of the
 * record, from 1; the others are bits of the hash, which pass over most records of other addresses.
 * 32 bytes an address, and 8 to 16 for its slot.
 */
public final class AddressTable {
  // Columns of a record.
  private static final int ADDRESS = 0;
  private static final int TICKS = 1;
  private static final int SIZE = 2;
  private static final int OWNER = 3;
  private static final int STRIDE = 4;

  /** The owner of what nobody owns. */
  public static final long NOBODY = -1;

  private static final int SMALLEST = 128;

  private static final long[] FACTORS = HashSeed.draw(2);

  private long[] records = new long[STRIDE * SMALLEST / 2];
  private int[] slots = new int[SMALLEST];
  private int mask = SMALLEST - 1;
  private int size;

  /** How many addresses there are; their records are numbered from 1. */
  public int size() {
    return size;
  }

  public long address(int record) {
    return records[STRIDE * record + ADDRESS];
  }

  public long ticks(int record) {
    return records[STRIDE * record + TICKS];
  }

  public long bytes(int record) {
    return records[STRIDE * record + SIZE];
  }

  public long owner(int record) {
    return records[STRIDE * record + OWNER];
  }

  /** Reads the slot of each of some addresses, so that these loads do not wait for each other. */
  public void touchSlots(long[] addresses, int from, int count, int[] entries) {
    for (int i = 0; i < count; i++) {
      entries[i] = slots[hash(addresses[from + i]) & mask];
    }
  }

  /** As {@link #touchSlots}, the records that these slots named; what was read is of no use. */
  public void touchRecords(int[] entries, int count, long[] seen) {
    for (int i = 0; i < count; i++) {
      seen[i] = records[STRIDE * (entries[i] & mask)];
    }
  }

  /**
   * Notes what happened to an address, unless something later is known. At the same time to be
   * nobody's is the later, whichever is met first.
   */
  public void put(long address, long ticks, long bytes, long owner) {
    int hash = hash(address);
    int slot = find(address, hash);
    if (slots[slot] == 0) {
      add(slot, hash);
      set(STRIDE * size, address, ticks, bytes, owner);
    } else {
      replace(slot, ticks, bytes, owner);
    }
  }

  /** The same, of an address that is there; of others nothing is noted. Answers whether it is. */
  public boolean replace(long address, long ticks, long bytes, long owner) {
    int slot = find(address, hash(address));
    if (slots[slot] == 0) {
      return false;
    }
    replace(slot, ticks, bytes, owner);
    return true;
  }

  private void replace(int slot, long ticks, long bytes, long owner) {
    int at = STRIDE * (slots[slot] & mask);
    long known = records[at + TICKS];
    if (known < ticks || (known == ticks && (owner == NOBODY || records[at + OWNER] != NOBODY))) {
      set(at, records[at + ADDRESS], ticks, bytes, owner);
    }
  }

  /** The slot of an address, or the free one where it would be. */
  private int find(long address, int hash) {
    int slot = hash & mask;
    for (int entry = slots[slot]; entry != 0; entry = slots[slot]) {
      if (((entry ^ hash) & ~mask) == 0 && records[STRIDE * (entry & mask) + ADDRESS] == address) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void set(int at, long address, long ticks, long bytes, long owner) {
    records[at + ADDRESS] = address;
    records[at + TICKS] = ticks;
    records[at + SIZE] = bytes;
    records[at + OWNER] = owner;
  }

  private void add(int slot, int hash) {
    if (STRIDE * (size + 2) > records.length) {
      records = Arrays.copyOf(records, Math.multiplyExact(records.length, 2));
    }
    slots[slot] = (hash & ~mask) | ++size;
    if (size >= slots.length / 2) {
      slots = new int[slots.length * 2];
      mask = slots.length - 1;
      // The newest has no address yet.
      fillSlots(size - 1);
      slots[free(hash)] = (hash & ~mask) | size;
    }
  }

  private int free(int hash) {
    int slot = hash & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void fillSlots(int count) {
    for (int record = 1; record <= count; record++) {
      int hash = hash(records[STRIDE * record + ADDRESS]);
      slots[free(hash)] = (hash & ~mask) | record;
    }
  }

  /** Forgets those records that are nobody's. */
  public void compact() {
    int kept = 0;
    for (int record = 1; record <= size; record++) {
      int from = STRIDE * record;
      if (records[from + OWNER] != NOBODY) {
        System.arraycopy(records, from, records, STRIDE * ++kept, STRIDE);
      }
    }
    Arrays.fill(slots, 0);
    size = kept;
    fillSlots(kept);
  }

  /** Forgets all addresses and keeps the memory. */
  public void clear() {
    if (size > 0) {
      Arrays.fill(slots, 0);
    }
    size = 0;
  }

  private static int hash(long address) {
    return (int) ((address * FACTORS[0] + (address >>> 32) * FACTORS[1]) >>> 32);
  }
}
