package org.buftrail.jfr;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.IntPredicate;
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
 * <p>Addresses are all over the tables, which outgrow the processor's caches. So events are only
 * noted at first; a full set of notes is handed to a second thread if there is a processor for it,
 * and it looks many up at a time, so that they wait for memory together. The tables belong to that
 * thread until it is {@linkplain #await awaited}, as it is before the next set is handed over.
 */
final class Pairing {
  private static final int FREE = -1;
  private static final int SMALLEST = 64;
  private static final int IDENTITY = 3;

  /** Events that are noted before they go into the tables. */
  private static final int NOTES = 4096;

  /** Events that are looked up together. */
  private static final int BATCH = 256;

  private final boolean parallel = Runtime.getRuntime().availableProcessors() > 1;
  // Owners are a row of this chunk with an odd number, an identity of an earlier with an even one,
  // or nobody where memory is free.
  private final AddressTable table = new AddressTable();
  private int[] identities = new int[IDENTITY * SMALLEST];
  private int identityCount;

  private final int[] entries = new int[BATCH];
  private final long[] touched = new long[BATCH];
  private Notes notes = new Notes();
  private Notes full = new Notes();
  private @Nullable ForkJoinTask<?> task;

  /** Events that are not in the tables yet. */
  private static final class Notes {
    final long[] addresses = new long[NOTES];
    final long[] ticks = new long[NOTES];
    final long[] sizes = new long[NOTES];
    final int[] owners = new int[NOTES];
    int size;
  }

  /** Notes an allocation by a row of the chunk. */
  void allocated(long address, long at, long size, int row) {
    note(address, at, size, row << 1 | 1);
  }

  /** Notes a free. */
  void freed(long address, long at) {
    note(address, at, 0, FREE);
  }

  private void note(long address, long at, long size, int owner) {
    if (notes.size == NOTES) {
      handOver();
    }
    Notes last = notes;
    int i = last.size++;
    last.addresses[i] = address;
    last.ticks[i] = at;
    last.sizes[i] = size;
    last.owners[i] = owner;
  }

  private void handOver() {
    await();
    Notes taken = notes;
    notes = full;
    full = taken;
    notes.size = 0;
    if (parallel) {
      task = ForkJoinPool.commonPool().submit(() -> enter(taken));
    } else {
      enter(taken);
    }
  }

  /** Waits until the tables are this thread's again; fails if the other thread did. */
  private void await() {
    ForkJoinTask<?> begun = task;
    if (begun != null) {
      task = null;
      begun.join();
    }
  }

  /** Puts what was noted into the tables. */
  private void enter(Notes noted) {
    for (int from = 0; from < noted.size; from += BATCH) {
      int count = Math.min(BATCH, noted.size - from);
      table.touchSlots(noted.addresses, from, count, entries);
      table.touchRecords(entries, count, touched);
      for (int i = from; i < from + count; i++) {
        table.put(noted.addresses[i], noted.ticks[i], noted.sizes[i], noted.owners[i]);
      }
    }
    noted.size = 0;
  }

  /**
   * Forgets what is free and remembers to whom the rest belongs.
   *
   * @param resolved stack, attribute set, link and one more int for each row of the chunk
   */
  void endChunk(int[] resolved) {
    await();
    enter(notes);
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

  /**
   * Adds what is live to samples and starts anew. To be called after {@link #endChunk}.
   *
   * @param wanted which stacks are wanted: asked only now, since a free has no stack
   */
  void endProcess(ProfileSums sums, ChunkHeader header, IntPredicate wanted) {
    // Frees of chunks in which nothing was allocated.
    await();
    enter(notes);
    for (int record = 1; record <= table.size(); record++) {
      int owner = table.owner(record);
      if (owner == FREE) {
        continue;
      }
      int at = IDENTITY * (owner >>> 1);
      if (wanted.test(identities[at])) {
        sums.put(
            identities[at],
            identities[at + 1],
            identities[at + 2],
            header.nanos(table.ticks(record)),
            1,
            table.bytes(record));
      }
    }
    clear();
  }

  /** Forgets all addresses. */
  void clear() {
    ForkJoinTask<?> begun = task;
    if (begun != null) {
      task = null;
      begun.quietlyJoin();
    }
    notes.size = 0;
    table.clear();
    identityCount = 0;
  }
}
