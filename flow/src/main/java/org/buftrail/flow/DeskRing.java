package org.buftrail.flow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The ring of a {@link Desk}: who is in which slot, how much of it is in use, and how many bytes it
 * may hold.
 */
abstract class DeskRing extends DeskCounts.Guarded {
  static final int RING = 256;

  static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Trail[].class);
  private static final VarHandle PASTS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle RING_OF = field("ring", Trail[].class);
  private static final VarHandle NEXT = field("next", long.class);
  private static final VarHandle MASK = field("mask", int.class);

  /** The least that is asked for of an allowance. */
  private static final int FIRST_ALLOWANCE = 4 << 10;

  /** Lives after which the ring is made anew: a fiftieth of a byte for each. */
  private static final int RENEWED_EVERY = 1 << 16;

  /** What {@link #entered()} was at the last sweep. Sweeper only. */
  long swept;

  private final BirthTicks births = new BirthTicks();

  /** What {@link #next} was when {@link #ring} was made. */
  private long renewed;

  /** Since {@link #mask} changed; the first fills what was empty, and so tells nothing. */
  private int rounds = -1;

  DeskRing(@Nullable Thread owner) {
    super(owner);
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(DeskRing.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Hands on an elder, for the sweeper to find. Owner only. */
  abstract void hand(Elder elder);

  /**
   * More lies in the ring by now, or may, than is allowed. Looks what does, asks for more, and
   * hands on the oldest. Owner only.
   *
   * @param bytes what has been taken off {@link #left}, and is given back if there is no room
   * @return whether there is
   */
  final boolean findRoom(int bytes) {
    left += bytes;
    if (bytes > HeldBytes.LARGE) {
      return false;
    }
    if (bytes > allowance && !ask(bytes)) {
      return false;
    }
    long held = held();
    if (isTight(held + bytes)) {
      ask(held + bytes);
    }
    if (isTight(held + bytes)) {
      held = handOn(held, Math.min(allowance >> 1, allowance - bytes));
    }
    left = (int) (allowance - held - bytes);
    return true;
  }

  /** Whether there would have to be another look soon. */
  private boolean isTight(long bytes) {
    return bytes > allowance - (allowance >> 2);
  }

  /** Asks for as much again as is needed. Whether the need at least is met. */
  private boolean ask(long needed) {
    long wanted = Math.max(FIRST_ALLOWANCE, Math.min(HeldBytes.PER_DESK, 2 * needed));
    int got = wanted <= allowance ? 0 : HeldBytes.RINGS.take((int) (wanted - allowance));
    allowance += got;
    left += got;
    return needed <= allowance;
  }

  /** The bytes of what lies in the ring. Empties slots of lives that are over. */
  private long held() {
    long held = 0;
    for (int slot = 0; slot <= mask; slot++) {
      Trail trail = ring[GUARD_REFERENCES + slot];
      if (trail == null) {
        continue;
      }
      if (Trail.slot(trail.ticketOpaque()) == slot) {
        held += HeldBytes.of(trail);
      } else {
        Nursery.recall(trail, past(slot));
        ring[GUARD_REFERENCES + slot] = null;
      }
    }
    return held;
  }

  /** Hands on the oldest until no more than {@code most} bytes are held; how many are then. */
  private long handOn(long bytes, long most) {
    long held = bytes;
    for (int i = 0; i <= mask && held > most; i++) {
      int slot = (int) (next + i) & mask;
      Trail trail = ring[GUARD_REFERENCES + slot];
      if (trail != null) {
        held -= HeldBytes.of(trail);
        Nursery.INSTANCE.evictions.displaced(this, trail, slot);
        ring[GUARD_REFERENCES + slot] = null;
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
    left -= bytes;
    return left >= 0 || findRoom(bytes);
  }

  /** Gives back what is not needed while others have too little. */
  private void share() {
    int spare = left >> 1;
    if (spare >= FIRST_ALLOWANCE && HeldBytes.RINGS.isScarce()) {
      left -= spare;
      allowance -= spare;
      HeldBytes.RINGS.give(spare);
    }
  }

  /** Gives all back. Nobody's desk only. */
  void giveUpAllowance() {
    HeldBytes.RINGS.give(allowance - HeldBytes.OF_EACH_RING);
    allowance = HeldBytes.OF_EACH_RING;
    left = 0;
  }

  /** Of a slot that is the first, or not empty. May ask the application for a size. */
  final void makeRoom(int slot) {
    if (slot == 0) {
      turn();
    }
    Trail old = ring[GUARD_REFERENCES + slot];
    if (old != null) {
      Nursery.INSTANCE.evictions.displaced(this, old, slot);
    }
  }

  /** The ring has come round. */
  private void turn() {
    births.noteRound();
    if (++rounds >= 2 && mask < RING - 1) {
      mask = mask << 1 | 1;
      rounds = 0;
    }
    share();
    if (next - renewed >= RENEWED_EVERY) {
      renew();
    }
  }

  /**
   * Puts the ring into a new array. To store a reference into an old object costs a fence in G1's
   * barrier, and an array that lived as long as its thread would be old. What the sweeper takes out
   * of the former array meanwhile is found again in the new one at the next sweep, and then it has
   * an elder, or is over, or is in another slot. Owner only.
   */
  void renew() {
    renewed = next;
    RING_OF.setRelease(this, ring.clone());
  }

  static long past(Node end, int ticket) {
    return ((long) end.id << 32) | (ticket & 0xFFFF_FFFFL);
  }

  /** Where the life before the one of {@code ticket} ended, or 0 when {@code past} is not of it. */
  static int before(long past, int ticket) {
    boolean known = Trail.hasEarlier(ticket) && Trail.isSameLife((int) past, ticket);
    return known ? (int) (past >>> 32) : 0;
  }

  /** What is known of the life before the one that began in {@code slot}. Any thread. */
  long past(int slot) {
    return (long) PASTS.getOpaque(pasts, GUARD_LONGS + slot);
  }

  /** How many slots have been taken. A moment old for all but the owner, as is the next. */
  long entered() {
    return (long) NEXT.getOpaque(this);
  }

  /** Whether what is in {@code slot} came after the last sweep, when so many have entered. */
  boolean isYoung(int slot, long entered) {
    int mask = this.mask;
    if (slot > mask) {
      return false;
    }
    long latest = entered - 1 - (entered - 1 - slot & mask);
    return latest >= swept;
  }

  /** All that is in the ring has been looked at. Sweeper only. */
  void noteSweep(long entered, int tick) {
    swept = entered;
    births.noteSweep(tick);
  }

  /** About when a life began that is in the ring still: see {@link BirthTicks#of}. */
  int bornTick(boolean young, int latest) {
    return births.of(young, latest);
  }

  /** The same of what the ring has come round to. Owner only. */
  int bornTick() {
    return births.ofLastRound();
  }

  /**
   * How much of the ring is in use, less 1. It only grows, so two equal answers mean that it was so
   * in between.
   */
  int ringMask() {
    return (int) MASK.getOpaque(this);
  }

  @Nullable Trail inSlot(int slot) {
    return (Trail) SLOTS.getAcquire((Trail[]) RING_OF.getAcquire(this), GUARD_REFERENCES + slot);
  }

  /** Empties a slot, unless something else is in it by now. */
  boolean clearSlot(int slot, Trail seen) {
    return SLOTS.compareAndSet(
        (Trail[]) RING_OF.getAcquire(this), GUARD_REFERENCES + slot, seen, (Trail) null);
  }
}
