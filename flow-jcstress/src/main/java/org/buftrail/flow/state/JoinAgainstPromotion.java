package org.buftrail.flow.state;

import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A composite takes a buffer in while the sweeper promotes it: its tenured flow knows of that. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "the tenured flow knows the composite")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "the part would leak beside it")
@State
public class JoinAgainstPromotion {
  private final SideState composite = PlainBuffers.begun(true);
  private final SideState part = PlainBuffers.begun(false);

  @Actor
  public void composite() {
    part.join(composite);
  }

  @Actor
  public void sweeper() {
    Tracker.INSTANCE.nursery.promote(part);
  }

  @Arbiter
  public void arbiter(Z_Result r) {
    TenuredFlow tenured = (TenuredFlow) FlowState.state(part);
    r.r1 = tenured.holder() != null && tenured.holder() == part.holder();
  }
}
