package org.buftrail.flow.woven;

import org.buftrail.flow.nursery.Races;
import org.buftrail.flow.nursery.StressBuffer;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.tree.Node;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A component that moves with its composite, while the sweeper takes it over, is where it was put.
 */
@JCStressTest
@Outcome(
    id = "true",
    expect = Expect.ACCEPTABLE,
    desc = "its tenured flow, or the next one, knows the place")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "left behind")
@State
public class PlaceAgainstPromotion {
  private static final Node TO = Races.ROOT.next(Races.HOP_KEY);

  private final StressBuffer buffer = Races.begun();
  private TenuredFlow tenured;

  @Actor
  public void composite() {
    Tracker.INSTANCE.moves.place(buffer, TO);
  }

  @Actor
  public void sweeper() {
    tenured = Tracker.INSTANCE.nursery.promote(buffer);
  }

  @Arbiter
  public void arbiter(Z_Result r) {
    TenuredFlow believed = Races.sweep(tenured, buffer);
    r.r1 = believed != null && FlowState.state(buffer) == believed && believed.node == TO;
  }
}
