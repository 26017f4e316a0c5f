package org.buftrail.flow.nursery;

import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * What came before a life that is over is looked up while the object begins its next one: that is
 * under way afterwards, whatever was found.
 */
@JCStressTest
@Outcome(id = "live", expect = Expect.ACCEPTABLE, desc = "the new life is at its root")
@Outcome(expect = Expect.FORBIDDEN, desc = "the new life was taken for the one that is over")
@State
public class RecallAgainstNewLife {
  private final ThreadRing ring = new ThreadRing(Tracker.INSTANCE.nursery, null);
  private final ThreadRing other = new ThreadRing(Tracker.INSTANCE.nursery, null);
  private final StressBuffer buffer = new StressBuffer();
  private final int slot;

  public RecallAgainstNewLife() {
    ring.enter(buffer, Races.ROOT, 0);
    ring.leave(buffer, FlowState.stampOpaque(buffer), Races.ROOT.end());
    ring.enter(buffer, Races.ROOT, 0);
    slot = Stamp.slot(FlowState.stamp(buffer));
    other.leave(buffer, FlowState.stampOpaque(buffer), Races.ROOT.end());
  }

  @Actor
  public void owner() {
    other.enter(buffer, Races.ROOT, 0);
  }

  @Actor
  public void sweeper() {
    Nursery.recall(buffer, ring.past(slot));
  }

  @Arbiter
  public void arbiter(L_Result r) {
    r.r1 =
        FlowState.state(buffer) == Races.ROOT && !Stamp.isEnded(FlowState.stamp(buffer))
            ? "live"
            : "over";
  }
}
