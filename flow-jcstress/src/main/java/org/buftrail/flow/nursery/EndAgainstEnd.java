package org.buftrail.flow.nursery;

import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** One of two that end a tenured flow counts it. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "counted by one")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "counted by the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "counted twice, or not at all")
@State
public class EndAgainstEnd {
  private final TenuredFlow tenured = Tracker.INSTANCE.nursery.promote(Races.begun());

  @Actor
  public void one(ZZ_Result r) {
    r.r1 = tenured.markEnded();
  }

  @Actor
  public void other(ZZ_Result r) {
    r.r2 = tenured.markEnded();
  }
}
