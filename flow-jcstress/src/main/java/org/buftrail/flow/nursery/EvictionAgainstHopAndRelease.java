package org.buftrail.flow.nursery;

import java.util.Objects;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A hop stores over the tenured flow of a buffer that is being let go, and a release and a sweep
 * follow: one that has the tenured flow at hand has a straggler too that reports it.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "over, looked at again, or removed")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "a leak, once the buffer is collected")
@State
public class EvictionAgainstHopAndRelease {
  private static final Nursery NURSERY = Tracker.INSTANCE.nursery;

  private final StressBuffer buffer = Races.begun();

  @Actor
  public void evict() {
    NURSERY.evictions.apply(buffer);
  }

  @Actor
  public void hopAndReleaseAndSweep() {
    Buffers.hop(buffer, Races.HOP);
    buffer.release();
    sweep();
  }

  /** Covers all existing buffers: collected ones are not visited again. */
  private static void sweep() {
    synchronized (NURSERY) {
      NURSERY.stragglers.collect();
      NURSERY.rings.all().forEach(ring -> ring.drainPublished(EvictionAgainstHopAndRelease::take));
      for (TrackedBuffer late : NURSERY.stragglers.buffers()) {
        StressBuffer told = (StressBuffer) late;
        told.isPutRight |= told.handed != null;
      }
      NURSERY.stragglers.done();
    }
  }

  private static void take(TenuredFlow tenured) {
    ((StressBuffer) Objects.requireNonNull(tenured.get())).handed = tenured;
  }

  @Arbiter
  public void arbiter(Z_Result r) {
    sweep();
    TenuredFlow handed = buffer.handed;
    r.r1 = handed == null || handed.isEnded() || handed.strong != null || buffer.isPutRight;
  }
}
