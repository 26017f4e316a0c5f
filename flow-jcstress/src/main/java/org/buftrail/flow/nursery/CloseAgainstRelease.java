package org.buftrail.flow.nursery;

import org.buftrail.flow.LeakScope;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** What is released while its scope is closed was live or not, and is over afterwards. */
@JCStressTest
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "released before")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "released after")
@Outcome(expect = Expect.FORBIDDEN, desc = "left over for good, or not released")
@State
public class CloseAgainstRelease {
  private final LeakScope outer = LeakScope.open("outer", null);
  private final LeakScope inner = LeakScope.open("inner", outer);
  private final StressBuffer buffer = new StressBuffer();

  public CloseAgainstRelease() {
    Races.allocate(buffer, inner);
  }

  @Actor
  public void release() {
    buffer.release();
  }

  @Actor
  public void close() {
    inner.close();
  }

  @Arbiter
  public void arbiter(III_Result r) {
    r.r1 = Races.leftOver(inner);
    r.r2 = Races.leftOver(outer);
    r.r3 = buffer.isAtEnd() && Stamp.isEnded(FlowState.stamp(buffer)) ? 1 : 0;
    outer.close();
  }
}
