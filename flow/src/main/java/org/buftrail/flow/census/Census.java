package org.buftrail.flow.census;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.TenuredTable;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.nursery.ThreadRings;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.ResourceCounts;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Counters;
import org.buftrail.flow.tree.Leaks;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Site;

/**
 * All counts at one moment, by node, while threads go on. Confined to the thread that takes a
 * snapshot, which holds the nursery's monitor and has just swept.
 *
 * <p>The order of the looks matters: what was released is read first, then what was allocated
 * ({@link Moment}), and only then what is live is looked for, among what had begun by then. A
 * release says that the flow is over before it counts, so no flow is counted twice, and none that
 * is not among the allocated. So the moment is that between the first two looks, and what is
 * missing to {@code allocated = released + leaked + dropped + held + live} was live. That is made
 * up of flows that have ended by now, or have changed their place, as many as are missing. Where
 * even these are too few, for flows that no look has met, the rest is counted {@link #IN_TRANSIT},
 * with the bytes that a released one had on the average: what lives so short ends so.
 */
public final class Census {
  private static final Site IN_TRANSIT = new Site("(in transit)", "while counted", "", 0, "");

  /** Looks at what was released and allocated, of which the best is taken. */
  private static final int MOMENTS = 5;

  /** By end. */
  final Totals released;

  final Leaks leaks = new Leaks();
  final Counters dropped = new Counters();
  final Counters held = new Counters();
  final LiveAges live;
  long allocated;

  /** Of the live ones, those that no collection has looked at since they were let go. */
  public long undecided;

  /** Of the live ones, those on no path that is known. */
  long inTransit;

  private final Nursery nursery;
  private final int now;
  private final List<Cut> cuts;

  /** Tenured flows whose release is being told of, or will be found out: see {@link Nursery}. */
  private final List<TenuredFlow> unseen = new ArrayList<>();

  /** Tenured flows that have ended by now. */
  private final List<TenuredFlow> ended = new ArrayList<>();

  /** How far a ring was at the moment of the census. */
  private static final class Cut {
    final ThreadRing ring;
    final TrackedBuffer[] buffers;
    final long entered;

    Cut(ThreadRing ring) {
      this.ring = ring;
      this.buffers = ring.buffers();
      this.entered = ring.entered();
    }

    /**
     * What is in the ring and had begun at that moment: nothing where that cannot be told. A slot
     * is written after the count of entered, so what came later shows in that.
     */
    List<TrackedBuffer> inRing() {
      List<TrackedBuffer> found = new ArrayList<>();
      int mask = ThreadRing.mask(buffers);
      TrackedBuffer[] seen = new TrackedBuffer[mask + 1];
      for (int slot = 0; slot <= mask; slot++) {
        seen[slot] = ring.inSlot(slot);
      }
      long later = ring.entered() - entered;
      for (int slot = 0; slot <= mask && ring.buffers() == buffers; slot++) {
        boolean began = (slot - entered & mask) >= later;
        if (seen[slot] != null && began && isInSlot(seen[slot], slot)) {
          found.add(seen[slot]);
        }
      }
      return found;
    }

    private static boolean isInSlot(TrackedBuffer buffer, int slot) {
      return Stamp.slot(FlowState.stampOpaque(buffer)) == slot;
    }
  }

  /**
   * What was released, and then what was allocated. What begins in between counts as live, so the
   * shorter that lasts, the better: a thread that is stopped there for a tenth of a second would
   * tell of a million live flows where there are a thousand.
   */
  private static final class Moment {
    final Totals released;
    final List<Cut> cuts = new ArrayList<>();
    final long allocated;

    /** How many flows began while this was looked at. */
    final long begun;

    /** The caller holds the monitor of {@code retired}. Rings may be added meanwhile. */
    Moment(Nursery nursery, Counters retired, long retiredAllocated) {
      released = new Totals(nursery.tree.ends());
      ThreadRings rings = nursery.rings;
      long before = retiredAllocated;
      for (ThreadRing ring : rings.all()) {
        before += ring.allocated();
      }
      VarHandle.fullFence();
      retired.forEach(released);
      for (ThreadRing ring : rings.all()) {
        ring.released.forEach(released);
      }
      VarHandle.fullFence();
      long after = retiredAllocated;
      for (ThreadRing ring : rings.all()) {
        cuts.add(new Cut(ring));
        after += ring.allocated();
      }
      allocated = after;
      begun = after - before;
    }

    /** Whether another look would hardly be better. */
    boolean isSharp() {
      return begun <= Math.max(64, (allocated - released.flows()) >> 7);
    }

    static Moment best(Nursery nursery, Counters retired, long retiredAllocated) {
      Moment best = new Moment(nursery, retired, retiredAllocated);
      for (int i = 1; i < MOMENTS && !best.isSharp(); i++) {
        Moment next = new Moment(nursery, retired, retiredAllocated);
        best = next.begun < best.begun ? next : best;
      }
      return best;
    }
  }

  /** What is live, leaked and released now. */
  public static Census take(Nursery nursery) {
    synchronized (nursery) {
      nursery.handOnAll();
      int expected = nursery.pending.waiting.size() + nursery.table.all().size();
      Census census;
      synchronized (nursery.retired) {
        census =
            new Census(nursery, expected, Ticks.now(), nursery.retired, nursery.retiredAllocated());
      }
      census.addLive(nursery.pending.waiting, nursery.table);
      return census;
    }
  }

  /** What is counted when all flows of buffers are let go, as if they had never begun. */
  static Census takeWithoutBuffers(Nursery nursery) {
    synchronized (nursery) {
      nursery.forgetBuffers();
      return take(nursery);
    }
  }

  /**
   * Looks at what was released and allocated by now. The caller holds the monitor of {@code
   * retired}.
   *
   * @param expected how many may be live
   * @param now tick of the moment
   */
  Census(Nursery nursery, int expected, int now, Counters retired, long retiredAllocated) {
    this.nursery = nursery;
    Moment moment = Moment.best(nursery, retired, retiredAllocated);
    this.released = moment.released;
    this.allocated = moment.allocated;
    this.cuts = moment.cuts;
    this.live = new LiveAges(expected, nursery.tree.size());
    this.now = now;
  }

  /**
   * Then looks for what is live. {@code pending} are tenured flows that may have been overwritten.
   */
  void addLive(List<TenuredFlow> pending, TenuredTable table) {
    for (TenuredFlow tenured : pending) {
      TrackedBuffer buffer = tenured.strong;
      if (tenured.isEnded()) {
        ended.add(tenured);
      } else if (buffer != null
          && FlowState.stateOpaque(buffer) == tenured
          && !tenured.isOver(buffer)) {
        if (FlowState.isHeld(buffer)) {
          add(tenured, FlowState.bytes(buffer), false);
        } else if (tenured.checked != TenuredFlow.AT_ZERO) {
          // Its count has fallen to 0 since the sweep, so it was live at the moment.
          ended.add(tenured);
        } else if (!tenured.kept) {
          unseen.add(tenured);
        }
      }
    }
    for (TenuredFlow tenured : table.all()) {
      if (tenured.isEnded()) {
        ended.add(tenured);
      } else {
        add(tenured, tenured.bytes, nursery.collector.hasRunSince(tenured.generation));
      }
    }
    leaks.addAll(table.leaks);
    dropped.addAll(table.dropped);
    held.addAll(table.held);
    allocated -= table.collectedKept();
    addRings();
    addMissing();
    live.sort();
  }

  /** Flows of resources that have begun by now, and of these those that count as never begun. */
  ResourceCounts resources() {
    return nursery.resources;
  }

  private void addMissing() {
    for (Cut cut : cuts) {
      for (TenuredFlow tenured = cut.ring.lastHanded(); tenured != null; tenured = tenured.next) {
        ended.add(tenured);
      }
    }
    long known = released.flows() + leaks.flows() + dropped.flows() + held.flows() + live.size();
    long missing = allocated - nursery.resources.forgotten() - known;
    for (int i = 0; i < unseen.size() && missing > 0; i++) {
      TenuredFlow tenured = unseen.get(i);
      TrackedBuffer buffer = tenured.strong;
      released.add(
          tenured.node.end().endId, 1, buffer == null ? tenured.bytes : FlowState.bytes(buffer));
      missing--;
    }
    for (int i = 0; i < ended.size() && missing > 0; i++) {
      TenuredFlow tenured = ended.get(i);
      if (!tenured.kept) {
        add(tenured, tenured.bytes, false);
        missing--;
      }
    }
    inTransit = Math.max(0, missing);
    if (missing > 0) {
      int node = nursery.tree.root(Sites.intern(IN_TRANSIT), 0).id;
      long bytes = released.meanBytes();
      for (long i = 0; i < missing; i++) {
        live.add(node, 0, bytes);
      }
    }
  }

  /** A flow that is under way; one that is kept is nobody's, as if it had never begun. */
  private void add(TenuredFlow tenured, long bytes, boolean decided) {
    if (tenured.kept) {
      allocated--;
    } else {
      live.add(tenured.node.id, Ticks.age(tenured.born, now), bytes);
      undecided += decided ? 0 : 1;
    }
  }

  private void addRings() {
    Set<TrackedBuffer> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Cut cut : cuts) {
      for (TrackedBuffer buffer : cut.inRing()) {
        int stamp = FlowState.stampOpaque(buffer);
        Node node = Stamp.isMarked(stamp) ? null : Nursery.liveNode(buffer, stamp);
        long bytes = FlowState.bytes(buffer);
        boolean lives = FlowState.isHeld(buffer) && FlowState.stampOpaque(buffer) == stamp;
        if (node != null && lives && !Stamp.isKept(stamp) && counted.add(buffer)) {
          live.add(node.id, Ticks.age(cut.ring.bornTick(true, now), now), bytes);
          undecided++;
        }
      }
    }
  }
}
