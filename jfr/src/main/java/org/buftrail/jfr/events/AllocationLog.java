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
 * there are very many.
 */
public final class AllocationLog {
  /** Frees that may wait: 4 MiB. More are put into the table, which needs one record an address. */
  private static final int MOST_FREES = 1 << 18;

  /** Where the number of the event type is in an owner that is a row. */
  private static final int SOURCE_SHIFT = 32;

  // Owners are rows of event types, or nobody where memory is free.
  private final AddressTable table = new AddressTable();

  // Frees that the table does not know of.
  private long[] freed = new long[256];
  private long[] freedAt = new long[256];
  private int frees;

  /**
   * Notes an allocation by a row of the chunk.
   *
   * @param source the number of the event type that the row is of
   */
  public void allocated(long address, long at, long size, int source, int row) {
    table.put(address, at, size, (long) source << SOURCE_SHIFT | row);
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
    for (int i = 0; i < frees; i++) {
      table.put(freed[i], freedAt[i], 0, AddressTable.NOBODY);
    }
    frees = 0;
  }

  /** Makes the records those of all that was noted. To be called when the chunk has been read. */
  public void finish() {
    for (int i = 0; i < frees && table.size() > 0; i++) {
      table.replace(freed[i], freedAt[i], 0, AddressTable.NOBODY);
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
    frees = 0;
    table.clear();
  }
}
