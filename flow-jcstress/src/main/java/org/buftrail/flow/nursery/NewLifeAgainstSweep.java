package org.buftrail.flow.nursery;

import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
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

/**
 * A pooled object that begins a new life under the eyes of the sweeper is in the ring, or a tenured
 * flow.
 */
@JCStressTest
@Outcome(id = "ring", expect = Expect.ACCEPTABLE, desc = "the new life is in its slot")
@Outcome(id = "tenured flow", expect = Expect.ACCEPTABLE, desc = "the new life has been promoted")
@Outcome(expect = Expect.FORBIDDEN, desc = "nobody knows of the new life")
@State
public class NewLifeAgainstSweep {
  private final ThreadRing ring = new ThreadRing(Tracker.INSTANCE.nursery, null);
  private final StressBuffer buffer = new StressBuffer();

  public NewLifeAgainstSweep() {
    ring.enter(buffer, Races.ROOT, 0);
  }

  @Actor
  public void owner() {
    ring.leave(buffer, FlowState.stampOpaque(buffer), Races.ROOT.end());
    ring.enter(buffer, Races.ROOT, 0);
  }

  @Actor
  public void sweeper() {
    for (int slot = 0; slot < 2; slot++) {
      TrackedBuffer seen = ring.inSlot(slot);
      if (seen != null
          && ring.clearSlot(slot, seen)
          && Stamp.slot(FlowState.stampOpaque(seen)) == slot) {
        Tracker.INSTANCE.nursery.promote(seen);
      }
    }
  }

  @Arbiter
  public void arbiter(L_Result r) {
    boolean inRing = ring.inSlot(Stamp.slot(FlowState.stamp(buffer)) & 1) == buffer;
    r.r1 =
        FlowState.state(buffer) instanceof TenuredFlow ? "tenured flow" : inRing ? "ring" : "lost";
  }
}
