package org.buftrail.flow.nursery;

import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * A live buffer in a slot that its ring gives up under the eyes of the sweeper has a tenured flow.
 * It had a life before, so that the sweeper has something to clear in the other array, too.
 */
@JCStressTest
@Outcome(id = "tenured flow", expect = Expect.ACCEPTABLE, desc = "the life has been promoted")
@Outcome(expect = Expect.FORBIDDEN, desc = "nobody knows of the life")
@State
public class ShrinkAgainstSweep {
  private static final int LARGER = 4 * ThreadRing.RING;

  private final ThreadRing ring = new ThreadRing(Tracker.INSTANCE.nursery, null);
  private final StressBuffer buffer = new StressBuffer();

  public ShrinkAgainstSweep() {
    ring.put(LARGER);
    ring.next = LARGER - 2;
    ring.enter(buffer, Races.ROOT, 0);
    ring.leave(buffer, FlowState.stampOpaque(buffer), Races.ROOT.end());
    ring.enter(buffer, Races.ROOT, 0);
  }

  @Actor
  public void owner() {
    ring.giveUpAllowance();
  }

  @Actor
  public void sweeper() {
    int slot = LARGER - 1;
    TrackedBuffer seen = ring.inSlot(slot);
    if (seen != null && ring.clearSlot(slot, seen)) {
      Tracker.INSTANCE.nursery.promote(seen);
    }
  }

  @Arbiter
  public void arbiter(L_Result r) {
    r.r1 = FlowState.state(buffer) instanceof TenuredFlow ? "tenured flow" : "lost";
    // The released slot had not been taken.
    Tracker.INSTANCE.nursery.ringBudget.take((LARGER - ThreadRing.RING) * RingSlots.SLOT_BYTES);
  }
}
