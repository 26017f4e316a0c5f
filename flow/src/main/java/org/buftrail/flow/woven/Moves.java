package org.buftrail.flow.woven;

import org.buftrail.flow.base.ForceInline;
import org.buftrail.flow.base.Stable;
import org.buftrail.flow.base.TrackingMode;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Owners;
import org.buftrail.flow.state.SideTable;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Looks;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.Sites;
import org.jspecify.annotations.Nullable;

/** Leads flows on through the path tree. Any thread that has the buffer. */
final class Moves {
  final Composites composites;
  @Stable private final TrackingMode mode;
  @Stable private final SideTable sideTable;
  private final Nursery nursery;
  private final Looks looks;

  Moves(TrackingMode mode, SideTable sideTable, Nursery nursery) {
    this.mode = mode;
    this.sideTable = sideTable;
    this.nursery = nursery;
    this.looks = nursery.tree.looks;
    this.composites = new Composites(nursery, sideTable, this);
  }

  @ForceInline
  void moveIn(@Nullable Object message, int site) {
    if (message instanceof TrackedBuffer) {
      move((TrackedBuffer) message, site);
    } else {
      moveHeld(message, site);
    }
  }

  private void moveHeld(@Nullable Object message, int site) {
    if (mode.isStarting()) {
      TrackedBuffer held = Owners.held(message);
      // A holder may have loaded under the agent, and its buffer's class before.
      TrackedBuffer buffer = held != null ? held : sideTable.find(message);
      if (buffer != null) {
        move(buffer, site);
        inMessage(buffer, message);
      }
    }
  }

  /** Where the flow of a message's buffer may have been looked at: seldom. */
  private void inMessage(TrackedBuffer held, @Nullable Object message) {
    TrackedBuffer buffer = lookedAt(held);
    Node at = buffer == null ? null : Nursery.position(buffer);
    if (buffer != null && at != null) {
      handOn(buffer, at, in(at, message));
    }
  }

  @ForceInline
  void move(TrackedBuffer buffer, int site) {
    Object state = FlowState.state(buffer);
    if (state instanceof Node) {
      Node node = (Node) state;
      if (!node.isEnd() && !Stamp.isEnded(FlowState.stamp(buffer))) {
        step(buffer, node, site);
      }
    } else if (state == null ? mayBeView(buffer) : mode.isAlive()) {
      // While nothing is followed, a view is not asked for its buffer, which would cost a call.
      moveOther(buffer, state, site);
    }
  }

  private boolean mayBeView(TrackedBuffer buffer) {
    return !Stamp.isPassed(FlowState.stamp(buffer)) && mode.isStarting();
  }

  @ForceInline
  private void step(TrackedBuffer buffer, Node from, int site) {
    Node next = from.next(FlowState.key(buffer, site));
    store(buffer, next);
    // So is the next node, which may not be in the cache yet.
    if (from.isCompositeOrScoped()) {
      goOn(buffer, next, site);
    }
  }

  /** Does what a hop of few flows has to do beside. */
  private void goOn(TrackedBuffer buffer, Node next, int site) {
    Node to = site == Sites.RETAIN ? looks.lookAgain(next) : next;
    if (to != next) {
      place(buffer, to);
    }
    if (to.isComposite()) {
      composites.follow(buffer, to);
    }
  }

  @ForceInline
  private void store(TrackedBuffer buffer, Node node) {
    FlowState.setStateOpaque(buffer, node);
    if (Stamp.isMarked(FlowState.stampOpaque(buffer))) {
      nursery.late(buffer);
    }
  }

  /** Moves a flow that is under way to another node. */
  void place(TrackedBuffer buffer, Node node) {
    Object state = FlowState.stateOpaque(buffer);
    if (state instanceof TenuredFlow) {
      ((TenuredFlow) state).node = node;
    } else {
      store(buffer, node);
    }
  }

  private void moveOther(TrackedBuffer buffer, @Nullable Object state, int site) {
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
        if (next.isCompositeOrScoped()) {
          goOn(buffer, next, site);
        }
      }
    }
  }

  /** See {@link Buffers#handedIn} and {@link Buffers#handedOut}. */
  @ForceInline
  void handed(@Nullable Object message, Object handler, boolean isWritten) {
    TrackedBuffer buffer = lookedAt(message);
    if (buffer == null && looks.areOfSideTable()) {
      buffer = lookedUp(message);
    }
    Node at = buffer == null ? null : Nursery.position(buffer);
    if (buffer != null && at != null) {
      handOn(buffer, at, looks.handed(in(at, message), handler.getClass(), isWritten));
    }
  }

  /**
   * What the side table has of a message, soon after the thread looked at the stack for such a
   * flow: to look for each message before each handler would cost too much.
   */
  private @Nullable TrackedBuffer lookedUp(@Nullable Object message) {
    ThreadRing own = message instanceof TrackedBuffer ? null : nursery.rings.own();
    return own != null && own.lookUps.take() && mode.isStarting() ? sideTable.find(message) : null;
  }

  /** See {@link Buffers#given}. */
  @ForceInline
  void given(@Nullable Object message, int callSite, int callee) {
    TrackedBuffer buffer = lookedAt(message);
    if (buffer == null && !(message instanceof TrackedBuffer) && mode.isStarting()) {
      buffer = sideTable.find(message);
    }
    Node at = buffer == null ? null : Nursery.position(buffer);
    if (buffer != null && at != null) {
      handOn(buffer, at, looks.handed(in(at, message), callSite, callee));
    }
  }

  private Node in(Node at, @Nullable Object message) {
    return message == null || message instanceof TrackedBuffer || sideTable.isFollowed(message)
        ? at
        : looks.inMessage(at, message.getClass());
  }

  private void handOn(TrackedBuffer buffer, Node at, Node next) {
    if (next != at) {
      place(buffer, next);
    }
  }

  /** The buffer of a message, where its flow may have been looked at: seldom. Else null. */
  @ForceInline
  private @Nullable TrackedBuffer lookedAt(@Nullable Object message) {
    TrackedBuffer buffer =
        message instanceof TrackedBuffer
            ? (TrackedBuffer) message
            : mode.isStarting() ? Owners.held(message) : null;
    if (buffer == null) {
      return null;
    }
    Object state = FlowState.state(buffer);
    if (state instanceof Node) {
      return ((Node) state).isScoped() ? buffer : null;
    }
    return state == null ? ownerLookedAt(buffer) : orNot(buffer, state);
  }

  private @Nullable TrackedBuffer ownerLookedAt(TrackedBuffer buffer) {
    TrackedBuffer owner = mayBeView(buffer) ? Owners.owner(buffer) : null;
    return owner == null ? null : orNot(owner, FlowState.state(owner));
  }

  private static @Nullable TrackedBuffer orNot(TrackedBuffer buffer, @Nullable Object state) {
    Node at =
        state instanceof Node
            ? (Node) state
            : state instanceof TenuredFlow ? ((TenuredFlow) state).node : null;
    return at != null && at.isScoped() ? buffer : null;
  }

  /** See {@link Buffers#retainedIn}. */
  void retainedIn(@Nullable Object message, int site) {
    TrackedBuffer owner = ownerOf(message);
    if (owner != null) {
      Node at = Nursery.position(owner);
      Node before = at != null && at.site() == Sites.RETAIN ? at.parent() : null;
      if (before != null && !before.isTop()) {
        place(owner, before);
      }
      move(owner, site);
    }
  }

  /** The buffer that has the state of what a message is or holds, or null. */
  private @Nullable TrackedBuffer ownerOf(@Nullable Object message) {
    if (message instanceof TrackedBuffer) {
      TrackedBuffer buffer = (TrackedBuffer) message;
      return FlowState.state(buffer) != null || !mode.isStarting() ? buffer : Owners.owner(buffer);
    }
    if (!mode.isStarting()) {
      return null;
    }
    TrackedBuffer held = Owners.held(message);
    return held == null ? sideTable.find(message) : Owners.owner(held);
  }

  /** See {@link Buffers#requested}. */
  void asked(@Nullable Object buffer, int site) {
    if (!mode.isStarting()) {
      return;
    }
    if (buffer instanceof TrackedBuffer) {
      ask((TrackedBuffer) buffer, site);
    } else {
      TrackedBuffer held = Owners.held(buffer);
      askOwner(held == null ? sideTable.find(buffer) : Owners.owner(held), site);
    }
  }

  private void ask(TrackedBuffer buffer, int site) {
    Object state = FlowState.state(buffer);
    if (state instanceof Node) {
      if (((Node) state).isRoot() && !Stamp.isEnded(FlowState.stamp(buffer))) {
        step(buffer, (Node) state, site);
      }
    } else if (state != null || !Stamp.isPassed(FlowState.stamp(buffer))) {
      askOwner(Owners.owner(buffer), site);
    }
  }

  private void askOwner(@Nullable TrackedBuffer owner, int site) {
    if (owner != null && FlowState.isAtRoot(owner)) {
      move(owner, site);
    }
  }
}
