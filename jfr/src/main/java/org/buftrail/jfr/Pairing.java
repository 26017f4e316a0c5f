package org.buftrail.jfr;

import java.util.Arrays;

/**
 * Allocations and frees by address: what is still allocated when the recording ends.
 *
 * <p>Events stand in a recording in the order in which threads hand in their buffers, so neither a
 * free nor an allocation need follow its counterpart. For each address only the event that is last
 * in time counts, whichever is met first, and of a free and an allocation at the same time the
 * free; what it was decides whether the address is live. Ticks compare within one JVM, and
 * addresses mean nothing outside it. At the end of a chunk the freed addresses are forgotten, since
 * the events of the next chunk are later: memory grows with what is live, and with the addresses
 * that one chunk names.
 *
 * <p>Most frees are of what nobody saw allocated: a profiler that notes one allocation of many
 * notes all frees. So frees only wait until the end of the chunk, and none gets a record, unless
 * there are very many. Addresses are all over the table, which outgrows the processor's caches:
 * they are looked up many at a time, so that they wait for memory together.
 */
final class Pairing {
  private static final int SMALLEST = 64;
  private static final int IDENTITY = 3;

  /** Events that are looked up together. */
  private static final int BATCH = 256;

  /** Frees that may wait: 4 MiB. More are put into the table, which needs one record an address. */
  private static final int MOST_FREES = 1 << 18;

  /** Where the number of the event type is in an owner that is a row. */
  private static final int SOURCE_SHIFT = 33;

  // Owners are an identity with an even number; until the rows of the chunk are resolved, a row of
  // an event type with an odd one; or nobody where memory is free.
  private final AddressTable table = new AddressTable();
  private int[] identities = new int[IDENTITY * SMALLEST];
  private int identityCount;

  // Allocations that are not in the table yet.
  private final long[] allocated = new long[BATCH];
  private final long[] allocatedAt = new long[BATCH];
  private final long[] sizes = new long[BATCH];
  private final long[] owners = new long[BATCH];
  private int allocations;

  // Frees that the table does not know of.
  private long[] freed = new long[BATCH];
  private long[] freedAt = new long[BATCH];
  private int frees;

  private final int[] entries = new int[BATCH];
  private final long[] touched = new long[BATCH];

  /** Whether anything was noted in the chunk at hand. */
  private boolean noted;

  /**
   * Notes an allocation by a row of the chunk.
   *
   * @param source the number of the event type that the row is of
   */
  void allocated(long address, long at, long size, int source, int row) {
    if (allocations == BATCH) {
      enterAllocations();
    }
    int i = allocations++;
    allocated[i] = address;
    allocatedAt[i] = at;
    sizes[i] = size;
    owners[i] = (long) source << SOURCE_SHIFT | (long) row << 1 | 1;
  }

  /** Notes a free. */
  void freed(long address, long at) {
    if (frees == freed.length) {
      makeRoomForFrees();
    }
    freed[frees] = address;
    freedAt[frees++] = at;
  }

  private void makeRoomForFrees() {
    if (frees < MOST_FREES) {
      freed = Arrays.copyOf(freed, frees * 2);
      freedAt = Arrays.copyOf(freedAt, frees * 2);
      return;
    }
    for (int from = 0; from < frees; from += BATCH) {
      touch(freed, from, BATCH);
      for (int i = from; i < from + BATCH; i++) {
        table.put(freed[i], freedAt[i], 0, AddressTable.NOBODY);
      }
    }
    frees = 0;
  }

  private void touch(long[] addresses, int from, int count) {
    table.touchSlots(addresses, from, count, entries);
    table.touchRecords(entries, count, touched);
  }

  private void enterAllocations() {
    touch(allocated, 0, allocations);
    for (int i = 0; i < allocations; i++) {
      table.put(allocated[i], allocatedAt[i], sizes[i], owners[i]);
    }
    allocations = 0;
  }

  /** Tells the table of everything that was noted. */
  private void enter() {
    // Neither is emptied before another comes.
    noted |= allocations > 0 || frees > 0;
    enterAllocations();
    for (int from = 0; from < frees; from += BATCH) {
      int count = Math.min(BATCH, frees - from);
      table.touchSlots(freed, from, count, entries);
      for (int i = from; i < from + count; i++) {
        table.replace(freed[i], freedAt[i], 0, AddressTable.NOBODY);
      }
    }
    frees = 0;
  }

  /**
   * Remembers to whom belongs what rows of one event type allocated.
   *
   * @param source the number of the event type
   * @param resolved stack, attribute set, link and one more int for each of its rows
   */
  void resolve(int source, int[] resolved) {
    enter();
    for (int record = 1; record <= table.size(); record++) {
      long owner = table.owner(record);
      boolean isRow = owner != AddressTable.NOBODY && (owner & 1) != 0;
      if (isRow && owner >>> SOURCE_SHIFT == source) {
        table.setOwner(record, (long) remember(resolved, 4 * (int) (owner >>> 1)) << 1);
      }
    }
  }

  /** Forgets what is free. To be called when all rows of a chunk are resolved. */
  void endChunk() {
    enter();
    if (!noted) {
      return;
    }
    noted = false;
    table.compact();
    int[] old = identities;
    identities = new int[IDENTITY * SMALLEST];
    identityCount = 0;
    for (int record = 1; record <= table.size(); record++) {
      int at = IDENTITY * (int) (table.owner(record) >>> 1);
      table.setOwner(record, (long) remember(old, at) << 1);
    }
  }

  private int remember(int[] from, int at) {
    if (IDENTITY * identityCount == identities.length) {
      identities = Arrays.copyOf(identities, identities.length * 2);
    }
    System.arraycopy(from, at, identities, IDENTITY * identityCount, IDENTITY);
    return identityCount++;
  }

  /** Takes what is live. */
  interface Live {
    /**
     * An allocation that was not freed.
     *
     * @param ticks when it was
     */
    void add(int stack, int attributes, int link, long ticks, long bytes);
  }

  /** Tells what is live and starts anew. To be called after {@link #endChunk}. */
  void endProcess(Live live) {
    for (int record = 1; record <= table.size(); record++) {
      long owner = table.owner(record);
      if (owner != AddressTable.NOBODY) {
        int at = IDENTITY * (int) (owner >>> 1);
        live.add(
            identities[at],
            identities[at + 1],
            identities[at + 2],
            table.ticks(record),
            table.bytes(record));
      }
    }
    clear();
  }

  /** Forgets all addresses. */
  void clear() {
    allocations = 0;
    frees = 0;
    noted = false;
    table.clear();
    identityCount = 0;
  }
}
