package org.buftrail.flow.state;

import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Two threads that meet a buffer which has no place for its state agree on one state. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "one state")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "two, or none")
@State
public class AdoptAgainstAdopt {
  static {
    Tracker.INSTANCE.sideTable.add(new PlainBuffers());
  }

  private final PlainBuffers.Plain buffer = new PlainBuffers.Plain();
  private TrackedBuffer first;
  private TrackedBuffer second;

  @Actor
  public void first() {
    first = Tracker.INSTANCE.sideTable.adopt(buffer);
  }

  @Actor
  public void second() {
    second = Tracker.INSTANCE.sideTable.adopt(buffer);
  }

  @Arbiter
  public void arbiter(Z_Result r) {
    r.r1 = first != null && first == second && Tracker.INSTANCE.sideTable.find(buffer) == first;
  }
}
