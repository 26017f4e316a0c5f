package org.buftrail.flow.nursery;

import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A live buffer whose ring grows under the eyes of the sweeper is in it, or a tenured flow. */
@JCStressTest
@Outcome(id = "ring", expect = Expect.ACCEPTABLE, desc = "the life is in its slot")
@Outcome(id = "tenured flow", expect = Expect.ACCEPTABLE, desc = "the life has been promoted")
@Outcome(expect = Expect.FORBIDDEN, desc = "nobody knows of the life")
@State
public class GrowthAgainstSweep {
  private final ThreadRing ring = new ThreadRing(Tracker.INSTANCE.nursery, null);
  private final StressBuffer buffer = new StressBuffer();

  public GrowthAgainstSweep() {
    ring.enter(buffer, Races.ROOT, 0);
  }

  @Actor
  public void owner() {
    ring.put(4 * ThreadRing.RING);
  }

  @Actor
  public void sweeper() {
    TrackedBuffer seen = ring.inSlot(0);
    if (seen != null && ring.clearSlot(0, seen)) {
      Tracker.INSTANCE.nursery.promote(seen);
    }
  }

  @Arbiter
  public void arbiter(L_Result r) {
    boolean inRing = ring.inSlot(0) == buffer;
    r.r1 =
        FlowState.state(buffer) instanceof TenuredFlow ? "tenured flow" : inRing ? "ring" : "lost";
  }
}
