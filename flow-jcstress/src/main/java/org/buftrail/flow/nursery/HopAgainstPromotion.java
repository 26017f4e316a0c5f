package org.buftrail.flow.nursery;

import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A hop that meets the promotion is not lost once the sweeper has looked again. */
@JCStressTest
@Outcome(
    id = "Hop.on",
    expect = Expect.ACCEPTABLE,
    desc = "the tenured flow knows where the flow is")
@Outcome(expect = Expect.FORBIDDEN, desc = "the hop is lost, or the flow")
@State
public class HopAgainstPromotion {
  private final StressBuffer buffer = Races.begun();
  private TenuredFlow tenured;

  @Actor
  public void hop() {
    Buffers.hop(buffer, Races.HOP);
  }

  @Actor
  public void promote() {
    tenured = Tracker.INSTANCE.nursery.promote(buffer);
  }

  @Arbiter
  public void arbiter(L_Result r) {
    TenuredFlow believed = Races.sweep(tenured, buffer);
    r.r1 = believed == null ? "nobody" : buffer.place();
  }
}
