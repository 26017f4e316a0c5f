package org.buftrail.flow.nursery;

import org.buftrail.flow.tree.Counters;
import org.buftrail.flow.tree.CountsByNode;
import org.buftrail.flow.tree.Node;

/**
 * Flows and bytes by end, as one thread counts them, in a table of bounded size.
 *
 * <p>The slot of an end is its number ({@link Node#endId}) modulo the size. Ends are numbered as
 * they are made, so no two meet while there are fewer ends than slots. A release whose slot another
 * end has is noted. Sixty-four notes make the table grow, or, at its largest, take the slots over:
 * what was counted there goes to the counters that all threads share. So there is one monitor to
 * take for 64 releases at the worst, and never any garbage.
 *
 * <pre>
 *   slot   end (32 bits), flows (32 bits, at most 2^31); bytes (64 bits)
 *   note   end (32 bits), bytes (32 bits); 0 when empty
 * </pre>
 *
 * <p>The owner counts and notes without a fence, and takes slots that are empty. Everything that
 * moves a count, from a note to a slot or from a slot to the shared counters, does so under the
 * monitor of these. Its holder finds each flow once, but for those of the last moment. The owner
 * may be a thread at a time, when they exclude each other.
 */
public final class EndCounts {
  private static final int FIRST_SIZE = 32;

  /** The most slots: with 16 bytes each, 128 KiB. */
  static final int MAX_SIZE = 1 << 13;

  static final int NOTES = 64;

  /**
   * Where the slots and notes begin; as much is left free behind them. See {@link
   * RingOwner#GUARD_LONGS}.
   */
  private static final int FIRST = RingOwner.GUARD_LONGS;

  private static final int NOTED = FIRST + NOTES;

  private static final long LOW = 0xFFFF_FFFFL;

  /** Guarded by its own monitor; readers of both hold it too. */
  private final Counters shared;

  /** Replaced by the owner, under the monitor. */
  private long[] slots = new long[2 * FIRST_SIZE + 2 * FIRST];

  private final int maxSize;

  /** The last says how many there are. */
  private final long[] notes = new long[NOTES + 1 + 2 * FIRST];

  /**
   * @param shared where to put what is too much to keep
   */
  EndCounts(Counters shared) {
    this(shared, MAX_SIZE);
  }

  /**
   * @param maxSize how many slots there may be, a power of two
   */
  EndCounts(Counters shared, int maxSize) {
    this.shared = shared;
    this.maxSize = maxSize;
  }

  /** Counts a flow. Owner only. Counts it or, when it throws, does not. */
  void add(int end, int bytes) {
    long[] all = slots;
    int i = index(all, end);
    long word = all[i];
    if (isOf(word, end)) {
      all[i] = word + 1;
      all[i + 1] += bytes;
    } else {
      addElsewhere(all, i, end, bytes);
    }
  }

  private static int index(long[] all, int end) {
    return FIRST + ((2 * end) & (all.length - 2 * FIRST - 1));
  }

  /** Whether a slot is of {@code end}, and has room for one flow more. */
  private static boolean isOf(long word, int end) {
    return (word ^ ((long) end << 32)) >>> 31 == 0;
  }

  private void addElsewhere(long[] all, int i, int end, int bytes) {
    if (all[i] == 0) {
      all[i + 1] = bytes;
      all[i] = ((long) end << 32) | 1;
      return;
    }
    if (notes[NOTED] == NOTES) {
      settle();
    }
    int n = FIRST + (int) notes[NOTED];
    notes[n] = ((long) end << 32) | (bytes & LOW);
    notes[NOTED]++;
  }

  /** Finds slots for all that is noted. When it throws, what is done is done in whole. */
  private void settle() {
    synchronized (shared) {
      if (notes[NOTED] == NOTES && slots.length < 2 * maxSize) {
        grow();
      }
      long[] all = slots;
      for (int n = FIRST + (int) notes[NOTED] - 1; n >= FIRST; n--) {
        int end = (int) (notes[n] >>> 32);
        int i = index(all, end);
        if (!isOf(all[i], end)) {
          vacate(all, i);
          all[i] = (long) end << 32;
        }
        all[i]++;
        all[i + 1] += (int) notes[n];
        notes[n] = 0;
        notes[NOTED]--;
      }
    }
  }

  private void vacate(long[] all, int i) {
    if (all[i] != 0) {
      shared.add((int) (all[i] >>> 32), all[i] & LOW, all[i + 1]);
      all[i] = 0;
      all[i + 1] = 0;
    }
  }

  private void grow() {
    long[] old = slots;
    long[] all = new long[2 * (old.length - 2 * FIRST) + 2 * FIRST];
    for (int i = FIRST; i < old.length - FIRST; i += 2) {
      int to = index(all, (int) (old[i] >>> 32));
      if (old[i] != 0) {
        all[to] = old[i];
        all[to + 1] = old[i + 1];
      }
    }
    slots = all;
  }

  /** Moves all to the shared counters, whose monitor the caller holds. The owner has stopped. */
  void retire() {
    settle();
    for (int i = FIRST; i < slots.length - FIRST; i += 2) {
      vacate(slots, i);
    }
  }

  /** Calls with what was counted at each end. The caller holds the monitor of the shared. */
  public void forEach(CountsByNode sum) {
    long[] all = slots;
    for (int i = FIRST; i < all.length - FIRST; i += 2) {
      long word = all[i];
      if (word != 0) {
        sum.add((int) (word >>> 32), word & LOW, all[i + 1]);
      }
    }
    for (int i = FIRST; i < FIRST + NOTES; i++) {
      long note = notes[i];
      if (note != 0) {
        int bytes = (int) note;
        sum.add((int) (note >>> 32), 1, bytes);
      }
    }
  }
}
