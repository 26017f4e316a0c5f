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

/** Finds the ring of the current thread. */
public final class ThreadRings {
  /** Threads beyond this many share: some 4 MiB of rings. A power of two. */
  static final int MAX_OWNED = 1 << 10;

  private static final int STRIPES = 8;

  private static final int SOURCES = 4;

  /** Several for each carrier, whose ids are anywhere among those of threads. A power of two. */
  static final int CARRIER_PLACES = 1 << 10;

  /** The most there are. */
  static final int MAX_RINGS = MAX_OWNED + STRIPES;

  /** Null before JDK 19, and then a constant that costs nothing. */
  static final @Nullable Class<?> VIRTUAL = virtualThreadClass();

  private final Nursery nursery;

  @SuppressWarnings("ThreadLocalUsage") // as few as there are trackers
  final ThreadLocal<ThreadRing> known = new ThreadLocal<>();

  private final ThreadRing[] shared = new ThreadRing[STRIPES];

  final List<ThreadRing> owned = new ArrayList<>();

  /**
   * Those and the shared ones, null once it is no longer so. Written with the monitor of {@link
   * #owned}: a thread that lets go of a young buffer asks for it each time, and must not copy
   * thousands.
   */
  private volatile @Nullable List<ThreadRing> listed;

  /** Whether a carrier found as many owned rings as there may be, and none has gone since. */
  private volatile boolean full;

  /**
   * Owned rings by the last bits of their threads' ids, the first where several meet. Written and
   * read without a lock: a thread believes only the ring that says it is its own.
   */
  private final @Nullable ThreadRing[] byId = new ThreadRing[MAX_OWNED];

  /**
   * Rings of carriers by the last bits of their ids, each in one of two places, in no other table:
   * each operation of a virtual thread borrows the one of the carrier that it is mounted on at that
   * moment. What runs on the carrier itself does not use it.
   */
  final @Nullable ThreadRing[] byCarrier = new ThreadRing[VIRTUAL == null ? 0 : CARRIER_PLACES];

  ThreadRings(Nursery nursery) {
    this.nursery = nursery;
    for (int i = 0; i < STRIPES; i++) {
      shared[i] = new ThreadRing(nursery, null);
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
   * The ring of the current thread, if nobody else has its place. Fewer loads in a row than a
   * thread-local takes, and what is found is known not to be shared.
   */
  public @Nullable ThreadRing own() {
    Thread thread = Thread.currentThread();
    ThreadRing ring = byId[index(thread)];
    return ring != null && ring.owner == thread ? ring : null;
  }

  public ThreadRing current() {
    ThreadRing own = own();
    return own != null ? own : find(Thread.currentThread());
  }

  /** Begins a life on a thread that may have no ring of its own. Any thread. */
  public void enter(TrackedBuffer buffer, Node node, int weight) {
    ThreadRing lent = borrow();
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

  /** Ends a life, like {@link ThreadRing#leave}. Any thread. */
  public int leave(TrackedBuffer buffer, int seen, Node end) {
    ThreadRing lent = borrow();
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
    ThreadRing lent = borrow();
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
   * Returns a ring that the caller gives back; null on a thread that is not virtual, and when its
   * carrier has no free ring.
   */
  private @Nullable ThreadRing borrow() {
    if (VIRTUAL == null || !VIRTUAL.isInstance(Thread.currentThread())) {
      return null;
    }
    Thread carrier = CarrierThreads.current();
    if (carrier == null) {
      return null;
    }
    ThreadRing ring = ofCarrier(carrier);
    return ring != null && ring.borrow() ? ring : null;
  }

  /** The ring of a carrier. Null when it has none; then it has one the next time, if it can. */
  @Nullable ThreadRing ofCarrier(Thread carrier) {
    int first = (int) carrier.getId() & CARRIER_PLACES - 1;
    // Not the one beside it: carriers that were made in a row have ids in a row.
    int second = first ^ CARRIER_PLACES / 2;
    ThreadRing ring = byCarrier[first];
    if (ring != null && ring.owner == carrier) {
      return ring;
    }
    ThreadRing other = byCarrier[second];
    if (other != null && other.owner == carrier) {
      return other;
    }
    if ((ring == null || other == null) && !full) {
      // For the next time: waiting for the monitor may have moved this thread to another carrier.
      open(carrier, ring == null ? first : second);
    }
    return null;
  }

  private void open(Thread carrier, int index) {
    synchronized (owned) {
      full = owned.size() >= MAX_OWNED;
      if (byCarrier[index] == null && !full) {
        ThreadRing ring = new ThreadRing(nursery, carrier);
        ring.startLooks();
        listed = null;
        owned.add(ring);
        // Others read the table without the monitor, and go on through the reference that they find
        // there, so they see what was written before it. As with final fields, they need no fence.
        VarHandle.releaseFence();
        byCarrier[index] = ring;
      }
    }
  }

  private static int index(Thread thread) {
    return (int) thread.getId() & MAX_OWNED - 1;
  }

  private ThreadRing find(Thread thread) {
    if (VIRTUAL != null && VIRTUAL.isInstance(thread)) {
      return stripe(thread);
    }
    ThreadRing mine = known.get();
    ThreadRing ring = mine != null ? mine : open(thread);
    int index = index(thread);
    if (byId[index] == null && !ring.isShared()) {
      byId[index] = ring;
    }
    return ring;
  }

  private ThreadRing stripe(Thread thread) {
    return shared[System.identityHashCode(thread) & STRIPES - 1];
  }

  private ThreadRing open(Thread thread) {
    ThreadRing ring;
    synchronized (owned) {
      ring = ownedBy(thread);
      if (ring == null && owned.size() < MAX_OWNED) {
        ring = new ThreadRing(nursery, thread);
        ring.startLooks();
        listed = null;
        owned.add(ring);
      }
    }
    if (ring == null) {
      ring = stripe(thread);
    }
    known.set(ring);
    return ring;
  }

  /**
   * Looks up what the rings know of the life before the present or last one of a buffer, or 0.
   * Looks into one slot of each when a life is under way, and else into all.
   */
  public long past(TrackedBuffer buffer) {
    int stamp = FlowState.stampOpaque(buffer);
    if (Stamp.isTenured(stamp)) {
      return 0;
    }
    boolean ended = Stamp.isEnded(stamp);
    for (ThreadRing ring : all()) {
      int slot = ended ? 0 : Stamp.slot(stamp);
      int last = ended ? ring.slots() - 1 : slot;
      for (; slot <= last; slot++) {
        long past = ring.inSlot(slot) == buffer ? ring.past(slot) : 0;
        if (ThreadRing.before(past, stamp) != 0) {
          return past;
        }
      }
    }
    return 0;
  }

  /**
   * How long ago a life began that ends on another thread, in microseconds; -1 if its ring is not
   * found. As few as {@value #SOURCES} are asked, first the one of the last time, and others the
   * next time.
   *
   * @param at ring of the current thread
   */
  long micros(ThreadRing at, TrackedBuffer buffer, int slot) {
    List<ThreadRing> rings = all();
    for (int i = 0; i < SOURCES; i++) {
      long micros = microsIn(rings.get(at.source % rings.size()), buffer, slot);
      if (micros >= 0) {
        return micros;
      }
      at.source = at.source + 1 & Integer.MAX_VALUE;
    }
    return -1;
  }

  private static long microsIn(ThreadRing ring, TrackedBuffer buffer, int slot) {
    long micros = ring.inSlot(slot) == buffer ? ring.micros(slot) : -1;
    // Its owner may have begun another life there meanwhile.
    return micros >= 0 && ring.inSlot(slot) == buffer ? micros : -1;
  }

  /** Hands on a tenured flow that was made outside a ring, for the sweeper to find. */
  void hand(TenuredFlow tenured) {
    ThreadRing ring = current();
    if (ring.isShared()) {
      synchronized (ring) {
        ring.hand(tenured);
      }
    } else {
      ring.hand(tenured);
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
    boolean found = false;
    // In all: where an earlier life began, there may be a reference in a slot of the same number.
    for (ThreadRing ring : all()) {
      found |= ring.clearSlot(slot, buffer);
    }
    return found;
  }

  /** The ring of a thread whose pool has cleared its thread-locals. */
  private @Nullable ThreadRing ownedBy(Thread thread) {
    for (ThreadRing ring : owned) {
      if (ring.owner == thread && !isOfCarrier(ring)) {
        return ring;
      }
    }
    return null;
  }

  /** Whether virtual threads borrow it. */
  boolean isOfCarrier(ThreadRing ring) {
    for (ThreadRing other : byCarrier) {
      if (other == ring) {
        return true;
      }
    }
    return false;
  }

  /** Every ring that is or was in use, now. */
  public List<ThreadRing> all() {
    List<ThreadRing> known = listed;
    return known == null ? list() : known;
  }

  private List<ThreadRing> list() {
    synchronized (owned) {
      List<ThreadRing> all = new ArrayList<>(owned);
      all.addAll(List.of(shared));
      List<ThreadRing> list = List.copyOf(all);
      listed = list;
      return list;
    }
  }

  /** Forgets a ring whose thread has ended. */
  void close(ThreadRing ring) {
    ring.giveUpAllowance();
    synchronized (owned) {
      listed = null;
      owned.remove(ring);
      full = false;
    }
    forget(byId, ring);
    forget(byCarrier, ring);
  }

  private static void forget(@Nullable ThreadRing[] table, ThreadRing ring) {
    for (int i = 0; i < table.length; i++) {
      if (table[i] == ring) {
        table[i] = null;
      }
    }
  }
}
