package org.buftrail.flow.state;

import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A composite takes a buffer in while the sweeper promotes the composite: what the buffer knows of
 * it is the tenured flow, which needs a release.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "each knows the other")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "lost, it would be dropped")
@State
public class TakeInAgainstPromotion {
  private final SideState composite = PlainBuffers.begun(true);
  private final SideState part = PlainBuffers.begun(false);

  @Actor
  public void composite() {
    part.join(composite);
  }

  @Actor
  public void sweeper() {
    Tracker.INSTANCE.nursery.promote(composite);
  }

  @Arbiter
  public void arbiter(Z_Result r) {
    TenuredFlow tenured = (TenuredFlow) FlowState.state(composite);
    r.r1 = tenured.needsRelease && ((SideHolder) part.holder()).tenured == tenured;
  }
}
