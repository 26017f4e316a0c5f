package org.buftrail.flow.state;

import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A composite gives a buffer up while the sweeper promotes it: its tenured flow is nobody's. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "the tenured flow knows no composite")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "it would be lost with the composite")
@State
public class LeaveAgainstPromotion {
  private final SideState composite = PlainBuffers.begun(true);
  private final SideState part = PlainBuffers.begun(false);

  public LeaveAgainstPromotion() {
    part.join(composite);
  }

  @Actor
  public void composite() {
    part.leave();
  }

  @Actor
  public void sweeper() {
    Tracker.INSTANCE.nursery.promote(part);
  }

  @Arbiter
  public void arbiter(Z_Result r) {
    r.r1 = ((TenuredFlow) FlowState.state(part)).holder() == null;
  }
}
