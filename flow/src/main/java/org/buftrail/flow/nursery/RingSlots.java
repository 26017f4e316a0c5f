package org.buftrail.flow.nursery;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.SampleStore;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a {@link ThreadRing}: which buffer is in which slot, how many slots there are,
 * and how many bytes they may hold.
 *
 * <p>A ring grows with what is in flight: when more than an eighth of a round was still alive as
 * the ring came to it again, there are four times as many slots the next time, so that what lives
 * through some thousands of allocations costs no tenured flow either. It shrinks when little is in
 * it. The slots that it has grown by are paid for from the budget that its buffers are held from.
 *
 * <p>Life {@code n} of the thread goes into slot {@code n % slots}. A larger ring has the buffers
 * in the slots that their stamps name, and goes on in its empty part. Only the owner replaces the
 * array. Flows that the sweeper takes out of the former one meanwhile are found again in the new
 * one at the next sweep, and by then have a tenured flow, or are over, or are in another slot.
 *
 * <p>What a thread may hold and does not need it cannot give back while it does nothing. So the
 * sweeper takes it: {@link #spare} has the amount while the owner is elsewhere, and the thread that
 * swaps it for 0 has it, and {@link #floor} makes the owner's next allocation look.
 */
abstract class RingSlots extends RingCounts.Guarded {
  /** Slots of a ring that has not grown. Sizes are powers of two. */
  public static final int RING = 256;

  /** The most slots that a stamp can name. */
  static final int MAX_RING = Stamp.MARK;

  static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(TrackedBuffer[].class);
  private static final VarHandle PASTS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle BUFFERS = field("buffers", TrackedBuffer[].class);
  private static final VarHandle PASTS_OF = field("pasts", long[].class);
  private static final VarHandle NEXT = field("next", long.class);
  private static final VarHandle FLOOR = field("floor", int.class);
  private static final VarHandle SPARE = field("spare", int.class);

  /** A place for a buffer, and one for what is known of its life before. */
  static final int SLOT_BYTES = Long.BYTES + Long.BYTES;

  private static final int GUARD_INTS = GUARD_BYTES / Integer.BYTES;

  /** The least that is asked for of an allowance. */
  private static final int FIRST_ALLOWANCE = 4 << 10;

  /**
   * Lives after which a ring is made anew, or smaller. A small one costs a twentieth of a byte for
   * each.
   */
  private static final int FITTED_EVERY = 1 << 16;

  final Nursery nursery;

  /** What {@link #entered()} was at the last sweep. Sweeper only. */
  long swept;

  private final BirthTicks births = new BirthTicks();

  /** By {@link #place}: when the life there began, in microseconds, of slots that are sampled. */
  private final int[] begun = new int[place(MAX_RING) + GUARD_INTS];

  /** What {@link #next} was when the ring was last made anew for its age. */
  private long fitted;

  /** How many were alive when the ring came to them again, in this round. */
  private int outlived;

  /** What {@link #next} was at the last look at what the ring holds. */
  private long looked;

  /** Of {@link #allowance}, what the sweeper may take back. */
  @SuppressWarnings("UnusedVariable") // by SPARE
  private volatile int spare;

  /** The value that {@link #spare} was set to. */
  private int offered;

  /** Whether the life that begins has met the mark. Owner only. */
  boolean looksNow;

  RingSlots(Nursery nursery, @Nullable Thread owner) {
    super(owner, nursery.retired);
    this.nursery = nursery;
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(RingSlots.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Hands on a tenured flow, for the sweeper to find. Owner only. */
  abstract void hand(TenuredFlow tenured);

  /**
   * More lies in the ring by now, or may, than is allowed. Looks what does, asks for more, and
   * hands on the oldest. Owner only.
   *
   * @param bytes what has been taken off {@link #left}, and is given back if there is no room; no
   *     more than what a buffer has that is not large
   * @return whether there is
   */
  final boolean findRoom(int bytes) {
    left += bytes;
    takeOffered();
    boolean found = bytes <= allowance || ask(bytes);
    if (found) {
      long held = held();
      if (isTight(held + bytes)) {
        ask(held + bytes);
      } else if (next - looked <= mask && !nursery.ringBudget.isScarce()) {
        // What died elsewhere, or in a composite, was not given back. So there would be a look at
        // all slots for each few lives.
        ask(allowance);
      }
      looked = next;
      if (isTight(held + bytes)) {
        held = evictOldest(held, Math.min(allowance >> 1, allowance - bytes));
      }
      left = (int) (allowance - held - bytes);
    }
    offer();
    return found;
  }

  /** Has the allowance for itself again, less what the sweeper has taken back. Owner only. */
  void takeOffered() {
    int taken = offered - (int) SPARE.getAndSet(this, 0);
    offered = 0;
    floor = 0;
    if (taken > 0) {
      allowance -= taken;
      left = 0;
      if (slots() > RING) {
        // Nothing has come for a second, so next to nothing is in it.
        shrink(RING);
      }
    }
  }

  void offer() {
    offered = allowance - ByteBudget.OF_EACH_RING;
    SPARE.setRelease(this, offered);
  }

  /**
   * Takes back what an idle thread may hold and does not. Should it go on at this moment, it may
   * hold one buffer too many. Sweeper only, when the ring is empty.
   *
   * @return how much that was
   */
  int reclaim() {
    int taken = (int) SPARE.getAndSet(this, 0);
    if (taken > 0) {
      FLOOR.setOpaque(this, Integer.MAX_VALUE);
      nursery.ringBudget.give(taken);
    }
    return taken;
  }

  /** Whether there would have to be another look soon. */
  private boolean isTight(long bytes) {
    return bytes > allowance - (allowance >> 2);
  }

  /** Asks for as much again as is needed. Whether the need at least is met. */
  private boolean ask(long needed) {
    long wanted = Math.max(FIRST_ALLOWANCE, Math.min(ByteBudget.PER_RING, 2 * needed));
    int got = wanted <= allowance ? 0 : nursery.ringBudget.take((int) (wanted - allowance));
    allowance += got;
    left += got;
    return needed <= allowance;
  }

  /** The bytes of what lies in the ring. Empties slots of lives that are over. */
  private long held() {
    long held = 0;
    for (int slot = 0; slot < slots(); slot++) {
      TrackedBuffer buffer = inSlot(slot);
      if (buffer == null) {
        continue;
      }
      if (Stamp.slot(FlowState.stampOpaque(buffer)) == slot) {
        held += ByteBudget.of(buffer);
      } else {
        Nursery.recall(buffer, past(slot));
        empty(slot);
      }
    }
    return held;
  }

  /** Hands on the oldest until no more than {@code most} bytes are held; how many are then. */
  private long evictOldest(long bytes, long most) {
    long held = bytes;
    for (int i = 0; i <= mask && held > most; i++) {
      int slot = (int) (next + i) & mask;
      TrackedBuffer buffer = inSlot(slot);
      if (buffer != null) {
        held -= ByteBudget.of(buffer);
        nursery.evictions.displaced(this, buffer, slot);
        empty(slot);
      }
    }
    return Math.max(0, held);
  }

  /**
   * A buffer that may lie in this ring keeps more alive. Owner only.
   *
   * @return whether that is allowed; else it must not be held
   */
  boolean charge(int bytes) {
    if (bytes > ByteBudget.LARGE) {
      return false;
    }
    left -= bytes;
    return left >= floor || findRoom(bytes);
  }

  /** Gives back what is not needed while others have too little. */
  private void share() {
    int more = left >> 1;
    if (more >= FIRST_ALLOWANCE && nursery.ringBudget.isScarce()) {
      takeOffered();
      more = left >> 1;
      left -= more;
      allowance -= more;
      nursery.ringBudget.give(more);
      offer();
    }
  }

  /** Gives all back. Nobody's ring only. */
  public void giveUpAllowance() {
    takeOffered();
    nursery.ringBudget.give(allowance - ByteBudget.OF_EACH_RING);
    allowance = ByteBudget.OF_EACH_RING;
    left = 0;
    if (slots() > RING) {
      shrink(RING);
    }
  }

  /**
   * Handles a slot whose lives are sampled, or that is not empty. May ask the application for a
   * size.
   *
   * @return the slot to take
   */
  final int makeRoom(int slot) {
    int free = slot == 0 ? turn() : slot;
    if ((free & SampleStore.EVERY - 1) == 0) {
      begun[place(free)] = (int) Ticks.micros();
    }
    TrackedBuffer old = buffers[GUARD_REFERENCES + free];
    if (old == LookMark.MARK) {
      looksNow = true;
    } else if (old != null) {
      if (nursery.evictions.displaced(this, old, free)) {
        outlived++;
      }
      // No longer held, or it ended on another thread. It took this much at least.
      left += Math.min(allowance - left, ByteBudget.OBJECT);
    }
    pasts[GUARD_LONGS + free] = 0;
    return free;
  }

  /** The ring has come round. Answers the first slot of the next round. */
  private int turn() {
    births.noteRound();
    if (outlived > slots() >> 3) {
      grow();
    }
    outlived = 0;
    share();
    if (next - fitted >= FITTED_EVERY) {
      fit();
    }
    return (int) (next - 1) & mask;
  }

  /**
   * Makes the ring larger, if it can go on in the part that is new. Else the next time, perhaps.
   */
  private void grow() {
    int size = slots();
    int larger = Math.min(MAX_RING, size << 2);
    if (larger > size
        && (next - 1 & larger - 1) != 0
        && nursery.ringBudget.takeAll((larger - size) * SLOT_BYTES)) {
      try {
        put(larger);
      } catch (Throwable e) {
        nursery.ringBudget.give((larger - size) * SLOT_BYTES);
        throw e;
      }
    }
  }

  /** Makes a ring that has grown smaller. What does not fit is handed on. */
  private void shrink(int size) {
    int former = slots();
    for (int slot = size; slot < former; slot++) {
      TrackedBuffer buffer = buffers[GUARD_REFERENCES + slot];
      if (buffer != null) {
        nursery.evictions.displaced(this, buffer, slot);
        empty(slot);
      }
    }
    put(size);
    nursery.ringBudget.give((former - size) * SLOT_BYTES);
  }

  /**
   * Makes the ring smaller, if little is in it, and else anew: to store a reference into an old
   * object costs a fence in G1's barrier, and an array that lived as long as its thread would be
   * old.
   */
  private void fit() {
    fitted = next;
    int smaller = Math.max(RING, slots() >> 2);
    if (smaller < slots() && inUse() < smaller >> 2) {
      shrink(smaller);
    } else {
      put(slots());
    }
  }

  /** Moves the first slots into arrays of another size. Owner only. */
  public void put(int size) {
    int kept = Math.min(size, mask + 1);
    TrackedBuffer[] newBuffers = new TrackedBuffer[size + 2 * GUARD_REFERENCES];
    long[] newPasts = new long[size + 2 * GUARD_LONGS];
    System.arraycopy(pasts, GUARD_LONGS, newPasts, GUARD_LONGS, kept);
    System.arraycopy(buffers, GUARD_REFERENCES, newBuffers, GUARD_REFERENCES, kept);
    // An error between these must leave no array shorter than the mask says.
    mask = kept - 1;
    PASTS_OF.setRelease(this, newPasts);
    BUFFERS.setRelease(this, newBuffers);
    mask = size - 1;
  }

  private int inUse() {
    int inUse = 0;
    for (int slot = 0; slot < slots(); slot++) {
      TrackedBuffer buffer = buffers[GUARD_REFERENCES + slot];
      inUse += buffer != null && Stamp.slot(FlowState.stampOpaque(buffer)) == slot ? 1 : 0;
    }
    return inUse;
  }

  /** Owner only. */
  private void empty(int slot) {
    buffers[GUARD_REFERENCES + slot] = null;
    pasts[GUARD_LONGS + slot] = 0;
  }

  static long past(Node end, int stamp) {
    return ((long) end.id << 32) | (stamp & 0xFFFF_FFFFL);
  }

  /** Where the life before the one of {@code stamp} ended, or 0 when {@code past} is not of it. */
  static int before(long past, int stamp) {
    boolean known = Stamp.hasEarlier(stamp) && Stamp.isSameLife((int) past, stamp);
    return known ? (int) (past >>> 32) : 0;
  }

  /** Describes the life before the one that began in {@code slot}. Any thread. */
  public long past(int slot) {
    long[] pasts = (long[]) PASTS_OF.getAcquire(this);
    int index = GUARD_LONGS + slot;
    return index < pasts.length ? (long) PASTS.getOpaque(pasts, index) : 0;
  }

  /** How many slots have been taken. A moment old for all but the owner, as is the next. */
  public long entered() {
    return (long) NEXT.getOpaque(this);
  }

  /** Whether what is in {@code slot} came after the last sweep, when so many have entered. */
  public boolean isYoung(int slot, long entered) {
    int mask = mask(buffers());
    if (slot > mask) {
      return false;
    }
    long latest = entered - 1 - (entered - 1 - slot & mask);
    return latest >= swept;
  }

  /** Whether nothing came since the last sweep. Then that one left nothing, nor does this. */
  boolean isIdle(long entered) {
    return entered == swept;
  }

  /** All that is in the ring has been looked at. Sweeper only. */
  void noteSweep(long entered, int tick) {
    swept = entered;
    births.noteSweep(tick);
  }

  /** About when a life began that is in the ring still: see {@link BirthTicks#of}. */
  public int bornTick(boolean young, int latest) {
    return births.of(young, latest);
  }

  /** The tick at which the life under the cursor began. Owner only. */
  int bornTick() {
    return births.ofLastRound();
  }

  private static int place(int slot) {
    return GUARD_INTS + slot / SampleStore.EVERY;
  }

  /** Microseconds since the life in a slot that is sampled began; at most some seconds. */
  long micros(int slot) {
    return (int) Ticks.micros() - begun[place(slot)] & 0xFFFF_FFFFL;
  }

  /** The slots, between guards. Another array has another number of them. */
  public TrackedBuffer[] buffers() {
    return (TrackedBuffer[]) BUFFERS.getAcquire(this);
  }

  /** How many slots there are. */
  public int slots() {
    return mask(buffers()) + 1;
  }

  /** How many slots a ring has, less 1. */
  public static int mask(TrackedBuffer[] buffers) {
    return buffers.length - (2 * GUARD_REFERENCES + 1);
  }

  @Nullable
  public TrackedBuffer inSlot(int slot) {
    return inSlot(buffers(), slot);
  }

  /** Returns what is in a slot of an array that the ring has, or had. */
  @Nullable
  public static TrackedBuffer inSlot(TrackedBuffer[] buffers, int slot) {
    int index = GUARD_REFERENCES + slot;
    TrackedBuffer in =
        index < buffers.length ? (TrackedBuffer) SLOTS.getAcquire(buffers, index) : null;
    return in == LookMark.MARK ? null : in;
  }

  /**
   * The first slot from {@code from} on and below {@code to} in which something is, or -1. Most are
   * empty as a rule. What another thread puts there at this moment may be missed.
   */
  public int taken(int from, int to) {
    TrackedBuffer[] buffers = buffers();
    int end = Math.min(GUARD_REFERENCES + to, buffers.length - GUARD_REFERENCES);
    for (int index = GUARD_REFERENCES + from; index < end; index++) {
      if (buffers[index] != null) {
        return index - GUARD_REFERENCES;
      }
    }
    return -1;
  }

  /** Empties a slot, unless something else is in it by now. */
  public boolean clearSlot(int slot, TrackedBuffer seen) {
    TrackedBuffer[] buffers = buffers();
    int index = GUARD_REFERENCES + slot;
    if (index >= buffers.length) {
      return false;
    }
    long past = past(slot);
    if (!SLOTS.compareAndSet(buffers, index, seen, (TrackedBuffer) null)) {
      return false;
    }
    long[] pasts = (long[]) PASTS_OF.getAcquire(this);
    // The ring may have become smaller meanwhile.
    if (past != 0 && GUARD_LONGS + slot < pasts.length) {
      // Unless the owner has written what it knows of the next life there.
      PASTS.compareAndSet(pasts, GUARD_LONGS + slot, past, 0L);
    }
    return true;
  }
}
