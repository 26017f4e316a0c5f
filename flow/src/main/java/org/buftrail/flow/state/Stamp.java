package org.buftrail.flow.state;

/**
 * The bits of a buffer's stamp: the life number, whether the life is weightless, kept, pooled, or
 * not the first, and the slot of the ring that the buffer went into or {@link #TENURED_SLOT},
 * {@link #TENURED_AGAIN_SLOT}, {@link #ENDED_SLOT} or {@link #PASSED_SLOT}.
 */
public final class Stamp {
  private static final int SLOT_BITS = 14;
  public static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

  /** Set in the stamp of a life whose bytes are counted with another flow. */
  public static final int WEIGHTLESS = 1 << SLOT_BITS;

  /** Set in the stamp of a life that was wrapped as unreleasable. */
  public static final int KEPT = 1 << (SLOT_BITS + 1);

  /** Set in the stamp of a life whose buffer had another before, with an end that is known. */
  public static final int EARLIER = 1 << (SLOT_BITS + 2);

  /** Set in the stamp of a life whose memory the buffer does not keep: see {@code ByteBudget}. */
  public static final int POOLED = 1 << (SLOT_BITS + 3);

  private static final int LIFE_BITS_FROM = SLOT_BITS + 4;

  /** Set where something other than a slot is. Slots are below it. */
  public static final int MARK = 1 << (SLOT_BITS - 1);

  /** Stands for a slot: a tenured flow has been or is being made for this life. */
  public static final int TENURED_SLOT = SLOT_MASK;

  /** Tenured, and a second promotion began while the state was a node. */
  static final int TENURED_AGAIN_SLOT = SLOT_MASK - 1;

  /** Stands for a slot: the life is over, whatever the state says. */
  public static final int ENDED_SLOT = SLOT_MASK - 2;

  /** Ended, and the life before is known to have ended at the same node. */
  public static final int ENDED_ALIKE_SLOT = SLOT_MASK - 3;

  /** Stands for a slot: sampling passed over this life, which has no state. */
  public static final int PASSED_SLOT = SLOT_MASK - 4;

  private Stamp() {}

  public static int slot(int stamp) {
    return stamp & SLOT_MASK;
  }

  public static boolean isTenured(int stamp) {
    return slot(stamp) >= TENURED_AGAIN_SLOT;
  }

  /** Whether more than one promotion of this life has begun. */
  public static boolean isTenuredAgain(int stamp) {
    return slot(stamp) == TENURED_AGAIN_SLOT;
  }

  /** The stamp of the same life once a promotion of it has begun, or another one. */
  public static int promoted(int stamp) {
    return isTenured(stamp) ? (stamp & ~SLOT_MASK) | TENURED_AGAIN_SLOT : stamp | TENURED_SLOT;
  }

  public static boolean isEnded(int stamp) {
    return isMarked(stamp) && !isTenured(stamp);
  }

  /** Whether the last life is over and no other under way, not even one that was passed over. */
  public static boolean isOver(int stamp) {
    return (stamp & SLOT_MASK - 1) == ENDED_ALIKE_SLOT;
  }

  /** Whether the life is over, and the one before is known to have ended at the same node. */
  public static boolean isEndedAlike(int stamp) {
    return (stamp & SLOT_MASK) == ENDED_ALIKE_SLOT;
  }

  /** Whether something other than a slot is there: {@link #isTenured} or {@link #isEnded}. */
  public static boolean isMarked(int stamp) {
    return (stamp & MARK) != 0;
  }

  /** Whether sampling passed over the life, which is under way. */
  public static boolean isPassed(int stamp) {
    return (stamp & SLOT_MASK) == PASSED_SLOT;
  }

  /** The stamp of a life that sampling passes over. */
  public static int passed(int stamp) {
    return (stamp & ~SLOT_MASK) | PASSED_SLOT;
  }

  /** The stamp of the same life once it is over. */
  public static int ended(int stamp) {
    return (stamp & ~SLOT_MASK) | ENDED_SLOT;
  }

  /** Whether two stamps are of one life. */
  public static boolean isSameLife(int stamp, int other) {
    return (stamp ^ other) >>> LIFE_BITS_FROM == 0;
  }

  /** The stamp of the life after the one of {@code stamp}. */
  public static int nextLife(int stamp, int slot) {
    return (((stamp >>> LIFE_BITS_FROM) + 1) << LIFE_BITS_FROM) | slot;
  }

  public static boolean isKept(int stamp) {
    return (stamp & KEPT) != 0;
  }

  public static boolean hasEarlier(int stamp) {
    return (stamp & EARLIER) != 0;
  }

  public static boolean isPooled(int stamp) {
    return (stamp & POOLED) != 0;
  }

  static boolean isWeightless(int stamp) {
    return (stamp & WEIGHTLESS) != 0;
  }
}
