package org.buftrail.flow.nursery;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Holdings;
import org.buftrail.flow.state.SideState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * Tenured flows that are not believed yet: each is looked at twice before its buffer is let go. Why
 * that is enough stands in the package comment. The monitor of {@link Nursery} guards this.
 */
public final class PendingFlows implements Consumer<TenuredFlow> {
  public List<TenuredFlow> waiting = new ArrayList<>();
  final TenuredOf promoting = new TenuredOf();

  /** Made while {@link #waiting} was gone through. */
  private final List<TenuredFlow> promoted = new ArrayList<>();

  private final Nursery nursery;

  /** Roughly the bytes that {@link #waiting} hold. */
  private long bytes;

  PendingFlows(Nursery nursery) {
    this.nursery = nursery;
  }

  /** Counts anew what is held. */
  void weigh() {
    bytes = 0;
    for (TenuredFlow tenured : waiting) {
      TrackedBuffer buffer = tenured.strong;
      bytes += buffer == null ? 0 : ByteBudget.of(buffer);
    }
  }

  /**
   * A tenured flow that the sweeper has made. What it holds is bounded.
   *
   * @param stamp of before the promotion
   */
  void add(TenuredFlow tenured, TrackedBuffer buffer, int stamp) {
    int more = ByteBudget.of(buffer);
    if (bytes + more > ByteBudget.PENDING && nursery.evictions.letGo(tenured, buffer, stamp)) {
      accept(tenured);
    } else {
      bytes += more;
      tenured.bytes = FlowState.bytes(buffer);
      waiting.add(tenured);
    }
  }

  /** Takes what a ring has handed on. */
  @Override
  public void accept(TenuredFlow tenured) {
    if (tenured.strong != null) {
      waiting.add(tenured);
    } else if (tenured.gone) {
      nursery.table.leak(tenured);
    } else if (!tenured.isEnded()) {
      tenured.generation = nursery.collections.generation();
      nursery.table.list(tenured);
      TrackedBuffer buffer = tenured.get();
      if (buffer != null) {
        revisit(tenured, buffer);
      }
    }
  }

  /** At a buffer that was let go before it was looked at a second time. */
  private void revisit(TenuredFlow tenured, TrackedBuffer buffer) {
    if (FlowState.stateOpaque(buffer) != tenured) {
      // A hop stored over it. One that does so later leaves a straggler for the next sweep.
      nursery.table.remove(tenured);
      addAnew(buffer, tenured.born);
    } else if (!tenured.isEnded() && !FlowState.isHeld(buffer)) {
      // Its release is under way, or will never be recorded.
      nursery.table.remove(tenured);
      tenured.strong = buffer;
      waiting.add(tenured);
    }
  }

  /**
   * Fails as the first that failed, when all have been checked. Which do, by their buffer's code
   * perhaps, are given up, lest they fail at every sweep.
   */
  void checkAll() {
    List<TenuredFlow> checking = waiting;
    waiting = new ArrayList<>(checking.size());
    Throwable failure = null;
    for (TenuredFlow tenured : checking) {
      try {
        TrackedBuffer buffer = tenured.strong;
        if (tenured.isEnded()) {
          continue;
        }
        if (buffer == null) {
          // The buffer has grown, and was let go.
          accept(tenured);
          continue;
        }
        TenuredFlow next = check(tenured, buffer);
        if (next != null) {
          waiting.add(next);
        }
      } catch (RuntimeException | Error e) {
        failure = failure == null ? e : failure;
      }
    }
    waiting.addAll(promoted);
    promoted.clear();
    if (failure instanceof Error) {
      throw (Error) failure;
    } else if (failure != null) {
      throw (RuntimeException) failure;
    }
  }

  /** Makes those anew that a hop has stored over, wherever they are. */
  void replaceOverwritten() {
    Set<TrackedBuffer> late = nursery.stragglers.buffers();
    if (!late.isEmpty()) {
      removeOverwritten(late);
      nursery.table.removeOverwritten(late);
      for (TrackedBuffer buffer : late) {
        addAnew(buffer, Ticks.now());
      }
    }
    nursery.stragglers.done();
  }

  /**
   * Needed here too: a flow that grew was let go, and its buffer may be collected before a look.
   */
  private void removeOverwritten(Set<TrackedBuffer> late) {
    List<TenuredFlow> former = waiting;
    waiting = new ArrayList<>(former.size() + promoted.size());
    former.addAll(promoted);
    promoted.clear();
    for (TenuredFlow tenured : former) {
      if (!TenuredTable.isOverwritten(tenured, late)) {
        waiting.add(tenured);
      }
    }
  }

  private void addAnew(TrackedBuffer buffer, int born) {
    TenuredFlow tenured = nursery.promote(buffer, born);
    if (tenured != null) {
      waiting.add(tenured);
    }
  }

  /** Looks whether a promotion held over a sweep; answers what to look at next, null if settled. */
  @Nullable TenuredFlow check(TenuredFlow tenured, TrackedBuffer buffer) {
    if (FlowState.stateOpaque(buffer) != tenured) {
      tenured.strong = null;
      return nursery.promote(buffer, tenured.born);
    }
    int stamp = FlowState.stampOpaque(buffer);
    if (Stamp.isEnded(stamp)) {
      tenured.undo(buffer);
      return null;
    }
    if (buffer instanceof SideState && ((SideState) buffer).isGone()) {
      if (tenured.checked == TenuredFlow.AT_ZERO || !FlowState.isHeld(buffer)) {
        // Code that is not woven released it, before it was collected.
        return endMissed(tenured, buffer, stamp);
      }
      tenured.bytes = FlowState.bytes(buffer);
      tenured.keeps = parent(buffer);
      tenured.strong = null;
      nursery.table.leak(tenured);
      return null;
    }
    if (!Stamp.isTenured(stamp)) {
      return mark(tenured, buffer, stamp);
    }
    if (!FlowState.isHeld(buffer)) {
      tenured.checked = TenuredFlow.AT_ZERO;
      return Ticks.now() - tenured.born < Ticks.MINUTE
          ? tenured
          : endMissed(tenured, buffer, stamp);
    }
    tenured.checked = (byte) (Math.max(0, tenured.checked) + 1);
    if (tenured.checked < TenuredFlow.SETTLED) {
      return tenured;
    }
    settle(tenured, buffer);
    return null;
  }

  /** Marks a stamp, perhaps of a life begun since the state was read: then it looks again. */
  @Nullable TenuredFlow mark(TenuredFlow tenured, TrackedBuffer buffer, int stamp) {
    FlowState.compareAndSetStamp(buffer, stamp, stamp | Stamp.TENURED_SLOT);
    tenured.checked = 0;
    return FlowState.stateOpaque(buffer) == tenured ? tenured : check(tenured, buffer);
  }

  private @Nullable TenuredFlow endMissed(TenuredFlow tenured, TrackedBuffer buffer, int stamp) {
    Node end = tenured.node.end();
    if (tenured.markEnded()) {
      synchronized (nursery.retired) {
        nursery.retired.add(end.endId, FlowState.bytes(buffer));
      }
      nursery.foundMissed();
      FlowState.compareAndSetStamp(buffer, stamp, Stamp.ended(stamp));
      FlowState.compareAndSetState(buffer, tenured, end);
    }
    return null;
  }

  void settle(TenuredFlow tenured, TrackedBuffer buffer) {
    tenured.bytes = FlowState.bytes(buffer);
    tenured.keeps = parent(buffer);
    nursery.holdings.look(tenured, buffer, promoting);
    tenured.strong = null;
    tenured.generation = nursery.collections.generation();
    nursery.table.list(tenured);
  }

  private @Nullable TenuredFlow parent(TrackedBuffer buffer) {
    TrackedBuffer parent = Holdings.parent(buffer);
    return parent == null ? null : promoting.apply(parent);
  }

  /** The tenured flow of a buffer that another holds; null if it is over. */
  private final class TenuredOf implements Function<TrackedBuffer, @Nullable TenuredFlow> {
    @Override
    public @Nullable TenuredFlow apply(TrackedBuffer buffer) {
      TenuredFlow made = nursery.promote(buffer);
      if (made != null) {
        promoted.add(made);
        return made;
      }
      Object state = FlowState.stateOpaque(buffer);
      return state instanceof TenuredFlow ? (TenuredFlow) state : null;
    }
  }
}
