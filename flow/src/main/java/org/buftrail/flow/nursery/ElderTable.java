package org.buftrail.flow.nursery;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.buftrail.flow.scope.Scopes;
import org.buftrail.flow.state.Elder;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Trail;
import org.buftrail.flow.tree.Counters;
import org.buftrail.flow.tree.Leaks;
import org.buftrail.flow.tree.Node;

/**
 * Elders that are believed, and what became of those whose buffers were collected.
 *
 * <p>{@link Elder#index} is the place in the table. Guarded by the nursery's monitor.
 */
public final class ElderTable {
  public final Leaks leaks = new Leaks();

  /** Flows that were collected unreleased, and nothing was lost by that. */
  public final Counters dropped = new Counters();

  /**
   * Flows that leaked ones held: components, and parents of derived buffers. Their bytes are with
   * the leak.
   */
  public final Counters held = new Counters();

  private final ArrayList<Elder> elders = new ArrayList<>();
  private long collectedKept;

  /** By {@link Elder#index}. A view. */
  public List<Elder> all() {
    return Collections.unmodifiableList(elders);
  }

  /** Flows that were nobody's when they were collected: as if they had never begun. */
  public long collectedKept() {
    return collectedKept;
  }

  void list(Elder elder) {
    elders.add(elder);
    elder.index = elders.size() - 1;
    if (elder.isEnded()) {
      // The release may have looked at the index before it was set.
      remove(elder);
    }
  }

  void remove(Elder elder) {
    int index = elder.index;
    if (index == Elder.NOWHERE) {
      return;
    }
    Elder last = elders.remove(elders.size() - 1);
    if (last != elder) {
      elders.set(index, last);
      last.index = index;
    }
    elder.index = Elder.NOWHERE;
  }

  /** Removes elders of {@code late} buffers that are no longer their state. */
  void removeOverwritten(Set<Trail> late) {
    for (int i = elders.size() - 1; i >= 0; i--) {
      Elder elder = elders.get(i);
      Trail buffer = elder.get();
      if (buffer != null && late.contains(buffer) && FlowState.stateOpaque(buffer) != elder) {
        remove(elder);
      }
    }
  }

  /** Counts the leaks that the collector has told of. */
  void drain(ReferenceQueue<Trail> collected) {
    for (Reference<? extends Trail> r = collected.poll(); r != null; r = collected.poll()) {
      Elder elder = (Elder) r;
      if (elder.index == Elder.NOWHERE) {
        elder.gone = true;
      } else {
        leak(elder);
        remove(elder);
      }
    }
  }

  /** Finds what was collected a moment ago and is not in the queue yet. */
  void takeCollected() {
    for (int i = elders.size() - 1; i >= 0; i--) {
      Elder elder = elders.get(i);
      if (elder.isCollected() && !elder.isEnded()) {
        leak(elder);
        remove(elder);
      }
    }
  }

  /** Counts an elder whose buffer was collected, if it was not released. */
  void leak(Elder elder) {
    if (elder.isEnded()) {
      return;
    }
    if (elder.kept) {
      collectedKept++;
      return;
    }
    if (elder.told == Elder.UNTOLD) {
      elder.told = Elder.ALONE;
      if (elder.node.isScoped()) {
        Scopes.collected(elder);
      }
      count(elder);
    }
    // What it kept alive was collected with it: one cause, so one path.
    Elder parent = elder.keeps;
    while (parent != null && isHeldByLoss(parent)) {
      if (parent.told != Elder.UNTOLD) {
        takeBack(parent);
      }
      hold(parent, elder.node);
      parent = parent.keeps;
    }
  }

  private static boolean isHeldByLoss(Elder parent) {
    return parent.isOfTable() && !parent.kept && parent.needsRelease && parent.get() == null;
  }

  private void count(Elder elder) {
    Elder holder = elder.lostHolder();
    if (!elder.needsRelease) {
      dropped.add(elder.node.id, elder.bytes);
    } else if (holder != null) {
      hold(elder, holder.node);
    } else {
      leaks.add(elder.node, elder.bytes);
    }
  }

  private void hold(Elder elder, Node at) {
    elder.node = at;
    elder.told = Elder.HELD;
    held.add(at.id, 0);
    leaks.addBytes(at, elder.bytes);
  }

  /** A leak that was found belongs to another path. */
  private void takeBack(Elder elder) {
    if (elder.told == Elder.HELD) {
      held.add(elder.node.id, -1, 0);
      leaks.addBytes(elder.node, -elder.bytes);
    } else {
      leaks.take(elder.node, elder.bytes);
    }
  }
}
