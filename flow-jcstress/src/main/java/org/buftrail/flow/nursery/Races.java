package org.buftrail.flow.nursery;

import org.buftrail.flow.LeakScope;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Leftover;
import org.buftrail.model.Site;

/** What the tests have in common: a place to start from, and a sweeper's second and third look. */
public final class Races {
  static final int HOP = Sites.intern(new Site("stress.Hop", "on", "", 0, ""));

  /** Key of the node that a hop leads to. */
  public static final int HOP_KEY = HOP << 2 | 1;

  public static final Node ROOT =
      Tracker.INSTANCE.tree.root(
          Sites.intern(new Site("stress.Root", "make", "", 0, "")), Node.DIRECT);

  private Races() {}

  /** A buffer whose life has begun at the root, in the first slot of a ring. */
  public static StressBuffer begun() {
    StressBuffer buffer = new StressBuffer();
    FlowState.setStamp(buffer, Stamp.nextLife(0, 0));
    FlowState.setState(buffer, ROOT);
    return buffer;
  }

  /** Begins a life in a scope, as a thread does that is in there. */
  static void allocate(StressBuffer buffer, LeakScope scope) {
    LeakScope.Entered entered = scope.enter();
    Tracker.INSTANCE.mode.setStarting(true);
    Buffers.created(buffer, ROOT.site());
    entered.close();
  }

  /** The number of buffers that a scope reports. */
  static int leftOver(LeakScope scope) {
    return (int) scope.leftovers().stream().mapToLong(Leftover::count).sum();
  }

  /** Lets go of what keeping handed on, which a sweeper would have looked through. */
  static void forgetPublished() {
    Tracker.INSTANCE.nursery.rings.all().forEach(ring -> ring.drainPublished(tenured -> {}));
  }

  /**
   * What sweeps make of a tenured flow once no thread is inside any more.
   *
   * @return the tenured flow that they would believe, or null
   */
  public static TenuredFlow sweep(TenuredFlow tenured, StressBuffer buffer) {
    Nursery nursery = Tracker.INSTANCE.nursery;
    synchronized (nursery) {
      TenuredFlow at = tenured;
      for (int looks = 0; looks < 3 && at != null; looks++) {
        TenuredFlow next =
            at.isEnded() || at.strong == null ? null : nursery.pending.check(at, buffer);
        if (next == null && at.index != TenuredFlow.NOWHERE) {
          nursery.table.remove(at);
          return at;
        }
        at = next;
      }
      return at;
    }
  }
}
