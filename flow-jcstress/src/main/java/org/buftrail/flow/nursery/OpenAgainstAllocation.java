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
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads that open scopes and allocate find what is their own, and nothing else. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "each has its own")
@Outcome(expect = Expect.FORBIDDEN, desc = "one has the other's, or not its own")
@State
public class OpenAgainstAllocation {
  private final StressBuffer one = new StressBuffer();
  private final StressBuffer other = new StressBuffer();

  @Actor
  public void first(II_Result r) {
    r.r1 = found(one);
  }

  @Actor
  public void second(II_Result r) {
    r.r2 = found(other);
  }

  private static int found(StressBuffer buffer) {
    LeakScope scope = LeakScope.open("scope");
    Races.allocate(buffer, scope);
    int found = Races.leftOver(scope);
    buffer.release();
    int left = Races.leftOver(scope);
    scope.close();
    return found - left;
  }

  @Arbiter
  public void arbiter(II_Result r) {
    boolean over = Stamp.isEnded(FlowState.stamp(one)) && Stamp.isEnded(FlowState.stamp(other));
    r.r1 = over ? r.r1 : -1;
  }
}
