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
  private static final VarHandle HANDED = field("handed", Elder.class);
  private static final VarHandle ENDED = field("ended", Elder.class);

  /** What a ring may hold strongly of buffers that are not released; then it gets smaller. */
  private static final long MAX_HELD_BYTES = 4 << 20;

  /** Lives after which the ring is made anew: a fiftieth of a byte for each. */
  private static final int RENEWED_EVERY = 1 << 16;

  /** About what an elder takes until it is settled. */
  private static final int ELDER_BYTES = 128;

  /** What {@link #entered()} was at the last sweep. Sweeper only. */
  long swept;

  /** What {@link #next} was when {@link #ring} was made. */
  private long renewed;

  /** Slots that were taken for nothing, since the one before could not be dealt with. */
  private long notBegun;

  /** Since {@link #mask} changed; the first fills what was empty, and so tells nothing. */
  private int rounds = -1;

  /**
   * Bytes that were still held when the ring came round: in this round, and since the last wake.
   */
  private long roundBytes;

  private long handedBytes;

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
    int slot = (int) next++ & mask;
    try {
      if (slot == 0 || ring[GUARD_REFERENCES + slot] != null) {
        makeRoom(slot);
      }
      Trail[] ring = this.ring;
      Object former = trail.state;
      Node before = former instanceof Node ? ((Node) former).ending() : null;
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
      notBegun++;
      throw e;
    }
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
      Nursery.INSTANCE.displaced(this, old, slot);
    }
  }

  /**
   * The ring has come round. What is never released must not fill the heap, so a ring of large
   * buffers is a small one, and what it has handed on is looked at before the second is over.
   */
  private void turn() {
    rounds++;
    if (roundBytes > MAX_HELD_BYTES) {
      mask = SMALLEST_MASK;
      rounds = 0;
    } else if (rounds >= 2 && mask < RING - 1) {
      mask = mask << 1 | 1;
      rounds = 0;
    }
    roundBytes = 0;
    if (handedBytes > MAX_HELD_BYTES) {
      FlowTracker.wakeSweeper();
    }
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
    return entered() - notBegun;
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

  @Nullable Trail inSlot(int slot) {
    return (Trail) SLOTS.getAcquire((Trail[]) RING_OF.getAcquire(this), GUARD_REFERENCES + slot);
  }

  /** Empties a slot, unless something else is in it by now. */
  boolean clearSlot(int slot, Trail seen) {
    return SLOTS.compareAndSet(
        (Trail[]) RING_OF.getAcquire(this), GUARD_REFERENCES + slot, seen, (Trail) null);
  }

  /** Owner only. */
  void hand(Elder elder, int bytes) {
    if (taken) {
      taken = false;
      handedBytes = 0;
    }
    roundBytes += bytes;
    handedBytes += bytes + ELDER_BYTES;
    push(HANDED, elder);
  }

  /** Whether more has been handed on since the last look than may be held strongly. Owner only. */
  boolean isFull() {
    return handedBytes > MAX_HELD_BYTES && !taken;
  }

  void noteEnded(Elder elder) {
    push(ENDED, elder);
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
