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
 * A virtual thread that began on another carrier gives the desk back of which the next one asks.
 * That one has it afterwards, and finds what the first wrote.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "it is taken still")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "both at once")
@State
public class GiveBackAgainstBorrow {
  private final Desk desk = new Desk(Tracker.INSTANCE.nursery, null);
  private boolean had;

  public GiveBackAgainstBorrow() {
    desk.borrow();
  }

  @Actor
  public void elsewhere() {
    desk.skips(Integer.MAX_VALUE);
    desk.giveBack();
  }

  @Actor
  public void mounted() {
    had = desk.borrow();
    if (had) {
      desk.skips(Integer.MAX_VALUE);
      desk.giveBack();
    }
  }

  @Arbiter
  public void arbiter(II_Result r) {
    r.r1 = had ? 1 : 0;
    r.r2 = Integer.MAX_VALUE - desk.placesLeft;
  }
}
