package org.buftrail.flow.nursery;

import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.buftrail.flow.base.FullCollections;
import org.buftrail.flow.base.SweeperThread;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.base.TrackingMode;
import org.buftrail.flow.scope.Scopes;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Holdings;
import org.buftrail.flow.state.ResourceCounts;
import org.buftrail.flow.state.SideState;
import org.buftrail.flow.state.SideTable;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Counters;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.PathTree;
import org.buftrail.flow.tree.SampleStore;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is young, hands on what survives, and finds what was collected unreleased.
 *
 * <p>Most buffers live microseconds, so a new buffer costs no weak reference: it goes into a slot
 * of its thread's ring ({@link ThreadRing}) by strong reference, and its release on the same thread
 * empties the slot. What is still there when the ring comes round, or at the second sweep, is
 * handed on to a {@link TenuredFlow}.
 *
 * <p>What is held strongly is bounded in bytes ({@link ByteBudget}), for the application may have
 * dropped it. A ring has an allowance; what is alive beyond it has its tenured flow made by the
 * thread that allocates, and is let go at once ({@link Evictions}). A large buffer has a tenured
 * flow from birth.
 *
 * <h2>Who writes what</h2>
 *
 * <ul>
 *   <li><b>ring slot</b>: only the owning thread stores a buffer. The owner (on release, or when it
 *       overwrites) and the sweeper (by compare-and-set) take one out. Who takes out a buffer looks
 *       at its state <em>afterwards</em> and hands it on if it is live; that two may do so for the
 *       same buffer is harmless, because the state decides.
 *   <li><b>state</b>: new lives and hops store plainly, from any thread that has the buffer, and
 *       some releases. The promotion to a tenured flow is a compare-and-set from the node it read.
 *   <li><b>stamp</b>: a new life stores it after its state, and a release stores it; the promotion
 *       marks it {@link Stamp#TENURED_SLOT} by compare-and-set, which fails against both. A release
 *       marks it {@link Stamp#ENDED_SLOT}, and until the next life that mark, not the state, says
 *       that the buffer is free: no promotion begins, no hop moves it, and a new life may begin.
 *       Keeping a buffer sets {@link Stamp#KEPT} by compare-and-set, so that whichever tenured flow
 *       the life has, or gets, knows.
 * </ul>
 *
 * <h2>Why a racing hop or release can delay but not falsify</h2>
 *
 * A thread may have read the node before the promotion and store a later one after it, and so
 * overwrite the tenured flow. Then either it stores within one sweep, and the sweeper, which holds
 * the buffer strongly for at least that long and looks again, sees that the state is not the
 * tenured flow and starts over; or the thread was stopped for longer, and then its own read of the
 * stamp <em>after</em> its store finds the tenured flow's mark, and it is {@link #late}, and the
 * buffer is held until the sweeper has put it right. A tenured flow whose state is not itself is
 * never believed.
 *
 * <p>A release leaves the state at the node whose end it counts, as a rule, and looks at the stamp
 * once more as it marks it. When it finds the tenured flow's mark there, it stores the end over
 * whatever the promotion may have stored. When the mark came a moment later, the release has
 * overwritten it, and the tenured flow has a stamp that says that all is over; the sweeper's next
 * look finds that. The count was 0 before either, so no sweep believes the tenured flow meanwhile.
 * (The count of a resource that has none is never 0, nor is one that could not say so: a thread
 * stopped for two sweeps between these two instructions would be told as a leak.)
 *
 * <p>A hop that races with the release of its own buffer (legal at the exit of a method that handed
 * the buffer to another thread) may store a node that lies behind the one whose end was counted.
 * The stamp says that the life is over, so nothing is counted and nothing promoted, but a second
 * release is told with that path. In a tenured flow the separate {@code ended} flag keeps the
 * truth, and whoever sets it counts the release.
 *
 * <p>When a recycled object is released somewhere else than in its life before, its state becomes
 * an end that also tells where that life ended ({@link Node#after}). Only the ring in which the
 * last life began knows that, so a release on another thread stores the plain end, and {@link
 * #recall} puts the right one there by compare-and-set once somebody who has the ring comes by: the
 * owner, the sweeper, or whoever looks because of an exception. The life number in the ring keeps
 * it from speaking for another life than its own, unless a whole life begins and ends at the same
 * node between two instructions of {@code recall}, or 16,384 lives of the object pass; then the
 * pair is that of an earlier life. No count depends on it.
 *
 * <p>A buffer that the sweeper finds at a count of 0 again and again without any sign of a release
 * was released by code that is not woven; it is counted as released where it was last seen.
 *
 * <p>A release needs no second look: once the promotion has been seen to be followed by a count
 * above 0 in the same life, every later fall to 0 finds the tenured flow, or its mark. So what a
 * thread hands on is let go at once, and a tenured flow that a hop has stored over by the time it
 * is listed is made anew; all that a later hop can do is to leave the tenured flow one node behind
 * until the next one. The hop may be told of, and the buffer released and collected, before the
 * tenured flow is handed on; so whoever hands it on looks back, and a sweep takes the stragglers
 * before it takes what was handed on. A tenured flow from birth is in place before any other thread
 * has the buffer, with its mark; only a hop of the object's life before can store over it, and
 * finds the mark.
 *
 * <p>A collected tenured flow was out of reach of every thread, so no hop or release of it is under
 * way: not ended means leaked. The weak reference is never read while it waits, which would keep
 * the buffer alive through the marking of a concurrent collector.
 *
 * <p>Cost: a sweep reads the slots of each ring and touches only tenured flows that are new or that
 * ended.
 */
public final class Nursery {
  /** After so many, everything that is live has a tenured flow that does not hold it. */
  private static final int SWEEPS_TO_SETTLE = 3;

  /** A life of more is noted in any case: two seconds. */
  private static final int LONG_TICKS = Ticks.MINUTE / 30;

  public final PathTree tree;
  private final SideTable sideTable;
  private final ReferenceQueue<TrackedBuffer> collected = new ReferenceQueue<>();
  final Stragglers stragglers = new Stragglers();
  public final Holdings holdings = new Holdings();
  public final ResourceCounts resources = new ResourceCounts();
  public final Evictions evictions = new Evictions(this);
  public final SampleStore samples = new SampleStore();

  /** When the last sweep began, in ticks: a clock that costs nothing. */
  private volatile int swept;

  /** Guarded by this. */
  public final PendingFlows pending = new PendingFlows(this);

  /** Guarded by this. */
  public final TenuredTable table;

  /** By end: counts of threads that have ended, or had too many. Guarded by its own monitor. */
  public final Counters retired = new Counters();

  private long retiredAllocated;

  /** What the rings may hold. */
  final ByteBudget ringBudget = ByteBudget.forRings(ThreadRings.MAX_RINGS);

  public final ThreadRings rings = new ThreadRings(this);
  final Backlog backlog;

  /** Releases that were counted later, where their buffers were last seen. */
  private final AtomicLong missedReleases = new AtomicLong();

  /** Counts releases that were noted because they could not be counted. */
  private volatile @Nullable Runnable missed;

  /** Guarded by this. */
  public final FullCollections collections = new FullCollections();

  /** Some of what a nursery holds at a moment, to be looked at. */
  public interface Visitor {
    /** Before what the rings have handed on is taken. */
    void atRings();

    /** Each tenured flow is in one of the lists. */
    void at(List<TenuredFlow> flows);
  }

  public Nursery(
      TrackingMode mode, SweeperThread sweeper, PathTree tree, SideTable side, Scopes scopes) {
    this.tree = tree;
    this.sideTable = side;
    this.table = new TenuredTable(scopes);
    this.backlog = new Backlog(rings, mode, sweeper);
  }

  /**
   * @param missed what each sweep does about releases that could not be counted
   */
  public void setMissed(Runnable missed) {
    this.missed = missed;
  }

  /** A release was found out. */
  public void foundMissed() {
    missedReleases.incrementAndGet();
  }

  /** How many were found out. */
  public long missedReleases() {
    return missedReleases.get();
  }

  /**
   * A hop that has stored a node found that its buffer has a tenured flow, or is over. Any thread.
   */
  public void late(TrackedBuffer buffer) {
    int stamp = FlowState.stampOpaque(buffer);
    if (!Stamp.isEnded(stamp)) {
      stragglers.addLive(buffer);
    }
  }

  /**
   * A release found that a promotion had begun: if there is a tenured flow, the end takes its
   * place. Any thread.
   */
  public void overtaken(TrackedBuffer buffer, Node end) {
    Object state = FlowState.stateOpaque(buffer);
    if (!(state instanceof Node && ((Node) state).isEnd())) {
      FlowState.setStateOpaque(buffer, end);
    }
    stragglers.add(buffer);
  }

  /**
   * A life may have ended on a thread that has not its ring, and only that knows which life came
   * before. Any thread.
   *
   * @return the end with all that is known, or null when the life is not over
   */
  public static @Nullable Node recall(TrackedBuffer buffer, long past) {
    int stamp = FlowState.stampOpaque(buffer);
    Object state = FlowState.stateOpaque(buffer);
    if (!Stamp.isEnded(stamp) || !(state instanceof Node) || !((Node) state).isEnd()) {
      return null;
    }
    Node end = (Node) state;
    Node after = end.after(ThreadRing.before(past, stamp));
    if (after != end) {
      FlowState.compareAndSetState(buffer, end, after);
    }
    return after;
  }

  /** A tenured flow of a life that begins, or began at {@code born}, at {@code node}. */
  TenuredFlow tenured(TrackedBuffer buffer, Node node, int born) {
    return new TenuredFlow(buffer, collected, node, born, holdings.needsRelease(buffer));
  }

  /** Makes a tenured flow of a live buffer; null when it is not live, or has one. Any thread. */
  public @Nullable TenuredFlow promote(TrackedBuffer buffer) {
    return promote(buffer, Ticks.now());
  }

  @Nullable TenuredFlow promote(TrackedBuffer buffer, int born) {
    return promote(buffer, rings.past(buffer), born);
  }

  @Nullable TenuredFlow promote(TrackedBuffer buffer, long past, int born) {
    while (true) {
      int stamp = FlowState.stampOpaque(buffer);
      Node node = liveNode(buffer, stamp);
      if (node == null) {
        return null;
      }
      TenuredFlow tenured = tenured(buffer, node, born);
      int marked = stamp | Stamp.TENURED_SLOT;
      if (stamp != marked && !FlowState.compareAndSetStamp(buffer, stamp, marked)) {
        continue;
      }
      tenured.kept = Stamp.isKept(stamp);
      tenured.before = ThreadRing.before(past, stamp);
      if (stamp == marked) {
        // In place of one that was overwritten, perhaps, whose straggler may not hold the buffer.
        stragglers.add(buffer);
      }
      if (FlowState.compareAndSetState(buffer, node, tenured)) {
        return tenured;
      }
    }
  }

  /**
   * A live buffer is wrapped as unreleasable. The stamp says so for as long as the life lasts,
   * whichever tenured flow it has. Any thread.
   */
  public void keep(TrackedBuffer buffer) {
    int stamp;
    do {
      stamp = FlowState.stampOpaque(buffer);
      if (position(buffer) == null || Stamp.isEnded(stamp)) {
        return;
      }
    } while (!FlowState.compareAndSetStamp(buffer, stamp, stamp | Stamp.KEPT));
    // On the way of a message, perhaps: the life before is not searched for.
    TenuredFlow made = promote(buffer, 0, Ticks.now());
    if (made != null) {
      evictions.evict(made, buffer, stamp | Stamp.KEPT);
    } else {
      Object state = FlowState.stateOpaque(buffer);
      if (state instanceof TenuredFlow && Stamp.isSameLife(stamp, FlowState.stampOpaque(buffer))) {
        ((TenuredFlow) state).kept = true;
      }
    }
  }

  /** The life of a tenured flow that is sampled is over, and counted. Any thread. */
  public void sample(TenuredFlow tenured, int end, int bytes) {
    samples.add(end, micros(tenured), bytes);
  }

  /** The life of a tenured flow that is not sampled is over. Any thread. */
  public void noteLongLife(TenuredFlow tenured, int end) {
    if (swept - tenured.born > LONG_TICKS) {
      samples.addLong(end, micros(tenured));
    }
  }

  private static long micros(TenuredFlow tenured) {
    return Ticks.micros(Ticks.age(tenured.born, Ticks.now()));
  }

  /** Where a flow is, or null when there is none under way. */
  public static @Nullable Node position(TrackedBuffer buffer) {
    Object state = FlowState.stateOpaque(buffer);
    if (state instanceof Node) {
      Node node = (Node) state;
      return node.isEnd() || Stamp.isEnded(FlowState.stampOpaque(buffer)) ? null : node;
    }
    if (state instanceof TenuredFlow) {
      TenuredFlow tenured = (TenuredFlow) state;
      return tenured.isOver(buffer) || tenured.kept ? null : tenured.node;
    }
    return null;
  }

  /** Where a flow without a tenured flow is, or null. {@code stamp} has been read before. */
  public static @Nullable Node liveNode(TrackedBuffer buffer, int stamp) {
    Object state = FlowState.stateOpaque(buffer);
    if (state instanceof Node && !Stamp.isEnded(stamp)) {
      Node node = (Node) state;
      return node.isEnd() ? null : node;
    }
    return null;
  }

  /**
   * Goes through all rings and tenured flows once. Once a second is what the class comment counts
   * on.
   *
   * @param all whether to hand on even what is new
   */
  public synchronized void sweep(boolean all) {
    swept = Ticks.now();
    stragglers.collect();
    sideTable.expunge();
    pending.weigh();
    for (ThreadRing ring : rings.all()) {
      boolean abandoned = ring.isAbandoned();
      sweepRing(ring, all || abandoned);
      removeEnded(ring);
      ring.drainPublished(pending);
      if (abandoned) {
        synchronized (retired) {
          ring.released.retire();
        }
        retiredAllocated += ring.allocated();
        rings.close(ring);
      }
    }
    tree.roots.forgetLast();
    settle();
  }

  /** Lets go of every buffer, and tells what has been collected by now. */
  public void finish() {
    for (int i = 0; i < SWEEPS_TO_SETTLE; i++) {
      sweep(true);
    }
  }

  /** A collection of the whole heap has ended: counts what it has proved lost. */
  public synchronized void endCollection(int number) {
    collections.end(number, System.nanoTime());
    sweep(true);
    table.takeCleared();
  }

  /** Goes through what the rings have handed on, and lets go of what it can. */
  public synchronized void relieve() {
    stragglers.collect();
    drainRings();
    settle();
  }

  private void settle() {
    backlog.taken();
    try {
      Runnable noted = missed;
      if (noted != null) {
        noted.run();
      }
      holdings.revisit(pending.promoting);
      pending.checkAll();
    } finally {
      try {
        pending.replaceOverwritten();
      } finally {
        table.drain(collected);
      }
    }
  }

  private void sweepRing(ThreadRing ring, boolean all) {
    long entered = ring.entered();
    int now = Ticks.now();
    for (int slot = 0; slot < ring.slots(); slot++) {
      TrackedBuffer buffer = ring.inSlot(slot);
      if (buffer == null) {
        continue;
      }
      int stamp = FlowState.stampOpaque(buffer);
      boolean young = ring.isYoung(slot, entered);
      boolean stays = !all && young && Stamp.slot(stamp) == slot;
      if (!stays || liveNode(buffer, stamp) == null) {
        takeOut(ring, slot, buffer, ring.bornTick(young, now));
      }
    }
    if (!all && ring.isIdle(entered)) {
      ring.reclaim();
    }
    ring.noteSweep(entered, now);
  }

  private void takeOut(ThreadRing ring, int slot, TrackedBuffer buffer, int born) {
    long past = ring.past(slot);
    // Taken out first and looked at after: a new life may have begun in this slot meanwhile.
    if (!ring.clearSlot(slot, buffer)) {
      return;
    }
    int stamp = FlowState.stampOpaque(buffer);
    TenuredFlow tenured = Stamp.slot(stamp) == slot ? promote(buffer, past, born) : null;
    if (tenured == null) {
      recall(buffer, past);
      return;
    }
    pending.add(tenured, buffer, stamp);
  }

  void removeEnded(ThreadRing ring) {
    for (TenuredFlow tenured = ring.takeEnded(); tenured != null; ) {
      TenuredFlow next = tenured.next;
      tenured.next = null;
      table.remove(tenured);
      tenured = next;
    }
  }

  /**
   * Lets go of all flows that are followed through the map, because their releases will not be
   * seen: they count as never begun.
   */
  public synchronized void forgetSideTable() {
    forget(false);
  }

  /** Lets go of all flows of buffers, as if they had never begun. */
  public synchronized void forgetBuffers() {
    forget(true);
  }

  private void forget(boolean buffers) {
    sweep(true);
    for (TenuredFlow tenured : pending.waiting) {
      TrackedBuffer buffer = tenured.strong;
      if (buffer != null && tenured.isOfLifeOf(buffer)) {
        forget(tenured, buffer, buffers);
      }
    }
    for (TenuredFlow tenured : new ArrayList<>(table.all())) {
      if (forget(tenured, tenured.get(), buffers)) {
        table.remove(tenured);
      }
    }
  }

  private boolean forget(TenuredFlow tenured, @Nullable TrackedBuffer buffer, boolean buffers) {
    SideState side = buffer instanceof SideState ? (SideState) buffer : null;
    boolean wanted = buffers ? side == null || !side.isOfResource() : side != null;
    if (buffer == null || !wanted || !tenured.markEnded()) {
      return false;
    }
    FlowState.compareAndSetState(buffer, tenured, null);
    if (side != null && side.isOfResource()) {
      resources.forget();
    } else {
      retiredAllocated--;
    }
    return true;
  }

  /** Hands on everything that there is, so that it can be looked at. */
  public synchronized void drainAll() {
    sweep(true);
    table.takeCollected();
    stragglers.collect();
    drainRings();
    pending.replaceOverwritten();
  }

  /** How many flows have begun on rings that are gone. Guarded by this. */
  public long retiredAllocated() {
    return retiredAllocated;
  }

  /** Has all that is live looked at. */
  public synchronized void show(Visitor look) {
    look.atRings();
    relieve();
    look.at(pending.waiting);
    look.at(table.all());
  }

  /** Takes what was handed on since the last look. */
  private void drainRings() {
    for (ThreadRing ring : rings.all()) {
      removeEnded(ring);
      ring.drainPublished(pending);
    }
  }
}
