package org.buftrail.flow.nursery;

import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The ring that comes round and the sweeper make one tenured flow between them. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "one tenured flow")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "one tenured flow")
@Outcome(expect = Expect.FORBIDDEN, desc = "two tenured flows, or none")
@State
public class PromotionAgainstPromotion {
  private final StressBuffer buffer = Races.begun();

  @Actor
  public void displace(ZZ_Result r) {
    r.r1 = Tracker.INSTANCE.nursery.promote(buffer) != null;
  }

  @Actor
  public void sweep(ZZ_Result r) {
    r.r2 = Tracker.INSTANCE.nursery.promote(buffer) != null;
  }
}
