package org.buftrail.flow.woven;

import org.buftrail.flow.base.ForceInline;
import org.buftrail.flow.base.Restraints;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Owners;
import org.buftrail.flow.state.SideTable;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/** Leads flows on through the path tree. Any thread that has the buffer. */
final class Moves {
  private Moves() {}

  @ForceInline
  static void moveIn(@Nullable Object message, int site) {
    if (message instanceof TrackedBuffer) {
      move((TrackedBuffer) message, site);
    } else {
      moveHeld(message, site);
    }
  }

  private static void moveHeld(@Nullable Object message, int site) {
    if (Restraints.INSTANCE.isStarting()) {
      TrackedBuffer held = Owners.held(message);
      // A holder may have loaded under the agent, and its buffer's class before.
      TrackedBuffer buffer = held != null ? held : SideTable.INSTANCE.find(message);
      if (buffer != null) {
        move(buffer, site);
      }
    }
  }

  @ForceInline
  static void move(TrackedBuffer buffer, int site) {
    Object state = FlowState.state(buffer);
    if (state instanceof Node) {
      Node node = (Node) state;
      if (!node.isEnd() && !Stamp.isEnded(FlowState.stamp(buffer))) {
        step(buffer, node, site);
      }
    } else if (state == null
        ? Restraints.INSTANCE.isStarting()
        : state != Births.SKIPPED && Restraints.INSTANCE.isAlive()) {
      // While nothing is followed, a view is not asked for its buffer, which would cost a call.
      moveOther(buffer, state, site);
    }
  }

  @ForceInline
  private static void step(TrackedBuffer buffer, Node from, int site) {
    // As the next, which may be far away yet.
    boolean isComposite = from.isComposite();
    Node next = from.next(FlowState.key(buffer, site));
    store(buffer, next);
    if (isComposite) {
      Composites.follow(buffer, next);
    }
  }

  @ForceInline
  private static void store(TrackedBuffer buffer, Node node) {
    FlowState.setStateOpaque(buffer, node);
    if (Stamp.isMarked(FlowState.stampOpaque(buffer))) {
      Nursery.INSTANCE.late(buffer);
    }
  }

  /** Moves a flow that is under way to another node. */
  static void place(TrackedBuffer buffer, Node node) {
    Object state = FlowState.stateOpaque(buffer);
    if (state instanceof TenuredFlow) {
      ((TenuredFlow) state).node = node;
    } else {
      store(buffer, node);
    }
  }

  private static void moveOther(TrackedBuffer buffer, @Nullable Object state, int site) {
    if (state == null) {
      TrackedBuffer owner = Owners.owner(buffer);
      if (owner != null && owner != buffer && FlowState.state(owner) != null) {
        move(owner, site);
      }
    } else if (state instanceof TenuredFlow) {
      TenuredFlow tenured = (TenuredFlow) state;
      if (!tenured.isOver(buffer) && !tenured.kept) {
        Node next = tenured.node.next(FlowState.key(buffer, site));
        tenured.node = next;
        if (tenured.index != TenuredFlow.NOWHERE) {
          // It may have grown since it was put into the table.
          tenured.bytes = FlowState.bytes(buffer);
        }
        if (next.isComposite()) {
          Composites.follow(buffer, next);
        }
      }
    }
  }

  static void ask(TrackedBuffer buffer, int site) {
    Object state = FlowState.state(buffer);
    if (state instanceof Node) {
      if (((Node) state).isRoot() && !Stamp.isEnded(FlowState.stamp(buffer))) {
        step(buffer, (Node) state, site);
      }
    } else {
      askOwner(Owners.owner(buffer), site);
    }
  }

  static void askOwner(@Nullable TrackedBuffer owner, int site) {
    if (owner != null && FlowState.isAtRoot(owner)) {
      move(owner, site);
    }
  }
}
