package org.buftrail.flow.nursery;

import org.buftrail.flow.LeakScope;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What is allocated while its scope is closed is told once: by the scope, or by the one around. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "told by the scope")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "told by the scope around it")
@Outcome(expect = Expect.FORBIDDEN, desc = "told twice, or not at all")
@State
public class CloseAgainstAllocation {
  private final LeakScope outer = LeakScope.open("outer", null);
  private final LeakScope inner = LeakScope.open("inner", outer);
  private final StressBuffer buffer = new StressBuffer();

  @Actor
  public void allocate() {
    Races.allocate(buffer, inner);
  }

  @Actor
  public void close() {
    inner.close();
  }

  @Arbiter
  public void arbiter(II_Result r) {
    r.r1 = Races.leftOver(inner);
    r.r2 = Races.leftOver(outer);
    buffer.release();
    outer.close();
  }
}
