package org.buftrail.flow;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Of those who borrow a desk one at a time has it, and finds what the one before wrote. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "one found it taken")
@Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "both at once, or neither")
@State
public class BorrowAgainstBorrow {
  private final Desk desk = new Desk(null);
  private final boolean[] had = new boolean[2];

  @Actor
  public void one() {
    had[0] = use();
  }

  @Actor
  public void other() {
    had[1] = use();
  }

  private boolean use() {
    if (!desk.borrow()) {
      return false;
    }
    desk.skips(Integer.MAX_VALUE);
    desk.giveBack();
    return true;
  }

  @Arbiter
  public void arbiter(II_Result r) {
    r.r1 = (had[0] ? 1 : 0) + (had[1] ? 1 : 0);
    r.r2 = Integer.MAX_VALUE - desk.placesLeft;
  }
}
