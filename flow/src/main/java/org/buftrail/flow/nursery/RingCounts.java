package org.buftrail.flow.nursery;

import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Counters;
import org.jspecify.annotations.Nullable;

/**
 * The fields that the owner of a {@link ThreadRing} needs for every flow, mostly to write, in one
 * piece.
 *
 * <p>Nodes are read by all threads at every hop, and a collector may put any object beside any
 * other. So what one thread writes all the time stands apart: {@value RingOwner#GUARD_BYTES} bytes
 * of nothing before and behind it, here and in all arrays of a ring. Without them two threads that
 * do nothing together were seen to take twice as long each.
 *
 * <p>By hand, since the JDK's annotation {@code Contended} does not pad an array, and those of a
 * ring need it as much.
 */
@SuppressWarnings({"UnusedVariable", "unused"}) // to be in the way
abstract class RingCounts extends RingOwner {
  /** Elements of an array of references that make a guard, if they take 4 bytes. */
  static final int GUARD_REFERENCES = GUARD_BYTES / Integer.BYTES;

  private long before1;
  private long before2;
  private long before3;
  private long before4;
  private long before5;
  private long before6;
  private long before7;
  private long before8;

  RingCounts(@Nullable Thread owner) {
    super(owner);
  }

  /** In between: a class of its own, since the JVM keeps the fields of one together. */
  abstract static class Written extends RingCounts {
    /** Slots that have been taken, one for each life; its low bits are the next slot. */
    long next;

    /** How many slots the ring has, less 1: one load in a row fewer than to ask the array. */
    int mask = RingSlots.RING - 1;

    /**
     * What may still be held: {@link #allowance} less the bytes of what lies in the ring, or fewer.
     */
    int left = ByteBudget.OF_EACH_RING;

    /**
     * What {@link #left} must not fall below: 0, or all there is when the sweeper has taken back
     * what was {@link RingSlots#spare}. Written by both.
     */
    int floor;

    /** Bytes that the ring may hold: {@link ByteBudget#OF_EACH_RING}, and those it was given. */
    int allowance = ByteBudget.OF_EACH_RING;

    /** Allocations left in the block from which one is sampled. */
    int placesLeft;

    /** Has a guard at both ends, like {@link #pasts}. Replaced by the owner alone. */
    TrackedBuffer[] buffers = new TrackedBuffer[RingSlots.RING + 2 * GUARD_REFERENCES];

    /**
     * By slot, of the life that began there last: {@code node where the one before ended, stamp}. 0
     * where that is not known, and in an empty slot, so that it speaks for no other object.
     * Replaced by the owner alone.
     */
    long[] pasts = new long[RingSlots.RING + 2 * GUARD_LONGS];

    public final EndCounts released;

    Written(@Nullable Thread owner, Counters retired) {
      super(owner);
      this.released = new EndCounts(retired);
    }
  }

  /** What keeps the fields of a subclass away. */
  abstract static class Guarded extends Written {
    private long behind1;
    private long behind2;
    private long behind3;
    private long behind4;
    private long behind5;
    private long behind6;
    private long behind7;
    private long behind8;

    Guarded(@Nullable Thread owner, Counters retired) {
      super(owner, retired);
    }
  }
}
