package org.buftrail.flow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * What one thread writes without asking anybody: its ring of new buffers and its counts.
 *
 * <p>A desk without an owner is shared by virtual threads and by those that came after the last
 * free desk; its writers take its monitor. About 1 KiB, and 1 KiB for each 64 nodes where flows
 * ended.
 */
final class Desk {
  static final int RING = 256;

  private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Trail[].class);
  private static final VarHandle NEXT = field("next", int.class);
  private static final VarHandle HANDED = field("handed", Elder.class);
  private static final VarHandle ENDED = field("ended", Elder.class);

  final Counters released = new Counters();
  final @Nullable WeakReference<Thread> owner;

  /** What {@link #entered()} was at the last sweep. Sweeper only. */
  int swept;

  private final Trail[] ring = new Trail[RING];
  private int next;
  private int skip;
  private long allocated;

  /** Elders made here since the last sweep. */
  @SuppressWarnings("UnusedVariable") // by HANDED
  private volatile @Nullable Elder handed;

  /** Elders of the table that ended here since the last sweep. */
  @SuppressWarnings("UnusedVariable") // by ENDED
  private volatile @Nullable Elder ended;

  Desk(@Nullable Thread owner) {
    this.owner = owner == null ? null : new WeakReference<>(owner);
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
    if (owner == null) {
      return false;
    }
    Thread thread = owner.get();
    return thread == null || !thread.isAlive();
  }

  /** Whether sampling passes over the next allocation. Owner only. */
  boolean skips(int sampling) {
    if (--skip > 0) {
      return true;
    }
    skip = sampling;
    return false;
  }

  /**
   * Begins a life of {@code trail} at {@code node}. Owner only.
   *
   * @param weight 0, or {@link Trail#WEIGHTLESS}
   */
  void enter(Trail trail, Node node, int weight) {
    int slot = next++ & RING - 1;
    Trail old = ring[slot];
    if (old != null) {
      Nursery.INSTANCE.displaced(this, old, slot);
    }
    trail.ticket = Trail.nextLife(trail.ticket, slot) | weight;
    trail.setStateOpaque(node);
    SLOTS.setRelease(ring, slot, trail);
    allocated++;
  }

  /**
   * Ends the life of {@code trail}. Owner of the desk only.
   *
   * @return the ticket that the life had
   */
  int leave(Trail trail, Node end) {
    // First what may fail: a life is counted and over, or neither.
    released.add(end.id, trail.bytes(trail.ticketOpaque()));
    int ticket = trail.ticketOpaque();
    trail.ticket = Trail.ended(ticket);
    trail.setStateOpaque(end);
    int slot = Trail.slot(ticket);
    if (slot < RING && ring[slot] == trail) {
      SLOTS.setRelease(ring, slot, null);
    }
    return ticket;
  }

  /** Counts a flow that is not the application's after all, or is again. Owner only. */
  void adjustAllocated(int by) {
    allocated += by;
  }

  long allocated() {
    return allocated;
  }

  /** How many lives have begun here, modulo 2^32. A moment old for all but the owner. */
  int entered() {
    return (int) NEXT.getOpaque(this);
  }

  /** Whether what is in {@code slot} came after the last sweep, when so many have entered. */
  boolean isYoung(int slot, int entered) {
    int latest = entered - 1 - (entered - 1 - slot & RING - 1);
    return latest - swept >= 0;
  }

  @Nullable Trail inSlot(int slot) {
    return (Trail) SLOTS.getAcquire(ring, slot);
  }

  /** Empties a slot, unless something else is in it by now. */
  boolean clearSlot(int slot, Trail seen) {
    return SLOTS.compareAndSet(ring, slot, seen, null);
  }

  void hand(Elder elder) {
    push(HANDED, elder);
  }

  void noteEnded(Elder elder) {
    push(ENDED, elder);
  }

  @Nullable Elder takeHanded() {
    return (Elder) HANDED.getAndSet(this, (Elder) null);
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
