package org.buftrail.flow.nursery;

import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** What the sweeper takes back of a thread that wakes up is nobody's twice, and is not lost. */
@JCStressTest
@Outcome(id = "kept", expect = Expect.ACCEPTABLE, desc = "the owner was there first")
@Outcome(id = "taken", expect = Expect.ACCEPTABLE, desc = "the owner knows, or will")
@Outcome(expect = Expect.FORBIDDEN, desc = "the account is wrong, or the owner never looks")
@State
public class ReclaimAgainstOwner {
  private static final int GRANTED = 50_000;

  private final ThreadRing ring = new ThreadRing(Tracker.INSTANCE.nursery, null);
  private int taken;
  private int seen;

  public ReclaimAgainstOwner() {
    ring.allowance += GRANTED;
    ring.offer();
  }

  @Actor
  public void owner() {
    ring.takeOffered();
    seen = ring.allowance;
    ring.offer();
  }

  @Actor
  public void sweeper() {
    taken = ring.reclaim();
  }

  @Arbiter
  public void arbiter(L_Result r) {
    boolean looks = ring.floor != 0 || seen == ByteBudget.OF_EACH_RING;
    ring.takeOffered();
    boolean exact = ring.allowance + taken == ByteBudget.OF_EACH_RING + GRANTED;
    r.r1 = !exact || (taken != 0 && !looks) ? "wrong" : taken == 0 ? "kept" : "taken";
    Tracker.INSTANCE.nursery.ringBudget.take(taken);
  }
}
