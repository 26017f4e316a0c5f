package org.buftrail.flow.nursery;

import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZZ_Result;

/** A hop that meets the release of its buffer does not bring it back. */
@JCStressTest
@Outcome(id = "1, true, false", expect = Expect.ACCEPTABLE, desc = "counted, free, not promoted")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, counted twice, or alive again")
@State
public class ReleaseAgainstHop {
  private final StressBuffer buffer = Races.begun();

  @Actor
  public void release() {
    buffer.release();
  }

  @Actor
  public void hop() {
    Buffers.hop(buffer, Races.HOP);
  }

  @Arbiter
  public void arbiter(IZZ_Result r) {
    r.r2 = Stamp.isEnded(FlowState.stamp(buffer));
    r.r3 = Tracker.INSTANCE.nursery.promote(buffer) != null;
    Buffers.released(buffer, true);
    r.r1 = buffer.asked();
  }
}
