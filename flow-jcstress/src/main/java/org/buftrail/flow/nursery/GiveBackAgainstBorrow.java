package org.buftrail.flow.nursery;

import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A virtual thread that began on another carrier gives the ring back of which the next one asks.
 * That one has it afterwards, and finds what the first wrote.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "it is taken still")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "both at once")
@State
public class GiveBackAgainstBorrow {
  private final ThreadRing ring = new ThreadRing(Tracker.INSTANCE.nursery, null);
  private boolean had;

  public GiveBackAgainstBorrow() {
    ring.borrow();
  }

  @Actor
  public void elsewhere() {
    ring.skips(Integer.MAX_VALUE);
    ring.giveBack();
  }

  @Actor
  public void mounted() {
    had = ring.borrow();
    if (had) {
      ring.skips(Integer.MAX_VALUE);
      ring.giveBack();
    }
  }

  @Arbiter
  public void arbiter(II_Result r) {
    r.r1 = had ? 1 : 0;
    r.r2 = Integer.MAX_VALUE - ring.placesLeft;
  }
}
