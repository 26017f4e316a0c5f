package org.buftrail.flow.nursery;

import java.util.Objects;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A thread has taken out what it had handed on, to let go of what has ended: a sweep that does not
 * find a tenured flow there keeps the straggler of its buffer.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "put right together, or later")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "the straggler is gone before")
@State
public class DropEndedAgainstSweep {
  private static final Nursery NURSERY = Tracker.INSTANCE.nursery;

  private final ThreadRing ring = new ThreadRing(NURSERY, Thread.currentThread());
  private final StressBuffer buffer = Races.begun();
  private boolean isForgotten;

  public DropEndedAgainstSweep() {
    ring.hand(Objects.requireNonNull(NURSERY.promote(buffer)));
  }

  @Actor
  public void dropEnded() {
    // Some times, to meet the other in the middle.
    for (int i = 0; i < 8; i++) {
      ring.dropEnded();
    }
  }

  @Actor
  public void sweep() {
    synchronized (NURSERY) {
      NURSERY.stragglers.add(buffer);
      NURSERY.stragglers.collect();
      ring.drainPublished(this::take);
      isForgotten = NURSERY.stragglers.buffers().contains(buffer) && buffer.handed == null;
      NURSERY.stragglers.done();
    }
  }

  private void take(TenuredFlow tenured) {
    buffer.handed = tenured;
  }

  @Arbiter
  public void arbiter(Z_Result r) {
    r.r1 = !isForgotten;
  }
}
