package org.buftrail.flow.nursery;

import org.buftrail.flow.tree.Counters;
import org.buftrail.flow.tree.CountsByNode;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Counts that move from notes to slots, and from slots to the shared ones, are seen once. */
@JCStressTest
@Outcome(id = "1, 64, 66", expect = Expect.ACCEPTABLE, desc = "looked before both")
@Outcome(id = "1, 65, 66", expect = Expect.ACCEPTABLE, desc = "looked between them")
@Outcome(id = "1, 66, 66", expect = Expect.ACCEPTABLE, desc = "looked afterwards")
@Outcome(expect = Expect.FORBIDDEN, desc = "missed, or counted twice")
@State
public class SpillAgainstSum {
  private static final int SIZE = 32;
  private static final int NOTED_END = 1 + SIZE;

  private final Counters shared = new Counters();
  private final EndCounts counts = new EndCounts(shared, SIZE);

  private static final class Sum implements CountsByNode {
    int first;
    int noted;

    @Override
    public void add(int end, long flows, long bytes) {
      first += end == 1 ? (int) flows : 0;
      noted += end == NOTED_END ? (int) flows : 0;
    }
  }

  public SpillAgainstSum() {
    counts.add(1, 1);
    for (int i = 0; i < EndCounts.NOTES; i++) {
      counts.add(NOTED_END, 1);
    }
  }

  @Actor
  public void owner() {
    counts.add(NOTED_END, 1);
    counts.add(NOTED_END, 1);
  }

  @Actor
  public void reader(III_Result r) {
    Sum sum = sum();
    r.r1 = sum.first;
    r.r2 = sum.noted;
  }

  @Arbiter
  public void arbiter(III_Result r) {
    r.r3 = sum().noted;
  }

  private Sum sum() {
    Sum sum = new Sum();
    synchronized (shared) {
      shared.forEach(sum);
      counts.forEach(sum);
    }
    return sum;
  }
}
