package org.buftrail.flow.census;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.tree.Counters;

/**
 * The flows allocated and released by a moment, and those in the rings then, while threads go on.
 *
 * <p>Four looks, one straight after the other: what was allocated, what was released, what was
 * allocated again, and the rings, which report a flow for as long as it lies there. So what begins
 * during the moment is known to at most {@link #during}, and a thread that is stopped between two
 * looks shows in {@link #turnover}. Then there is another moment, and the best is taken: one is
 * some microseconds long, and hardly ever are {@value #MOST} in a row disturbed. On a machine with
 * more to do than processors they may be, so there are more for as long as {@value #PATIENCE_NANOS}
 * ns.
 */
final class Moment {
  private static final int MOST = 8;

  private static final long PATIENCE_NANOS = 2_000_000;

  /** The most flows that may begin during one that is good enough. */
  private static final int FEW = 4;

  /** By end. */
  final Totals released;

  /** In the order of {@link org.buftrail.flow.nursery.ThreadRings#all}. */
  final List<RingCut> cuts = new ArrayList<>();

  /** Flows that had begun before what was released was looked at. */
  final long allocated;

  /** Flows that began while what was released was looked at. */
  private final long during;

  /** Flows that began while the rings were looked at. */
  private final long later;

  /** The caller holds the monitor of {@code retired}. Rings may be added meanwhile. */
  private Moment(Nursery nursery, Counters retired, long retiredAllocated) {
    released = new Totals(nursery.tree.ends());
    allocated = retiredAllocated + begun(nursery.rings.all());
    VarHandle.fullFence();
    retired.forEach(released);
    for (ThreadRing ring : nursery.rings.all()) {
      ring.released.forEach(released);
    }
    VarHandle.fullFence();
    long after = retiredAllocated;
    for (ThreadRing ring : nursery.rings.all()) {
      RingCut cut = new RingCut(ring);
      cuts.add(cut);
      after += cut.allocated;
    }
    for (RingCut cut : cuts) {
      cut.look();
    }
    during = after - allocated;
    later = retiredAllocated + begun(nursery.rings.all()) - after;
  }

  private static long begun(List<ThreadRing> rings) {
    long begun = 0;
    for (ThreadRing ring : rings) {
      begun += ring.allocated();
    }
    return begun;
  }

  /** How much there is to be wrong about: first of how many are live, then of where they are. */
  private long turnover() {
    return during * 8 + later;
  }

  private boolean isGood() {
    return turnover() <= Math.max(8 * FEW, (allocated - released.flows()) >> 8);
  }

  /** The best of some. The caller holds the monitor of {@code retired}. */
  static Moment best(Nursery nursery, Counters retired, long retiredAllocated) {
    Moment best = new Moment(nursery, retired, retiredAllocated);
    long start = System.nanoTime();
    for (int i = 1; !best.isGood(); i++) {
      if (i >= MOST && System.nanoTime() - start > PATIENCE_NANOS) {
        break;
      }
      Moment next = new Moment(nursery, retired, retiredAllocated);
      best = next.turnover() < best.turnover() ? next : best;
    }
    return best;
  }
}
