package org.buftrail.flow.nursery;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.buftrail.flow.scope.Scopes;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Counters;
import org.buftrail.flow.tree.Leaks;
import org.buftrail.flow.tree.Node;

/**
 * Tenured flows that are believed, and what became of those whose buffers were collected.
 *
 * <p>{@link TenuredFlow#index} is the place in the table. Guarded by the nursery's monitor.
 */
public final class TenuredTable {
  private final Scopes scopes;

  public final Leaks leaks = new Leaks();

  /** Flows that were collected unreleased, and nothing was lost by that. */
  public final Counters dropped = new Counters();

  /**
   * Flows that leaked ones held: components, and parents of derived buffers. Their bytes are with
   * the leak.
   */
  public final Counters held = new Counters();

  private final ArrayList<TenuredFlow> flows = new ArrayList<>();
  private long collectedKept;

  public TenuredTable(Scopes scopes) {
    this.scopes = scopes;
  }

  /** By {@link TenuredFlow#index}. A view. */
  public List<TenuredFlow> all() {
    return Collections.unmodifiableList(flows);
  }

  /** Flows that were nobody's when they were collected: as if they had never begun. */
  public long collectedKept() {
    return collectedKept;
  }

  void list(TenuredFlow tenured) {
    flows.add(tenured);
    tenured.index = flows.size() - 1;
    if (tenured.isEnded()) {
      // The release may have looked at the index before it was set.
      remove(tenured);
    }
  }

  void remove(TenuredFlow tenured) {
    int index = tenured.index;
    if (index == TenuredFlow.NOWHERE) {
      return;
    }
    TenuredFlow last = flows.remove(flows.size() - 1);
    if (last != tenured) {
      flows.set(index, last);
      last.index = index;
    }
    tenured.index = TenuredFlow.NOWHERE;
  }

  /** Removes tenured flows of {@code late} buffers that are no longer their state. */
  void removeOverwritten(Set<TrackedBuffer> late) {
    for (int i = flows.size() - 1; i >= 0; i--) {
      TenuredFlow tenured = flows.get(i);
      if (isOverwritten(tenured, late)) {
        remove(tenured);
      }
    }
  }

  /** Whether it is no longer the state of its buffer, if that is one of {@code late}. */
  static boolean isOverwritten(TenuredFlow tenured, Set<TrackedBuffer> late) {
    TrackedBuffer buffer = tenured.get();
    return buffer != null && late.contains(buffer) && FlowState.stateOpaque(buffer) != tenured;
  }

  /** Counts the leaks that the collector has reported. */
  void drain(ReferenceQueue<TrackedBuffer> collected) {
    for (Reference<? extends TrackedBuffer> r = collected.poll(); r != null; r = collected.poll()) {
      TenuredFlow tenured = (TenuredFlow) r;
      if (tenured.index == TenuredFlow.NOWHERE) {
        tenured.gone = true;
      } else {
        leak(tenured);
        remove(tenured);
      }
    }
  }

  /** Finds what was collected a moment ago and is not in the queue yet. */
  void takeCollected() {
    take(false);
  }

  /** Finds all that a collection has collected that has ended just now. */
  void takeCleared() {
    take(true);
  }

  private void take(boolean cleared) {
    for (int i = flows.size() - 1; i >= 0; i--) {
      TenuredFlow tenured = flows.get(i);
      if ((cleared ? tenured.isCleared() : tenured.isCollected()) && !tenured.isEnded()) {
        leak(tenured);
        remove(tenured);
      }
    }
  }

  /** Counts a tenured flow whose buffer was collected, if it was not released. */
  void leak(TenuredFlow tenured) {
    if (tenured.isEnded()) {
      return;
    }
    if (tenured.kept) {
      collectedKept++;
      return;
    }
    if (tenured.told == TenuredFlow.UNTOLD) {
      tenured.told = TenuredFlow.ALONE;
      if (tenured.node.isScoped()) {
        scopes.collected(tenured);
      }
      count(tenured);
    }
    // One cause, so one path also for the buffers that it kept alive. They are lost with it, but
    // may be found before it, or by a later collection.
    TenuredFlow parent = tenured.keeps;
    while (parent != null && parent.told != TenuredFlow.UNTOLD && parent.needsRelease) {
      takeBack(parent);
      hold(parent, tenured.node);
      parent = parent.keeps;
    }
    if (parent != null) {
      parent.holdBy(tenured);
    }
  }

  private void count(TenuredFlow tenured) {
    Node holder = tenured.holderLostAt();
    if (!tenured.needsRelease) {
      dropped.add(tenured.node.id, tenured.bytes);
    } else if (holder != null) {
      hold(tenured, holder);
    } else {
      leaks.add(tenured.node, tenured.bytes);
    }
  }

  private void hold(TenuredFlow tenured, Node at) {
    tenured.node = at;
    tenured.told = TenuredFlow.HELD;
    held.add(at.id, 0);
    leaks.addBytes(at, tenured.bytes);
  }

  /** A leak that was found belongs to another path. */
  private void takeBack(TenuredFlow tenured) {
    if (tenured.told == TenuredFlow.HELD) {
      held.add(tenured.node.id, -1, 0);
      leaks.addBytes(tenured.node, -tenured.bytes);
    } else {
      leaks.take(tenured.node, tenured.bytes);
    }
  }
}
