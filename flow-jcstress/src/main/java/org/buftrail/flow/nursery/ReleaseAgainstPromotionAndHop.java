package org.buftrail.flow.nursery;

import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZZ_Result;

/**
 * A release that meets the promotion and a hop after it: counted once, and no tenured flow
 * believed.
 */
@JCStressTest
@Outcome(id = "1, true, false", expect = Expect.ACCEPTABLE, desc = "counted, free, forgotten")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, counted twice, or alive again")
@State
public class ReleaseAgainstPromotionAndHop {
  private final StressBuffer buffer = Races.begun();
  private TenuredFlow tenured;

  @Actor
  public void release() {
    buffer.release();
  }

  @Actor
  public void promoteAndHop() {
    tenured = Tracker.INSTANCE.nursery.promote(buffer);
    Buffers.hop(buffer, Races.HOP);
  }

  @Arbiter
  public void arbiter(IZZ_Result r) {
    r.r1 = buffer.asked();
    r.r2 = Stamp.isEnded(FlowState.stamp(buffer));
    r.r3 = Races.sweep(tenured, buffer) != null;
  }
}
