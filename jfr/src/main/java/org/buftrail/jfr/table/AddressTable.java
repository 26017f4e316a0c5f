package org.buftrail.jfr.table;

import java.util.Arrays;
import org.buftrail.profile.hash.HashIndex;

/**
 * What happened last to each address: when, how many bytes it is about, and whose they are. Records
 * lie side by side, each in half a cache line. 32 bytes an address, and 6 to 12 for its slot.
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
  private final HashIndex slots = new HashIndex(SMALLEST);
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

  /** Says whose a record is from now on. */
  public void owner(int record, long owner) {
    records[STRIDE * record + OWNER] = owner;
  }

  /**
   * Notes what happened to an address, unless something later is known. At the same time to be
   * nobody's is the later, whichever is met first.
   */
  public void put(long address, long ticks, long bytes, long owner) {
    int hash = hash(address);
    int slot = find(address, hash);
    int entry = slots.at(slot);
    if (entry == 0) {
      add(slot, hash, address);
      set(STRIDE * size, address, ticks, bytes, owner);
    } else {
      update(STRIDE * slots.index(entry), ticks, bytes, owner);
    }
  }

  /** The same, of an address that is there; of others nothing is noted. Answers whether it is. */
  public boolean replace(long address, long ticks, long bytes, long owner) {
    int entry = slots.at(find(address, hash(address)));
    if (entry != 0) {
      update(STRIDE * slots.index(entry), ticks, bytes, owner);
    }
    return entry != 0;
  }

  private void update(int at, long ticks, long bytes, long owner) {
    long known = records[at + TICKS];
    if (known < ticks || (known == ticks && (owner == NOBODY || records[at + OWNER] != NOBODY))) {
      set(at, records[at + ADDRESS], ticks, bytes, owner);
    }
  }

  /** The slot of an address, or the free one where it would be. */
  private int find(long address, int hash) {
    int slot = slots.home(hash);
    for (int entry = slots.at(slot); entry != 0; entry = slots.at(slot)) {
      if (slots.matches(entry, hash) && records[STRIDE * slots.index(entry) + ADDRESS] == address) {
        return slot;
      }
      slot = slots.after(slot);
    }
    return slot;
  }

  private void set(int at, long address, long ticks, long bytes, long owner) {
    records[at + ADDRESS] = address;
    records[at + TICKS] = ticks;
    records[at + SIZE] = bytes;
    records[at + OWNER] = owner;
  }

  private void add(int slot, int hash, long address) {
    if (STRIDE * (size + 2) > records.length) {
      records = Arrays.copyOf(records, Math.multiplyExact(records.length, 2));
    }
    records[STRIDE * ++size + ADDRESS] = address;
    slots.put(slot, hash, size);
    if (slots.isFullWith(size)) {
      slots.grow();
      fillSlots();
    }
  }

  private void fillSlots() {
    for (int record = 1; record <= size; record++) {
      slots.putFree(hash(records[STRIDE * record + ADDRESS]), record);
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
    slots.clear();
    size = kept;
    fillSlots();
  }

  /** Forgets all addresses and keeps the memory. */
  public void clear() {
    if (size > 0) {
      slots.clear();
    }
    size = 0;
  }

  private static int hash(long address) {
    return (int) ((address * FACTORS[0] + (address >>> 32) * FACTORS[1]) >>> 32);
  }
}
