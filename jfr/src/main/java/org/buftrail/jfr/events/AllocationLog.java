package org.buftrail.jfr.events;

import java.util.Arrays;
import org.buftrail.jfr.table.AddressTable;

/**
 * Allocations and frees of one chunk by address.
 *
 * <p>Events stand in a recording in the order in which threads hand in their buffers, so neither a
 * free nor an allocation need follow its counterpart. For each address only the event that is last
 * in time counts, whichever is met first, and of a free and an allocation at the same time the
 * free. Ticks compare within one JVM, and addresses mean nothing outside it. Memory grows with the
 * addresses that the chunk names.
 *
 * <p>Most frees are of what nobody saw allocated: a profiler that notes one allocation of many
 * notes all frees. So frees only wait until the end of the chunk, and none gets a record, unless
 * there are very many. Addresses are all over the table, which outgrows the processor's caches:
 * they are looked up many at a time, so that they wait for memory together.
 */
public final class AllocationLog {
  /** Events that are looked up together. */
  private static final int BATCH = 256;

  /** Frees that may wait: 4 MiB. More are put into the table, which needs one record an address. */
  private static final int MOST_FREES = 1 << 18;

  /** Where the number of the event type is in an owner that is a row. */
  private static final int SOURCE_SHIFT = 32;

  // Owners are rows of event types, or nobody where memory is free.
  private final AddressTable table = new AddressTable();

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

  /**
   * Notes an allocation by a row of the chunk.
   *
   * @param source the number of the event type that the row is of
   */
  public void allocated(long address, long at, long size, int source, int row) {
    if (allocations == BATCH) {
      enterAllocations();
    }
    int i = allocations++;
    allocated[i] = address;
    allocatedAt[i] = at;
    sizes[i] = size;
    owners[i] = (long) source << SOURCE_SHIFT | row;
  }

  /** Notes a free. */
  public void freed(long address, long at) {
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

  /** Makes the records those of all that was noted. To be called when the chunk has been read. */
  public void finish() {
    enterAllocations();
    for (int from = 0; from < frees && table.size() > 0; from += BATCH) {
      int count = Math.min(BATCH, frees - from);
      table.touchSlots(freed, from, count, entries);
      for (int i = from; i < from + count; i++) {
        table.replace(freed[i], freedAt[i], 0, AddressTable.NOBODY);
      }
    }
  }

  /** What happened last to each address that was allocated, and perhaps to others. */
  public AddressTable records() {
    return table;
  }

  /** The number of the event type that the owner of a record is a row of. */
  public static int source(long owner) {
    return (int) (owner >>> SOURCE_SHIFT);
  }

  /** The row that the owner of a record is. */
  public static int row(long owner) {
    return (int) owner;
  }

  /** How many frees are beside the records; some may be in both. */
  public int frees() {
    return frees;
  }

  /** The address of a free. */
  public long freed(int free) {
    return freed[free];
  }

  /** When a free was, in ticks. */
  public long freedAt(int free) {
    return freedAt[free];
  }

  /** Forgets all addresses and keeps the memory. */
  public void clear() {
    allocations = 0;
    frees = 0;
    table.clear();
  }
}
