package org.buftrail.flow.woven;

import org.buftrail.flow.base.Stable;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.nursery.ThreadRings;
import org.buftrail.flow.scope.Scopes;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.SideTable;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Looks;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.SampleStore;
import org.jspecify.annotations.Nullable;

/** Ends the lives of buffers. Any thread that has the buffer. */
final class Releases {
  private final SideTable sideTable;
  private final Scopes scopes;
  private final Moves moves;
  private final Looks looks;
  @Stable private final Nursery nursery;
  @Stable private final ThreadRings rings;

  Releases(SideTable sideTable, Scopes scopes, Nursery nursery, Moves moves) {
    this.sideTable = sideTable;
    this.scopes = scopes;
    this.moves = moves;
    this.looks = nursery.tree.looks;
    this.nursery = nursery;
    this.rings = nursery.rings;
  }

  void end(TrackedBuffer buffer) {
    Object state = FlowState.state(buffer);
    if (state instanceof Node) {
      int seen = FlowState.stampOpaque(buffer);
      Node end = Stamp.isEnded(seen) ? null : endOf(buffer, (Node) state);
      if (end != null) {
        int stamp = leave(buffer, seen, end);
        if (Stamp.isTenured(stamp)) {
          nursery.overtaken(buffer, end);
        }
      }
    } else if (state != null) {
      endOther(buffer, state);
    } else if (Stamp.isPassed(FlowState.stamp(buffer))) {
      // Plainly: no ring has this life, and the buffer is this thread's until its pool has it.
      FlowState.setStamp(buffer, Stamp.ended(FlowState.stamp(buffer)));
    }
  }

  /** Ends the flow of a buffer that may have its state in the side table. */
  void endOfSideTable(Object buffer) {
    TrackedBuffer side = sideTable.find(buffer);
    if (side != null) {
      end(side);
      // Afterwards: a release that fails is found again by its entry.
      sideTable.noteEnded(side);
    }
  }

  private void sample(TenuredFlow tenured, Node end, TrackedBuffer buffer, int seen) {
    ThreadRing own = rings.own();
    // A virtual thread has none: one in as many of its moments.
    boolean sampled =
        own != null ? own.isTenuredSampled() : Ticks.micros() % SampleStore.EVERY == 0;
    if (sampled) {
      nursery.sample(tenured, end.endId, FlowState.bytes(buffer, seen));
    } else {
      nursery.noteLongLife(tenured, end.endId);
    }
  }

  /** Null when that is an end itself. */
  private @Nullable Node endOf(TrackedBuffer buffer, Node node) {
    Node end = node.existingEnd();
    return end != null ? end : node.isEnd() ? null : newEnd(buffer, node);
  }

  /**
   * Makes an end, for each flow that was looked at too: it does not end at the end of its node. Nor
   * does one of a scope that counts exactly.
   */
  private Node newEnd(TrackedBuffer buffer, Node node) {
    if (!node.isScoped()) {
      return node.end();
    }
    Node at = looks.released(node);
    if (at != node) {
      moves.place(buffer, at);
    }
    scopes.ended(buffer, at);
    return at.end();
  }

  private int leave(TrackedBuffer buffer, int seen, Node end) {
    ThreadRing ring = rings.own();
    if (ring != null) {
      return ring.leave(buffer, seen, end);
    }
    return rings.leave(buffer, seen, end);
  }

  private void endOther(TrackedBuffer buffer, Object state) {
    if (state instanceof TenuredFlow) {
      TenuredFlow tenured = (TenuredFlow) state;
      int seen = FlowState.stampOpaque(buffer);
      if (Stamp.isEnded(seen)) {
        return;
      }
      Node at = tenured.node.isScoped() ? looks.released(tenured.node) : tenured.node;
      Node end = at.end().after(tenured.before);
      if (tenured.markEnded()) {
        if (at.isScoped()) {
          scopes.ended(buffer, at);
        }
        try {
          leave(buffer, seen, end);
        } catch (Throwable e) {
          tenured.ended = false;
          throw e;
        }
        FlowState.setStateOpaque(buffer, end);
        if (tenured.index != TenuredFlow.NOWHERE) {
          rings.current().noteEnded(tenured);
        }
        sample(tenured, end, buffer, seen);
      }
    }
  }
}
