package org.buftrail.flow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one thread writes without asking anybody: its ring of new buffers and its counts.
 *
 * <p>A desk without an owner is shared by virtual threads and by those that came after the last
 * free desk; its writers take its monitor. About 4 KiB, and 1 KiB for each 64 nodes where flows
 * ended.
 */
final class Desk extends DeskCounts.Guarded {
  static final int RING = 256;

  private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Trail[].class);
  private static final VarHandle PASTS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle RING_OF = field("ring", Trail[].class);
  private static final VarHandle NEXT = field("next", long.class);
  private static final VarHandle MASK = field("mask", int.class);
  private static final VarHandle HANDED = field("handed", Elder.class);
  private static final VarHandle ENDED = field("ended", Elder.class);

  /** Elders handed on since the last look that are reason for another: some 4 MiB. */
  private static final int MANY_HANDED = 1 << 15;

  /** The least that is asked for of an allowance. */
  private static final int FIRST_ALLOWANCE = 4 << 10;

  /** Lives after which the ring is made anew: a fiftieth of a byte for each. */
  private static final int RENEWED_EVERY = 1 << 16;

  /** What {@link #entered()} was at the last sweep. Sweeper only. */
  long swept;

  private final BirthTicks births = new BirthTicks();

  /** What {@link #next} was when {@link #ring} was made. */
  private long renewed;

  /**
   * Lives that took no slot, less slots that were taken for nothing, since the one before could not
   * be dealt with.
   */
  private long withoutSlot;

  /** Since {@link #mask} changed; the first fills what was empty, and so tells nothing. */
  private int rounds = -1;

  /** Since {@link #taken}. */
  private int handedCount;

  /** Set when what was handed on has been taken. */
  private volatile boolean taken;

  /** Which allocation of the block is chosen. */
  private int chosenPlace;

  private int random = System.identityHashCode(this) | 1;

  /** Elders made here since the last sweep. */
  @SuppressWarnings("UnusedVariable") // by HANDED
  private volatile @Nullable Elder handed;

  /** Elders of the table that ended here since the last sweep. */
  @SuppressWarnings("UnusedVariable") // by ENDED
  private volatile @Nullable Elder ended;

  Desk(@Nullable Thread owner) {
    super(owner);
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(Desk.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  boolean isShared() {
    return owner == null;
  }

  /** Whether its thread has ended, so that nobody writes here any more. */
  boolean isAbandoned() {
    return owner != null && !owner.isAlive();
  }

  /**
   * Whether sampling passes over the next allocation. Owner only.
   *
   * <p>Of each {@code sampling} in a row one is chosen, at a place that is drawn anew each time, so
   * that neither a rhythm of the application nor a short life of its threads favours any.
   */
  boolean skips(int sampling) {
    if (placesLeft <= 0) {
      random ^= random << 13;
      random ^= random >>> 17;
      random ^= random << 5;
      placesLeft = sampling;
      chosenPlace = 1 + (int) (((random & 0xFFFF_FFFFL) * sampling) >>> 32);
    }
    return placesLeft-- != chosenPlace;
  }

  /** The same on a desk that may be shared. Any thread. */
  boolean skipsGuarded(int sampling) {
    if (isShared()) {
      synchronized (this) {
        return skips(sampling);
      }
    }
    return skips(sampling);
  }

  /**
   * Begins a life of {@code trail} at {@code node}. Owner only.
   *
   * @param weight 0, or {@link Trail#WEIGHTLESS}
   */
  void enter(Trail trail, Node node, int weight) {
    // A composite is charged for what it takes in, a derived buffer keeps what is its parent's.
    int bytes = weight != 0 || trail instanceof Foster ? 0 : trail.capacity();
    int rest = left - bytes;
    left = rest;
    if (rest < 0 && !findRoom(bytes)) {
      enterWithoutSlot(trail, node, weight, bytes);
      return;
    }
    int slot = (int) next++ & mask;
    try {
      if (slot == 0 || ring[GUARD_REFERENCES + slot] != null) {
        makeRoom(slot);
      }
      Trail[] ring = this.ring;
      Node before = ending(trail);
      int ticket = Trail.nextLife(trail.ticket, place, slot) | weight;
      if (before != null) {
        ticket |= Trail.EARLIER;
        pasts[GUARD_LONGS + slot] = past(before, ticket);
      } else if (pasts[GUARD_LONGS + slot] != 0) {
        pasts[GUARD_LONGS + slot] = 0;
      }
      // Until its ticket says so, nobody takes the life of a recycled object for one under way.
      trail.setStateOpaque(node);
      trail.setTicketRelease(ticket);
      SLOTS.setRelease(ring, GUARD_REFERENCES + slot, trail);
    } catch (Throwable e) {
      // Any call may be out of stack, so none here: it has begun in whole, or not at all.
      trail.ticket = (trail.ticket & ~Trail.SLOT_MASK) | Trail.ENDED_SLOT;
      withoutSlot--;
      throw e;
    }
  }

  private static @Nullable Node ending(Trail trail) {
    Object former = trail.state;
    return former instanceof Node ? ((Node) former).ending() : null;
  }

  /**
   * Begins a life that is never held: it has an elder from birth. No thread can store over that,
   * since nobody has the buffer yet, but for a hop of the object's life before, which finds the
   * mark.
   */
  private void enterWithoutSlot(Trail trail, Node node, int weight, int bytes) {
    Elder elder = Nursery.INSTANCE.elder(trail, node, Ticks.now());
    Node before = ending(trail);
    elder.before = before == null ? 0 : before.id;
    elder.bytes = weight != 0 ? 0 : bytes;
    elder.strong = null;
    withoutSlot++;
    try {
      int ticket = Trail.nextLife(trail.ticket, place, Trail.ELDER_SLOT) | weight;
      trail.setStateOpaque(elder);
      trail.setTicketRelease(ticket);
      hand(elder);
    } catch (Throwable e) {
      // As above.
      trail.ticket = (trail.ticket & ~Trail.SLOT_MASK) | Trail.ENDED_SLOT;
      withoutSlot--;
      throw e;
    }
  }

  /**
   * More lies in the ring by now, or may, than is allowed. Looks what does, asks for more, and
   * hands on the oldest. Owner only.
   *
   * @param bytes what has been taken off {@link #left}, and is given back if there is no room
   * @return whether there is
   */
  private boolean findRoom(int bytes) {
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

  /** The same on a desk that may be shared. Any thread. */
  void enterGuarded(Trail trail, Node node, int weight) {
    if (isShared()) {
      synchronized (this) {
        enter(trail, node, weight);
      }
    } else {
      enter(trail, node, weight);
    }
  }

  /** Of a slot that is the first, or not empty. May ask the application for a size. */
  private void makeRoom(int slot) {
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

  /**
   * Ends the life of {@code trail}. Owner of the desk only.
   *
   * <p>The ticket alone says so, as a rule: to store a reference costs G1's barrier, which in an
   * old object is a fence, and where a life that is over has ended follows from the node it was at.
   *
   * @param seen its ticket of a moment ago
   * @param end the end of the node, or the elder, that is its state
   * @return the ticket that the life had
   */
  int leave(Trail trail, int seen, Node end) {
    // First what may fail, or begin other lives: this one is counted and over, or neither.
    int bytes = trail.bytes(seen);
    Trail[] ring = this.ring;
    int index = GUARD_REFERENCES + Trail.slot(seen);
    boolean here = !Trail.isMarked(seen) && ring[index] == trail;
    int before = here && Trail.hasEarlier(seen) ? before(past(Trail.slot(seen)), seen) : 0;
    boolean alike = before == end.id;
    Node other = alike || !Trail.hasEarlier(seen) ? null : end.after(before);
    released.add(end.id, bytes);
    // No call, which may be out of stack, between the count and the mark that says so.
    int ticket = trail.ticket;
    trail.ticket =
        (ticket & ~Trail.SLOT_MASK) | (alike ? Trail.ENDED_ALIKE_SLOT : Trail.ENDED_SLOT);
    if (other != null) {
      // Also where the life before is not known here: for recall() to find.
      trail.state = other;
    }
    if (here) {
      VarHandle.releaseFence();
      ring[index] = null;
      left = trail instanceof Foster ? left : (int) Math.min(allowance, (long) left + bytes);
    }
    return ticket;
  }

  /** The same on a desk that may be shared. Any thread. */
  int leaveGuarded(Trail trail, int seen, Node end) {
    if (isShared()) {
      synchronized (this) {
        return leave(trail, seen, end);
      }
    }
    return leave(trail, seen, end);
  }

  private static long past(Node end, int ticket) {
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

  /** How many lives have begun here. */
  long allocated() {
    return entered() + withoutSlot;
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

  /** Owner only. */
  void hand(Elder elder) {
    if (taken) {
      taken = false;
      handedCount = 0;
    }
    if (++handedCount == MANY_HANDED) {
      FlowTracker.wakeSweeper();
    }
    push(HANDED, elder);
  }

  void noteEnded(Elder elder) {
    push(ENDED, elder);
  }

  /** The first of what was handed on since the last look. Stays where it is. Sweeper only. */
  @Nullable Elder lastHanded() {
    return (Elder) HANDED.getAcquire(this);
  }

  private @Nullable Elder takeHanded() {
    taken = true;
    return (Elder) HANDED.getAndSet(this, (Elder) null);
  }

  /** Gives away all that was handed on. An error costs the one at hand; the others stay. */
  void drainHanded(Consumer<Elder> taker) {
    Elder next = takeHanded();
    try {
      while (next != null) {
        Elder elder = next;
        next = elder.next;
        elder.next = null;
        taker.accept(elder);
      }
    } finally {
      while (next != null) {
        Elder elder = next;
        next = elder.next;
        push(HANDED, elder);
      }
    }
  }

  @Nullable Elder takeEnded() {
    return (Elder) ENDED.getAndSet(this, (Elder) null);
  }

  private void push(VarHandle head, Elder elder) {
    Elder first;
    do {
      first = (Elder) head.getVolatile(this);
      elder.next = first;
    } while (!head.compareAndSet(this, first, elder));
  }
}
