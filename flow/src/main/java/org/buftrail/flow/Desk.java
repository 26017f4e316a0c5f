package org.buftrail.flow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * What one thread writes without asking anybody: its ring of new buffers and its counts.
 *
 * <p>A desk without an owner is shared by virtual threads and by those that came after the last
 * free desk; its writers take its monitor. About 2 KiB, and 1 KiB for each 64 nodes where flows
 * ended.
 */
final class Desk {
  static final int RING = 256;

  private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Trail[].class);
  private static final VarHandle HANDED = field("handed");
  private static final VarHandle ENDED = field("ended");

  final Counters released = new Counters();
  final @Nullable WeakReference<Thread> owner;

  /** Tickets that the sweeper saw in the ring the last time. Sweeper only. */
  final int[] seen = new int[RING];

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

  private static VarHandle field(String name) {
    try {
      return MethodHandles.lookup().findVarHandle(Desk.class, name, Elder.class);
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

  /** Ends the life that {@code ticket} was read of. Owner of the desk only. */
  void leave(Trail trail, int ticket, Node end, long bytes) {
    released.add(end.id, bytes);
    int slot = Trail.slot(ticket);
    if (slot < RING && ring[slot] == trail) {
      SLOTS.setRelease(ring, slot, null);
    }
  }

  /** Counts a flow that is not the application's after all, or is again. Owner only. */
  void adjustAllocated(int by) {
    allocated += by;
  }

  long allocated() {
    return allocated;
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
