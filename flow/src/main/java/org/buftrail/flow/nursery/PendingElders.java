package org.buftrail.flow.nursery;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.state.Elder;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Foster;
import org.buftrail.flow.state.Holdings;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.Trail;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * Elders that are not believed yet: each is looked at twice before its buffer is let go. Why that
 * is enough is told in {@link Nursery}, whose monitor guards this.
 */
public final class PendingElders implements Consumer<Elder> {
  public List<Elder> elders = new ArrayList<>();
  final ElderOf adopting = new ElderOf();

  /** Taken over while {@link #elders} was gone through. */
  private final List<Elder> adopted = new ArrayList<>();

  private final Nursery nursery;

  /** Of what {@link #elders} hold, about. */
  private long bytes;

  PendingElders(Nursery nursery) {
    this.nursery = nursery;
  }

  /** Counts anew what is held. */
  void weigh() {
    bytes = 0;
    for (Elder elder : elders) {
      Trail buffer = elder.strong;
      bytes += buffer == null ? 0 : HeldBytes.of(buffer);
    }
  }

  /**
   * An elder that the sweeper has made. What it holds is bounded.
   *
   * @param stamp of before the takeover
   */
  void add(Elder elder, Trail buffer, int stamp) {
    int more = HeldBytes.of(buffer);
    if (bytes + more > HeldBytes.PENDING && nursery.evictions.letGo(elder, buffer, stamp)) {
      accept(elder);
    } else {
      bytes += more;
      elder.bytes = FlowState.bytes(buffer);
      elders.add(elder);
    }
  }

  /** Takes what a desk has handed on. */
  @Override
  public void accept(Elder e) {
    if (e.strong != null) {
      elders.add(e);
    } else if (e.gone) {
      nursery.table.leak(e);
    } else if (!e.isEnded()) {
      e.generation = nursery.collector.generation();
      nursery.table.list(e);
      Trail buffer = e.get();
      if (buffer != null) {
        lookAgain(e, buffer);
      }
    }
  }

  /** At a buffer that was let go before it was looked at a second time. */
  private void lookAgain(Elder elder, Trail buffer) {
    if (FlowState.stateOpaque(buffer) != elder) {
      // A hop stored over it before it was in the table, and its straggler may be gone.
      nursery.stragglers.addOverwritten(buffer, FlowState.stampOpaque(buffer));
    } else if (!elder.isEnded() && !FlowState.isHeld(buffer)) {
      // Its release is under way, or will never be told of.
      nursery.table.remove(elder);
      elder.strong = buffer;
      elders.add(elder);
    }
  }

  /**
   * Fails as the first that failed, when all have been checked. Which do, by their buffer's code
   * perhaps, are given up, lest they fail at every sweep.
   */
  void checkAll() {
    List<Elder> checking = elders;
    elders = new ArrayList<>(checking.size());
    Throwable failure = null;
    for (Elder elder : checking) {
      try {
        Trail buffer = elder.strong;
        if (elder.isEnded()) {
          continue;
        }
        if (buffer == null) {
          // It has grown, and was let go.
          accept(elder);
          continue;
        }
        Elder next = check(elder, buffer);
        if (next != null) {
          elders.add(next);
        }
      } catch (RuntimeException | Error e) {
        failure = failure == null ? e : failure;
      }
    }
    elders.addAll(adopted);
    adopted.clear();
    if (failure instanceof Error) {
      throw (Error) failure;
    } else if (failure != null) {
      throw (RuntimeException) failure;
    }
  }

  /** Looks whether a takeover held over a sweep; answers what to look at next, null if settled. */
  @Nullable Elder check(Elder elder, Trail buffer) {
    if (FlowState.stateOpaque(buffer) != elder) {
      elder.strong = null;
      return nursery.takeOver(buffer, elder.born);
    }
    int stamp = FlowState.stampOpaque(buffer);
    if (Stamp.isEnded(stamp)) {
      elder.undo(buffer);
      return null;
    }
    if (buffer instanceof Foster && ((Foster) buffer).isGone()) {
      if (elder.checked == Elder.AT_ZERO || !FlowState.isHeld(buffer)) {
        // It was let go of by code that is not woven, before it was collected.
        return endUnseen(elder, buffer, stamp);
      }
      elder.bytes = FlowState.bytes(buffer);
      elder.strong = null;
      nursery.table.leak(elder);
      return null;
    }
    if (!Stamp.isElder(stamp)) {
      return mark(elder, buffer, stamp);
    }
    if (!FlowState.isHeld(buffer)) {
      elder.checked = Elder.AT_ZERO;
      return Ticks.now() - elder.born < Ticks.MINUTE ? elder : endUnseen(elder, buffer, stamp);
    }
    elder.checked = (byte) (Math.max(0, elder.checked) + 1);
    if (elder.checked < 2) {
      return elder;
    }
    settle(elder, buffer);
    return null;
  }

  /** Marks a stamp, perhaps of a life begun since the state was read: then it looks again. */
  @Nullable Elder mark(Elder elder, Trail buffer, int stamp) {
    FlowState.compareAndSetStamp(buffer, stamp, stamp | Stamp.ELDER_SLOT);
    elder.checked = 0;
    return FlowState.stateOpaque(buffer) == elder ? elder : check(elder, buffer);
  }

  private @Nullable Elder endUnseen(Elder elder, Trail buffer, int stamp) {
    Node end = elder.node.end();
    if (elder.markEnded()) {
      synchronized (nursery.retired) {
        nursery.retired.add(end.endId, FlowState.bytes(buffer));
      }
      nursery.foundMissed();
      FlowState.compareAndSetStamp(buffer, stamp, Stamp.ended(stamp));
      FlowState.compareAndSetState(buffer, elder, end);
    }
    return null;
  }

  void settle(Elder elder, Trail buffer) {
    elder.bytes = FlowState.bytes(buffer);
    Trail parent = Holdings.parent(buffer);
    elder.keeps = parent == null ? null : adopting.apply(parent);
    Holdings.look(elder, buffer, adopting);
    elder.strong = null;
    elder.generation = nursery.collector.generation();
    nursery.table.list(elder);
  }

  /** The elder of a buffer that another holds; null if it is over. */
  private final class ElderOf implements Function<Trail, @Nullable Elder> {
    @Override
    public @Nullable Elder apply(Trail buffer) {
      Elder made = nursery.takeOverAgain(buffer);
      if (made != null) {
        adopted.add(made);
        return made;
      }
      Object state = FlowState.stateOpaque(buffer);
      return state instanceof Elder ? (Elder) state : null;
    }
  }
}
