package org.buftrail.jfr;

import java.util.Arrays;
import java.util.function.IntPredicate;

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
 * <p>Addresses are all over the tables, which outgrow the processor's caches: events are looked up
 * many at a time, so that they wait for memory together.
 */
final class Pairing {
  private static final int FREE = -1;
  private static final int SMALLEST = 64;
  private static final int IDENTITY = 3;
  private static final int BATCH = 256;

  private final LongIntMap indices = new LongIntMap(SMALLEST);
  private long[] addresses = new long[SMALLEST];
  private long[] ticks = new long[SMALLEST];
  private long[] sizes = new long[SMALLEST];
  // Free, or a row of this chunk with an odd number, or an identity of an earlier with an even one.
  private int[] owners = new int[SMALLEST];
  private int[] identities = new int[IDENTITY * SMALLEST];
  private int identityCount;

  // Events that are not in the tables yet.
  private final long[] newAddresses = new long[BATCH];
  private final long[] newTicks = new long[BATCH];
  private final long[] newSizes = new long[BATCH];
  private final int[] newOwners = new int[BATCH];
  private final int[] newIndices = new int[BATCH];
  private final long[] touched = new long[BATCH];
  private int noted;

  /** Notes an allocation by a row of the chunk. */
  void allocated(long address, long at, long size, int row) {
    note(address, at, size, row << 1 | 1);
  }

  /** Notes a free. */
  void freed(long address, long at) {
    note(address, at, 0, FREE);
  }

  private void note(long address, long at, long size, int owner) {
    if (noted == BATCH) {
      flush();
    }
    newAddresses[noted] = address;
    newTicks[noted] = at;
    newSizes[noted] = size;
    newOwners[noted] = owner;
    noted++;
  }

  /** Puts what was noted into the tables. */
  private void flush() {
    indices.touch(newAddresses, noted, touched);
    for (int i = 0; i < noted; i++) {
      newIndices[i] = indexOf(newAddresses[i]);
    }
    for (int i = 0; i < noted; i++) {
      int index = newIndices[i];
      if (ticks[index] <= newTicks[i]) {
        ticks[index] = newTicks[i];
        sizes[index] = newSizes[i];
        owners[index] = newOwners[i];
      }
    }
    noted = 0;
  }

  private int indexOf(long address) {
    int before = indices.size();
    int index = indices.intern(address);
    if (index == before) {
      if (index == addresses.length) {
        addresses = Arrays.copyOf(addresses, index * 2);
        ticks = Arrays.copyOf(ticks, index * 2);
        sizes = Arrays.copyOf(sizes, index * 2);
        owners = Arrays.copyOf(owners, index * 2);
      }
      addresses[index] = address;
      ticks[index] = Long.MIN_VALUE;
    }
    return index;
  }

  /**
   * Forgets what is free and remembers to whom the rest belongs.
   *
   * @param resolved stack, attribute set, link and one more int for each row of the chunk
   */
  void endChunk(int[] resolved) {
    flush();
    int count = indices.size();
    int kept = 0;
    int[] oldIdentities = identities;
    identities = new int[IDENTITY * SMALLEST];
    identityCount = 0;
    indices.clear();
    for (int i = 0; i < count; i++) {
      int owner = owners[i];
      if (owner == FREE) {
        continue;
      }
      boolean row = (owner & 1) != 0;
      int from = row ? 4 * (owner >>> 1) : IDENTITY * (owner >>> 1);
      addresses[kept] = addresses[i];
      ticks[kept] = ticks[i];
      sizes[kept] = sizes[i];
      owners[kept] = remember(row ? resolved : oldIdentities, from) << 1;
      indices.put(addresses[kept], kept);
      kept++;
    }
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
    for (int i = 0; i < indices.size(); i++) {
      if (owners[i] == FREE) {
        continue;
      }
      int at = IDENTITY * (owners[i] >>> 1);
      if (wanted.test(identities[at])) {
        sums.put(
            identities[at],
            identities[at + 1],
            identities[at + 2],
            header.nanos(ticks[i]),
            1,
            sizes[i]);
      }
    }
    clear();
  }

  /** Forgets all addresses. */
  void clear() {
    noted = 0;
    indices.clear();
    identityCount = 0;
  }
}
