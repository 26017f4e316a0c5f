package org.buftrail.flow.nursery;

import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A release while the sweeper puts the tenured flow into the table leaves nothing there. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "gone from the table")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "a ghost in the table")
@State
public class ReleaseAgainstSettle {
  private final StressBuffer buffer = Races.begun();
  private final TenuredFlow tenured = Tracker.INSTANCE.nursery.promote(buffer);

  @Actor
  public void release() {
    buffer.release();
  }

  @Actor
  public void settle() {
    synchronized (Tracker.INSTANCE.nursery) {
      Tracker.INSTANCE.nursery.pending.settle(tenured, buffer);
    }
  }

  @Arbiter
  public void arbiter(Z_Result r) {
    synchronized (Tracker.INSTANCE.nursery) {
      Tracker.INSTANCE.nursery.rings.all().forEach(Tracker.INSTANCE.nursery::removeEnded);
      r.r1 = tenured.index == TenuredFlow.NOWHERE;
    }
  }
}
