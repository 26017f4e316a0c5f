package org.buftrail.flow.census;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.scope.Leftovers;
import org.buftrail.flow.scope.Scope;
import org.buftrail.flow.scope.Scopes;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Holdings;
import org.buftrail.flow.state.SideState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the live flows of a scope: first in the rings, then among the tenured flows, to which
 * what leaves a ring goes. Confined to a thread that holds the nursery's monitor.
 *
 * <p>A leftover that was reported is moved to the node of the same path outside of scopes, so that
 * no outer scope reports it again, and it keeps nothing of the scope alive. A hop at the same
 * moment may move it back; then an outer scope reports it once more.
 */
public final class ScopeLeftovers implements Nursery.Visitor {
  public final Leftovers found = new Leftovers();

  private final Nursery nursery;
  private final Scopes scopes;
  private final Scope scope;
  private final boolean isTold;
  private final int now = Ticks.now();

  /** By node: whether what is there belongs to the scope. */
  private final Map<Node, Boolean> mine = new HashMap<>();

  /** Counted in a ring. */
  private final Set<TrackedBuffer> young = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * @param isTold whether what is found is not to be found again
   */
  public ScopeLeftovers(Nursery nursery, Scopes scopes, Scope scope, boolean isTold) {
    this.nursery = nursery;
    this.scopes = scopes;
    this.scope = scope;
    this.isTold = isTold;
  }

  @Override
  public void atRings() {
    for (ThreadRing ring : nursery.rings.all()) {
      long entered = ring.entered();
      // No slot is taken before those below it, so a ring that was used little is read in part.
      int used = (int) Math.min(entered, ring.slots());
      for (int slot = ring.taken(0, used); slot >= 0; slot = ring.taken(slot + 1, used)) {
        TrackedBuffer buffer = ring.inSlot(slot);
        if (buffer != null && Stamp.slot(FlowState.stampOpaque(buffer)) == slot) {
          atYoung(buffer, ring.bornTick(ring.isYoung(slot, entered), now));
        }
      }
    }
  }

  private void atYoung(TrackedBuffer buffer, int born) {
    int stamp = FlowState.stampOpaque(buffer);
    Node node = Stamp.isMarked(stamp) ? null : Nursery.liveNode(buffer, stamp);
    if (node == null || Stamp.isKept(stamp) || !isMine(node)) {
      return;
    }
    long bytes = FlowState.bytes(buffer);
    if (FlowState.isHeld(buffer) && FlowState.stampOpaque(buffer) == stamp && young.add(buffer)) {
      boolean isPart = Holdings.isPart(buffer, node);
      found.add(node, bytes, Ticks.age(born, now), nursery.holdings.needsRelease(buffer), isPart);
      if (isTold) {
        moveOut(buffer, stamp, node);
      }
    }
  }

  private static void moveOut(TrackedBuffer buffer, int stamp, Node from) {
    Node at = from;
    while (at != null && !FlowState.compareAndSetState(buffer, at, at.unscoped())) {
      at = FlowState.stampOpaque(buffer) == stamp ? Nursery.liveNode(buffer, stamp) : null;
    }
  }

  @Override
  public void at(List<TenuredFlow> flows) {
    for (TenuredFlow tenured : flows) {
      if (tenured.node.isScoped() && !tenured.isEnded() && !tenured.kept && isMine(tenured.node)) {
        at(tenured);
      }
    }
  }

  private void at(TenuredFlow tenured) {
    TrackedBuffer strong = tenured.strong;
    TrackedBuffer buffer = strong != null ? strong : tenured.get();
    if (buffer == null || (buffer instanceof SideState && ((SideState) buffer).isGone())) {
      found.addCollected(tenured);
    } else if (!tenured.isOfLifeOf(buffer)) {
      return;
    } else if (!young.contains(buffer)) {
      long bytes = strong != null ? FlowState.bytes(buffer) : tenured.bytes;
      boolean isPart = Holdings.isPart(buffer, tenured.node);
      found.add(tenured.node, bytes, Ticks.age(tenured.born, now), tenured.needsRelease, isPart);
    }
    if (isTold) {
      tenured.node = tenured.node.unscoped();
    }
  }

  private boolean isMine(Node node) {
    if (!node.isScoped()) {
      return false;
    }
    @Nullable Boolean known = mine.get(node);
    if (known == null) {
      known = scopes.owner(node) == scope;
      mine.put(node, known);
    }
    return known;
  }
}
