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
import org.openjdk.jcstress.infra.results.Z_Result;

/** A buffer that is kept by one thread and released by another is released. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "released, counted once")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "a kept buffer that nobody has")
@State
public class KeepAgainstRelease {
  private final StressBuffer buffer = Races.begun();

  @Actor
  public void keep() {
    Tracker.INSTANCE.nursery.keep(buffer);
  }

  @Actor
  public void release() {
    buffer.release();
  }

  @Arbiter
  public void arbiter(Z_Result r) {
    Races.forgetPublished();
    r.r1 = buffer.isAtEnd() && Stamp.isEnded(FlowState.stamp(buffer));
  }
}
