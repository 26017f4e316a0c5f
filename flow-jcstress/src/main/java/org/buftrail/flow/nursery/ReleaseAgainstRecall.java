package org.buftrail.flow.nursery;

import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.woven.Tracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * A life ends on a thread without its ring while another looks up what came before: it is over, and
 * a later question learns it.
 */
@JCStressTest
@Outcome(id = "known", expect = Expect.ACCEPTABLE, desc = "at its end, with the end before")
@Outcome(expect = Expect.FORBIDDEN, desc = "not at its end, or the end before is lost")
@State
public class ReleaseAgainstRecall {
  private final ThreadRing ring = new ThreadRing(Tracker.INSTANCE.nursery, null);
  private final ThreadRing other = new ThreadRing(Tracker.INSTANCE.nursery, null);
  private final StressBuffer buffer = new StressBuffer();
  private final int slot;

  public ReleaseAgainstRecall() {
    ring.enter(buffer, Races.ROOT, 0);
    ring.leave(buffer, FlowState.stampOpaque(buffer), Races.ROOT.end());
    ring.enter(buffer, Races.ROOT, 0);
    slot = Stamp.slot(FlowState.stamp(buffer));
  }

  @Actor
  public void release() {
    other.leave(buffer, FlowState.stampOpaque(buffer), Races.ROOT.end());
  }

  @Actor
  public void sweeper() {
    Nursery.recall(buffer, ring.past(slot));
  }

  @Arbiter
  public void arbiter(L_Result r) {
    Node end = Nursery.recall(buffer, ring.past(slot));
    Node root = Races.ROOT.end();
    r.r1 = end != null && end.isAfter() && end.key == root.id ? "known" : "lost";
  }
}
