package org.buftrail.flow.census;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.TenuredTable;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Holdings;
import org.buftrail.flow.state.ResourceCounts;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Counters;
import org.buftrail.flow.tree.Leaks;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.SightingsByNode;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/**
 * All counts at one moment, by node, while threads go on. Confined to the thread that takes a
 * snapshot, which holds the nursery's monitor and has just swept.
 *
 * <p>After the {@link Moment} the tenured flows are looked at, which takes longer, but each tells
 * whether it has ended. The flows found under way were live at the same moment. A release says that
 * the flow is over before it counts, so no flow is counted twice. If fewer are found than are
 * missing to {@code allocated = released + leaked + dropped + held + live}, by what was allocated
 * as the moment began, then others were live, and have ended by now or changed their place: as many
 * are taken from those that are known to have done so. Where even these are too few, for flows that
 * no look has met, the rest is counted {@link #IN_TRANSIT}, with the bytes that a released one had
 * on the average: what lives so short ends so. If more are found, they began during the moment. So
 * the number reported as live never exceeds what was live at once.
 */
public final class Census {
  private static final Site IN_TRANSIT = new Site("(in transit)", "", "", 0, "");

  /** By end. */
  final Totals released;

  final Leaks leaks = new Leaks();
  final Counters dropped = new Counters();
  final Counters held = new Counters();
  final LiveAges live;

  /** The parts of composites among the live flows. */
  final Counters liveParts = new Counters();

  /** What looks at the stack saw of the others. */
  final SightingsByNode liveSeen = new SightingsByNode();

  long allocated;

  /** Live flows that no requested collection has just decided about. */
  long undecided;

  /** The resources among these, which are not sampled. */
  private long undecidedResources;

  /** Live flows that are on no known path. */
  long inTransit;

  private final Nursery nursery;
  private final int now;
  private final List<RingCut> cuts;

  /** Tenured flows whose release is being recorded, or will be noticed: see {@link Nursery}. */
  private final List<TenuredFlow> unseen = new ArrayList<>();

  /** Flows of a ring whose release was about to be reported. */
  private final List<RingCut.Young> leaving = new ArrayList<>();

  /** Tenured flows that have ended by now, or were handed on after the moment. */
  private final List<TenuredFlow> ended = new ArrayList<>();

  /** Counts what is live, leaked and released now. */
  public static Census take(Nursery nursery) {
    synchronized (nursery) {
      nursery.drainAll();
      Census census;
      synchronized (nursery.retired) {
        census = new Census(nursery, Ticks.now(), nursery.retired, nursery.retiredAllocated());
      }
      census.addLive(nursery.pending.waiting, nursery.table);
      return census;
    }
  }

  /** Counts as if no flow of a buffer had begun: all are being given up. */
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
   * @param now tick of the moment
   */
  Census(Nursery nursery, int now, Counters retired, long retiredAllocated) {
    this.nursery = nursery;
    Moment moment = Moment.best(nursery, retired, retiredAllocated);
    this.released = moment.released;
    this.allocated = moment.allocated;
    this.cuts = moment.cuts;
    this.live = new LiveAges(nursery.tree.size());
    this.now = now;
  }

  /**
   * Then looks for what is live. {@code pending} are tenured flows that may have been overwritten.
   */
  void addLive(List<TenuredFlow> pending, TenuredTable table) {
    for (TenuredFlow tenured : pending) {
      addPending(tenured);
    }
    long nanos = System.nanoTime();
    for (TenuredFlow tenured : table.all()) {
      if (tenured.isEnded()) {
        ended.add(tenured);
      } else {
        add(tenured, tenured.bytes, nursery.collections.hasDecided(tenured.generation, nanos));
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

  private void addPending(TenuredFlow tenured) {
    TrackedBuffer buffer = tenured.strong;
    if (tenured.isEnded()) {
      ended.add(tenured);
    } else if (buffer == null) {
      // The buffer was let go.
      add(tenured, tenured.bytes, false);
    } else if (FlowState.stateOpaque(buffer) == tenured && !tenured.isOver(buffer)) {
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

  /** Lifetimes of what was released at an end; null where none was sampled. */
  @Nullable ReleaseSamples samples(Node node) {
    return nursery.samples.of(node.endId, now);
  }

  /** Flows of resources that have begun by now, and of these those that count as never begun. */
  ResourceCounts resources() {
    return nursery.resources;
  }

  /** {@link #undecided} flows, each buffer as {@code sampling} ones. */
  public long undecided(int sampling) {
    return (undecided - undecidedResources) * sampling + undecidedResources;
  }

  private void addMissing() {
    long known = released.flows() + leaks.flows() + dropped.flows() + held.flows() + live.size();
    long missing = allocated - nursery.resources.forgotten() - known;
    if (missing < 0) {
      // These began during the moment.
      allocated -= missing;
      return;
    }
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
    for (int i = 0; i < leaving.size() && missing > 0; i++) {
      add(leaving.get(i));
      missing--;
    }
    inTransit = missing;
    undecided += inTransit;
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
      undecidedResources += decided || !tenured.node.isResource() ? 0 : 1;
      note(tenured.node, tenured.isPart());
    }
  }

  private void add(RingCut.Young young) {
    live.add(young.node.id, Ticks.age(young.born, now), young.bytes);
    undecided++;
    undecidedResources += young.node.isResource() ? 1 : 0;
    note(young.node, Holdings.isPart(young.buffer, young.node));
  }

  private void note(Node node, boolean isPart) {
    if (isPart) {
      liveParts.add(node.id, 1, 0);
    } else {
      liveSeen.add(node, 1);
    }
  }

  private void addRings() {
    List<TenuredFlow> later = new ArrayList<>();
    Set<TrackedBuffer> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    for (RingCut cut : cuts) {
      for (RingCut.Young young : cut.live) {
        if (counted.add(young.buffer)) {
          add(young);
        }
      }
      leaving.addAll(cut.leaving);
      for (TenuredFlow tenured = cut.handed; tenured != null; tenured = tenured.next) {
        addPending(tenured);
      }
      for (TenuredFlow tenured = cut.ring.lastPublished();
          tenured != null && tenured != cut.handed;
          tenured = tenured.next) {
        later.add(tenured);
      }
    }
    ended.addAll(later);
  }
}
