package org.buftrail.flow.nursery;

import java.util.Objects;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A hop that ends where it began stores over the tenured flow of a large buffer, so that another
 * promotion takes place: a sweep that has both at hand has a straggler too. That of the hop does
 * not count, since it does not hold a large buffer.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "one tenured flow, or a straggler")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "two leaks, once the buffer is collected")
@State
public class TwoPromotionsAgainstLoop {
  private static final Nursery NURSERY = Tracker.INSTANCE.nursery;

  private final StressBuffer buffer = Races.begun();

  @Actor
  public void loop() {
    Object read = FlowState.stateOpaque(buffer);
    NURSERY.evictions.apply(buffer);
    sweep();
    if (read instanceof Node) {
      FlowState.setStateOpaque(buffer, read);
    }
    sweep();
  }

  @Actor
  public void promote() {
    NURSERY.evictions.apply(buffer);
  }

  /** Covers all existing buffers: collected ones are not visited again. */
  private static void sweep() {
    synchronized (NURSERY) {
      NURSERY.stragglers.collect();
      NURSERY.rings.all().forEach(ring -> ring.drainPublished(TwoPromotionsAgainstLoop::take));
      for (TrackedBuffer late : NURSERY.stragglers.buffers()) {
        putRight((StressBuffer) late);
      }
      NURSERY.stragglers.done();
    }
  }

  /** Leaves what is the state. */
  private static void putRight(StressBuffer late) {
    late.isPutRight = true;
    if (FlowState.stateOpaque(late) != late.handed) {
      late.handed = null;
    }
  }

  private static void take(TenuredFlow tenured) {
    StressBuffer of = (StressBuffer) Objects.requireNonNull(tenured.get());
    of.isPutRight = of.handed == null;
    if (of.handed == null || FlowState.stateOpaque(of) == tenured) {
      of.handed = tenured;
    }
  }

  @Arbiter
  public void arbiter(Z_Result r) {
    sweep();
    r.r1 = buffer.isPutRight;
  }
}
