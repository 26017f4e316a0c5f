package org.buftrail.flow.nursery;

import java.util.concurrent.atomic.AtomicLong;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.SideState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TrackedBuffer;

/**
 * How many bytes of buffers the tracker may keep from the collector, over all threads.
 *
 * <p>A buffer in a ring is held strongly, also when the application has dropped it. So each ring
 * has an allowance, taken from one budget for all: whatever the number of threads, the sum never
 * exceeds it, but for the little that each ring may hold anyway. What finds no room is followed by
 * a weak reference from birth. Thread-safe.
 *
 * <p>Counted are {@link #OBJECT} for each buffer, and its capacity, of heap buffers and direct ones
 * alike. For a buffer that wraps an array it is the whole array, also where the application asked
 * for a part of it. Not seen is what lies beyond: a direct {@code ByteBuffer} that is a slice of a
 * larger one counts for its own bytes. The capacity of a pooled buffer does not count: its memory
 * stays with the arena when the application drops it, whether we hold the buffer or not.
 *
 * <p>The slots that a ring has grown by are paid for from the same budget.
 */
public final class ByteBudget {
  private static final long MAX = 8 << 20;
  private static final long LEAST = 64 << 10;

  /** The rings may hold one in so many bytes of the largest possible heap. */
  private static final int HEAP_SHARE = 64;

  private static final long TOTAL = total(Runtime.getRuntime().maxMemory());

  /** Bytes that the sweeper may hold until its next look. */
  static final long PENDING = TOTAL / 4;

  /**
   * What one ring may hold: more than a full ring of pooled buffers takes, or 4,096 of 256 bytes.
   * In a small heap a quarter, so that one ring alone does not make the rest scarce.
   */
  static final int PER_RING = (int) (TOTAL < MAX ? TOTAL / 4 : 3 << 20);

  /** A buffer of more bytes goes into no ring. */
  public static final int LARGE = Math.min(64 << 10, PER_RING / 16);

  /** A buffer without its memory: some 48 to 96 bytes, its count, its handle of a pool. */
  static final int OBJECT = 144;

  /** Fewer than these need no care where they are held for a second, and rarely. */
  static final int SMALL = LARGE / 16;

  /**
   * What each ring may hold beside its allowance, so that short-lived small buffers need no tenured
   * flow however many threads there are: with as many rings as there can be, 1 MiB.
   */
  static final int OF_EACH_RING = 1 << 10;

  private final AtomicLong free;
  private final long scarce;

  ByteBudget(long bytes) {
    free = new AtomicLong(bytes);
    scarce = bytes / 4;
  }

  /** For all rings of a tracker together, of which there are so many at most. */
  static ByteBudget forRings(int rings) {
    long ofEach = (long) rings * OF_EACH_RING;
    return new ByteBudget(Math.max(TOTAL / 2, TOTAL - PENDING - ofEach));
  }

  static long total(long maxHeap) {
    return Math.max(LEAST, Math.min(MAX, maxHeap / HEAP_SHARE));
  }

  /** Takes up to so many bytes; how many it got. */
  int take(int wanted) {
    while (true) {
      long now = free.get();
      long taken = Math.min(now, wanted);
      if (taken <= 0) {
        return 0;
      }
      if (free.compareAndSet(now, now - taken)) {
        return (int) taken;
      }
    }
  }

  /** Takes so many bytes or none; whether it got them. Leaves what others need more. */
  boolean takeAll(int wanted) {
    int taken = isScarce() ? 0 : take(wanted);
    if (taken < wanted) {
      give(taken);
    }
    return taken == wanted;
  }

  void give(int bytes) {
    free.addAndGet(bytes);
  }

  /** Whether so little is left that threads with more than they need should give some back. */
  boolean isScarce() {
    return free.get() < scarce;
  }

  long free() {
    return free.get();
  }

  /** What {@code buffer} keeps alive, as far as it is known. Runs no code but Netty's. */
  public static int of(TrackedBuffer buffer) {
    if (buffer instanceof SideState) {
      // The buffer behind it is not held.
      return OBJECT;
    }
    try {
      return of(buffer.capacity(), Stamp.isPooled(FlowState.stampOpaque(buffer)));
    } catch (RuntimeException e) {
      // A composite that its owner is changing.
      return OBJECT;
    }
  }

  /** The charge of a buffer with so many bytes of memory. */
  static int of(int capacity, boolean isPooled) {
    // Above, the object is nothing beside it, and the sum might be no int.
    return capacity > LARGE ? capacity : isPooled ? OBJECT : OBJECT + capacity;
  }
}
