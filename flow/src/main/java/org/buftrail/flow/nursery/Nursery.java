package org.buftrail.flow.nursery;

import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.buftrail.flow.base.FullCollections;
import org.buftrail.flow.base.SweeperThread;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.base.TrackingMode;
import org.buftrail.flow.nursery.Stragglers.Straggler;
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
 * empties the slot. A flow that is still there when the ring comes round, or at the second sweep,
 * is handed on to a {@link TenuredFlow}.
 *
 * <p>What is held strongly is bounded in bytes ({@link ByteBudget}), for the application may have
 * dropped it. A ring has an allowance; what is alive beyond it has its tenured flow made by the
 * thread that allocates, and is let go at once ({@link Evictions}). A large buffer has a tenured
 * flow from birth.
 *
 * <p>The package comment has the states of a life, who may change them, and the race that holds
 * each change.
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
  private final Scopes scopes;
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
    this.scopes = scopes;
    this.table = new TenuredTable(scopes);
    this.backlog = new Backlog(rings, mode, sweeper);
  }

  /**
   * @param missed called in each sweep for releases that could not be counted
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
   * Looks for an end that another thread stored: only the ring's own thread knows which life came
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
      int marked = Stamp.promoted(stamp);
      if (stamp != marked && !FlowState.compareAndSetStamp(buffer, stamp, marked)) {
        continue;
      }
      tenured.kept = Stamp.isKept(stamp);
      tenured.before = ThreadRing.before(past, stamp);
      // Made now, since nothing may fail once the promotion has taken place.
      Straggler straggler = Stamp.isTenured(stamp) ? new Straggler(buffer, true) : null;
      if (FlowState.compareAndSetState(buffer, node, tenured)) {
        if (buffer instanceof SideState) {
          ((SideState) buffer).promotedTo(tenured);
        }
        // There may be another tenured flow. A sweep before this moment would use the straggler up.
        if (straggler != null) {
          stragglers.add(straggler);
        } else if (Stamp.isTenuredAgain(FlowState.stampVolatile(buffer))) {
          stragglers.add(buffer);
        }
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
   * Goes through all rings and tenured flows once. Once a second is what the package comment counts
   * on.
   *
   * @param all whether to hand on even what is new
   */
  public synchronized void sweep(boolean all) {
    swept = Ticks.now();
    stragglers.collect();
    sideTable.expunge();
    pending.weigh();
    int looks = tree.looks.areOn() ? looksOfEach(rings.all().size()) : 0;
    for (ThreadRing ring : rings.all()) {
      boolean abandoned = ring.isAbandoned();
      sweepRing(ring, all || abandoned, looks);
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

  /** Lets go of every buffer, and reports what has been collected by now. */
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

  /**
   * Whether flows may be looked at now. While scopes are open there is no bound in time: which of
   * them is blamed must not depend on that.
   */
  boolean areLooksLeft() {
    return tree.looks.areOn() && (scopes.areOpen() || tree.looks.budget.isLeft());
  }

  /** How many flows of a ring may be looked at until the next sweep. */
  private int looksOfEach(int rings) {
    long flows = tree.looks.budget.refill(System.nanoTime());
    if (scopes.areOpen()) {
      return ThreadRing.MAX_LOOKS;
    }
    return flows <= 0 ? 0 : (int) Math.max(1, Math.min(ThreadRing.MAX_LOOKS, flows / rings));
  }

  private void sweepRing(ThreadRing ring, boolean all, int looks) {
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
    if (looks > 0 && !ring.isIdle(entered)) {
      ring.grantLooks(entered, looks);
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
