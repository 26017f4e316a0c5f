package org.buftrail.flow.nursery;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/** Finds the desk of the current thread. */
public final class Desks {
  /** Threads beyond this many share: some 4 MiB of rings. A power of two. */
  static final int MAX_OWNED = 1 << 10;

  private static final int STRIPES = 8;

  /** Several for each carrier, whose ids are anywhere among those of threads. A power of two. */
  static final int CARRIER_PLACES = 1 << 10;

  /** The most there are. */
  static final int MAX_DESKS = MAX_OWNED + STRIPES;

  /** Null before JDK 19, and then a constant that costs nothing. */
  static final @Nullable Class<?> VIRTUAL = virtualThreadClass();

  private final Nursery nursery;

  @SuppressWarnings("ThreadLocalUsage") // as few as there are trackers
  final ThreadLocal<Desk> known = new ThreadLocal<>();

  private final Desk[] shared = new Desk[STRIPES];

  final List<Desk> owned = new ArrayList<>();

  /** Whether a carrier found as many owned desks as there may be, and none has gone since. */
  private volatile boolean full;

  /**
   * Owned desks by the last bits of their threads' ids, the first where several meet. Written and
   * read without a lock: a thread believes only the desk that says it is its own.
   */
  private final @Nullable Desk[] byId = new Desk[MAX_OWNED];

  /**
   * Desks of carriers by the last bits of their ids, each in one of two places, in no other table:
   * each operation of a virtual thread borrows the one of the carrier that it is mounted on at that
   * moment. What runs on the carrier itself does not use it.
   */
  final @Nullable Desk[] byCarrier = new Desk[VIRTUAL == null ? 0 : CARRIER_PLACES];

  Desks(Nursery nursery) {
    this.nursery = nursery;
    for (int i = 0; i < STRIPES; i++) {
      shared[i] = new Desk(nursery, null);
    }
  }

  private static @Nullable Class<?> virtualThreadClass() {
    try {
      return Class.forName("java.lang.BaseVirtualThread", false, null);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /**
   * The desk of the current thread, if nobody else has its place. Fewer loads in a row than a
   * thread-local takes, and what is found is known not to be shared.
   */
  public @Nullable Desk own() {
    Thread thread = Thread.currentThread();
    Desk desk = byId[index(thread)];
    return desk != null && desk.owner == thread ? desk : null;
  }

  public Desk current() {
    Desk own = own();
    return own != null ? own : find(Thread.currentThread());
  }

  /** Begins a life on a thread that may have no desk of its own. Any thread. */
  public void enter(TrackedBuffer buffer, Node node, int weight) {
    Desk lent = borrow();
    if (lent == null) {
      current().enterGuarded(buffer, node, weight);
      return;
    }
    try {
      lent.enter(buffer, node, weight);
    } finally {
      lent.giveBack();
    }
  }

  /** Ends one, as {@link Desk#leave} does. Any thread. */
  public int leave(TrackedBuffer buffer, int seen, Node end) {
    Desk lent = borrow();
    if (lent == null) {
      return current().leaveGuarded(buffer, seen, end);
    }
    try {
      return lent.leave(buffer, seen, end);
    } finally {
      lent.giveBack();
    }
  }

  /** Whether sampling passes over the next allocation of the current thread. Any thread. */
  public boolean skips(int sampling) {
    Desk lent = borrow();
    if (lent == null) {
      return current().skipsGuarded(sampling);
    }
    try {
      return lent.skips(sampling);
    } finally {
      lent.giveBack();
    }
  }

  /**
   * The caller gives it back. Null on a thread that is not virtual, and when its carrier has no
   * desk that is free.
   */
  private @Nullable Desk borrow() {
    if (VIRTUAL == null || !VIRTUAL.isInstance(Thread.currentThread())) {
      return null;
    }
    Thread carrier = CarrierThreads.current();
    if (carrier == null) {
      return null;
    }
    Desk desk = ofCarrier(carrier);
    return desk != null && desk.borrow() ? desk : null;
  }

  /** The desk of a carrier. Null when it has none; then it has one the next time, if it can. */
  @Nullable Desk ofCarrier(Thread carrier) {
    int first = (int) carrier.getId() & CARRIER_PLACES - 1;
    // Not the one beside it: carriers that were made in a row have ids in a row.
    int second = first ^ CARRIER_PLACES / 2;
    Desk desk = byCarrier[first];
    if (desk != null && desk.owner == carrier) {
      return desk;
    }
    Desk other = byCarrier[second];
    if (other != null && other.owner == carrier) {
      return other;
    }
    if ((desk == null || other == null) && !full) {
      // For the next time: the monitor may have been waited for, and so this is another carrier.
      open(carrier, desk == null ? first : second);
    }
    return null;
  }

  private void open(Thread carrier, int index) {
    synchronized (owned) {
      full = owned.size() >= MAX_OWNED;
      if (byCarrier[index] == null && !full) {
        Desk desk = new Desk(nursery, carrier);
        owned.add(desk);
        // Others read the table without the monitor, and go on through the reference that they find
        // there, so they see what was written before it. As with final fields, they need no fence.
        VarHandle.releaseFence();
        byCarrier[index] = desk;
      }
    }
  }

  private static int index(Thread thread) {
    return (int) thread.getId() & MAX_OWNED - 1;
  }

  private Desk find(Thread thread) {
    if (VIRTUAL != null && VIRTUAL.isInstance(thread)) {
      return stripe(thread);
    }
    Desk mine = known.get();
    Desk desk = mine != null ? mine : open(thread);
    int index = index(thread);
    if (byId[index] == null && !desk.isShared()) {
      byId[index] = desk;
    }
    return desk;
  }

  private Desk stripe(Thread thread) {
    return shared[System.identityHashCode(thread) & STRIPES - 1];
  }

  private Desk open(Thread thread) {
    Desk desk;
    synchronized (owned) {
      desk = ownedBy(thread);
      if (desk == null && owned.size() < MAX_OWNED) {
        desk = new Desk(nursery, thread);
        owned.add(desk);
      }
    }
    if (desk == null) {
      desk = stripe(thread);
    }
    known.set(desk);
    return desk;
  }

  /**
   * What the rings know of the life before the present or last one of a buffer, or 0. Looks into
   * one slot of each when a life is under way, and else into all.
   */
  public long past(TrackedBuffer buffer) {
    int stamp = FlowState.stampOpaque(buffer);
    if (Stamp.isTenured(stamp)) {
      return 0;
    }
    boolean ended = Stamp.isEnded(stamp);
    for (Desk desk : all()) {
      int slot = ended ? 0 : Stamp.slot(stamp);
      int last = ended ? desk.slots() - 1 : slot;
      for (; slot <= last; slot++) {
        long past = desk.inSlot(slot) == buffer ? desk.past(slot) : 0;
        if (Desk.before(past, stamp) != 0) {
          return past;
        }
      }
    }
    return 0;
  }

  /** Hands on a tenured flow that was made outside a ring, for the sweeper to find. */
  void hand(TenuredFlow tenured) {
    Desk desk = current();
    if (desk.isShared()) {
      synchronized (desk) {
        desk.hand(tenured);
      }
    } else {
      desk.hand(tenured);
    }
  }

  /**
   * Takes a buffer that is followed otherwise by now out of the ring where its life began, if it is
   * there. Any thread.
   *
   * @return whether it was
   */
  boolean clear(TrackedBuffer buffer, int stamp) {
    if (Stamp.isMarked(stamp)) {
      return false;
    }
    int slot = Stamp.slot(stamp);
    Desk likely = own();
    if (likely != null && likely.clearSlot(slot, buffer)) {
      return true;
    }
    for (Desk desk : all()) {
      if (desk.clearSlot(slot, buffer)) {
        return true;
      }
    }
    return false;
  }

  /** The desk of a thread whose pool has cleared its thread-locals. */
  private @Nullable Desk ownedBy(Thread thread) {
    for (Desk desk : owned) {
      if (desk.owner == thread && !isOfCarrier(desk)) {
        return desk;
      }
    }
    return null;
  }

  /** Whether virtual threads borrow it. */
  boolean isOfCarrier(Desk desk) {
    for (Desk other : byCarrier) {
      if (other == desk) {
        return true;
      }
    }
    return false;
  }

  /** Every desk that is or was in use. A copy. */
  public List<Desk> all() {
    List<Desk> all = new ArrayList<>();
    synchronized (owned) {
      all.addAll(owned);
    }
    all.addAll(List.of(shared));
    return all;
  }

  /** Forgets a desk whose thread has ended. */
  void close(Desk desk) {
    desk.giveUpAllowance();
    synchronized (owned) {
      owned.remove(desk);
      full = false;
    }
    forget(byId, desk);
    forget(byCarrier, desk);
  }

  private static void forget(@Nullable Desk[] table, Desk desk) {
    for (int i = 0; i < table.length; i++) {
      if (table[i] == desk) {
        table[i] = null;
      }
    }
  }
}
