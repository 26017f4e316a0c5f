package org.buftrail.flow;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the desk of the current thread. */
final class Desks {
  /** Threads beyond this many share: some 4 MiB of rings. */
  static final int MAX_OWNED = 1_024;

  private static final int STRIPES = 8;

  /** Null before JDK 19, and then a constant that costs nothing. */
  private static final @Nullable Class<?> VIRTUAL = virtualThreadClass();

  static final ThreadLocal<Desk> CURRENT = new ThreadLocal<>();
  private static final Desk[] SHARED = new Desk[STRIPES];
  private static final List<Desk> OWNED = new ArrayList<>();

  static {
    for (int i = 0; i < STRIPES; i++) {
      SHARED[i] = new Desk(null);
    }
  }

  private Desks() {}

  private static @Nullable Class<?> virtualThreadClass() {
    try {
      return Class.forName("java.lang.BaseVirtualThread", false, null);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  static Desk current() {
    Thread thread = Thread.currentThread();
    if (VIRTUAL != null && VIRTUAL.isInstance(thread)) {
      return stripe(thread);
    }
    Desk desk = CURRENT.get();
    return desk != null ? desk : open(thread);
  }

  private static Desk stripe(Thread thread) {
    return SHARED[System.identityHashCode(thread) & STRIPES - 1];
  }

  private static Desk open(Thread thread) {
    Desk desk;
    synchronized (OWNED) {
      desk = ownedBy(thread);
      if (desk == null && OWNED.size() < MAX_OWNED) {
        desk = new Desk(thread);
        OWNED.add(desk);
      }
    }
    if (desk == null) {
      desk = stripe(thread);
    }
    CURRENT.set(desk);
    return desk;
  }

  /**
   * What the rings know of the life before the present or last one of a buffer, or 0. Looks into
   * one slot of each when a life is under way, and else into all.
   */
  static long past(Trail buffer) {
    int ticket = buffer.ticketOpaque();
    if (Trail.isElder(ticket)) {
      return 0;
    }
    boolean ended = Trail.isEnded(ticket);
    for (Desk desk : all()) {
      int slot = ended ? 0 : Trail.slot(ticket);
      int last = ended ? Desk.RING - 1 : slot;
      for (; slot <= last; slot++) {
        long past = desk.inSlot(slot) == buffer ? desk.past(slot) : 0;
        if (Desk.before(past, ticket) != 0) {
          return past;
        }
      }
    }
    return 0;
  }

  /** Hands on an elder that was made outside a ring, for the sweeper to find. */
  static void hand(Elder elder, int bytes) {
    Desk desk = current();
    if (desk.isShared()) {
      synchronized (desk) {
        desk.hand(elder, bytes);
      }
    } else {
      desk.hand(elder, bytes);
    }
  }

  /** The desk of a thread whose pool has cleared its thread-locals. */
  private static @Nullable Desk ownedBy(Thread thread) {
    for (Desk desk : OWNED) {
      if (desk.isOf(thread)) {
        return desk;
      }
    }
    return null;
  }

  /** Every desk that is or was in use. A copy. */
  static List<Desk> all() {
    List<Desk> all = new ArrayList<>();
    synchronized (OWNED) {
      all.addAll(OWNED);
    }
    for (Desk desk : SHARED) {
      all.add(desk);
    }
    return all;
  }

  /** Forgets a desk whose thread has ended. */
  static void close(Desk desk) {
    synchronized (OWNED) {
      OWNED.remove(desk);
    }
  }
}
