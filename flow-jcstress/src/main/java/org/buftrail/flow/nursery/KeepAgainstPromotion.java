package org.buftrail.flow.nursery;

import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A buffer that is kept while the sweeper takes it over has a tenured flow that knows it. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "the tenured flow is kept")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "it would count as live, then as leaked")
@State
public class KeepAgainstPromotion {
  private final StressBuffer buffer = Races.begun();

  @Actor
  public void keep() {
    Tracker.INSTANCE.nursery.keep(buffer);
  }

  @Actor
  public void sweeper() {
    Tracker.INSTANCE.nursery.promote(buffer);
  }

  @Arbiter
  public void arbiter(Z_Result r) {
    Races.forgetPublished();
    r.r1 = FlowState.state(buffer) instanceof TenuredFlow tenured && tenured.kept;
  }
}
