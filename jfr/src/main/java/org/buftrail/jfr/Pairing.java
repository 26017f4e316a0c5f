package org.buftrail.jfr;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import org.jspecify.annotations.Nullable;

/**
 * Allocations and frees by address: what is still allocated when the recording ends.
 *
 * <p>Events stand in a recording in the order in which threads hand in their buffers, so neither a
 * free nor an allocation need follow its counterpart. For each address only the event that is last
 * in time counts, whichever is met first; what it was decides whether the address is live. Ticks
 * compare within one JVM, and addresses mean nothing outside it. At the end of a chunk the freed
 * addresses are forgotten, since the events of the next chunk are later: memory grows with what is
 * live, and with the addresses that one chunk names.
 *
 * <p>Most frees are of what nobody saw allocated: a profiler that notes one allocation of many
 * notes all frees. So frees only wait until the end of the chunk, and none gets a record, unless
 * there are very many. Addresses are all over the table, which outgrows the processor's caches:
 * they are looked up many at a time, so that they wait for memory together.
 */
final class Pairing {
  private static final int FREE = -1;
  private static final int SMALLEST = 64;
  private static final int IDENTITY = 3;

  /** Events that are looked up together. */
  private static final int BATCH = 256;

  /** Frees that may wait: 4 MiB. More are put into the table, which needs one record an address. */
  private static final int MOST_FREES = 1 << 18;

  /** Fewer frees than that are not worth a second thread. */
  private static final int LEAST_SHARED = 1 << 13;

  // Owners are a row of this chunk with an odd number, an identity of an earlier with an even one,
  // or nobody where memory is free.
  private final AddressTable table = new AddressTable();
  private int[] identities = new int[IDENTITY * SMALLEST];
  private int identityCount;

  // Allocations that are not in the table yet.
  private final long[] allocated = new long[BATCH];
  private final long[] allocatedAt = new long[BATCH];
  private final long[] sizes = new long[BATCH];
  private final int[] owners = new int[BATCH];
  private int allocations;

  // Frees that the table does not know of.
  private long[] freed = new long[BATCH];
  private long[] freedAt = new long[BATCH];
  private int frees;

  private final int[] entries = new int[BATCH];
  private final long[] touched = new long[BATCH];

  private final boolean parallel = Runtime.getRuntime().availableProcessors() > 1;
  private @Nullable ForkJoinTask<?> task;

  /** Notes an allocation by a row of the chunk. */
  void allocated(long address, long at, long size, int row) {
    if (allocations == BATCH) {
      enterAllocations();
    }
    int i = allocations++;
    allocated[i] = address;
    allocatedAt[i] = at;
    sizes[i] = size;
    owners[i] = row << 1 | 1;
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
        table.put(freed[i], freedAt[i], 0, FREE);
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

  /**
   * Says that all events of a chunk are noted. If there is a processor for it, another thread goes
   * on from here while the caller looks after other things, but not after this, until {@link
   * #await} or {@link #endChunk}.
   */
  void endEvents() {
    if (parallel && frees >= LEAST_SHARED) {
      task = ForkJoinPool.commonPool().submit(this::enter);
    }
  }

  /** Waits until no other thread works on this; fails if that did. */
  void await() {
    ForkJoinTask<?> begun = task;
    task = null;
    if (begun != null) {
      begun.join();
    }
  }

  /** Tells the table of everything that was noted. */
  private void enter() {
    enterAllocations();
    for (int from = 0; from < frees; from += BATCH) {
      int count = Math.min(BATCH, frees - from);
      table.touchSlots(freed, from, count, entries);
      for (int i = from; i < from + count; i++) {
        table.replace(freed[i], freedAt[i], 0, FREE);
      }
    }
    frees = 0;
  }

  /**
   * Forgets what is free and remembers to whom the rest belongs.
   *
   * @param resolved stack, attribute set, link and one more int for each row of the chunk
   */
  void endChunk(int[] resolved) {
    await();
    enter();
    int[] oldIdentities = identities;
    identities = new int[IDENTITY * SMALLEST];
    identityCount = 0;
    table.keep(
        FREE,
        owner -> {
          boolean row = (owner & 1) != 0;
          int from = row ? 4 * (owner >>> 1) : IDENTITY * (owner >>> 1);
          return remember(row ? resolved : oldIdentities, from) << 1;
        });
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
    // Frees of chunks in which nothing was allocated.
    await();
    enter();
    for (int record = 1; record <= table.size(); record++) {
      int owner = table.owner(record);
      if (owner != FREE) {
        int at = IDENTITY * (owner >>> 1);
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
    ForkJoinTask<?> begun = task;
    task = null;
    if (begun != null) {
      begun.quietlyJoin();
    }
    allocations = 0;
    frees = 0;
    table.clear();
    identityCount = 0;
  }
}
