package org.buftrail.flow.woven;

import org.buftrail.flow.base.Restraints;
import org.buftrail.flow.nursery.Desk;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.scope.Scopes;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Owners;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.PathTree;
import org.buftrail.flow.tree.Roots;
import org.jspecify.annotations.Nullable;

/** Begins the lives of buffers, one at a time each. Any thread. */
public final class Births {
  /** The state of a buffer that sampling passed over, until it is released. */
  static final Object SKIPPED = new Object();

  private static final Roots ROOTS = PathTree.INSTANCE.roots;

  private Births() {}

  /** Whether a life is under way that has no tenured flow. Then the buffer counts for itself. */
  static boolean isYoung(TrackedBuffer buffer) {
    return FlowState.state(buffer) instanceof Node && !Stamp.isMarked(FlowState.stamp(buffer));
  }

  /**
   * Called by another method that makes buffers: the outermost is the one the application knows.
   */
  static void rename(TrackedBuffer owner, int site) {
    Object state = FlowState.state(owner);
    if (state instanceof Node && ((Node) state).isBySite()) {
      Node root = Scopes.INSTANCE.root(ROOTS.of(site, Roots.kindOf((Node) state)));
      FlowState.compareAndSetState(owner, state, root);
    }
  }

  static void bear(@Nullable TrackedBuffer owner, int site) {
    if (owner == null) {
      return;
    }
    if (mayBegin(owner)) {
      int kind = kind(owner);
      begin(owner, ROOTS.of(site, kind), kind);
    } else {
      rename(owner, site);
    }
  }

  /** What kind of memory a live buffer has. */
  static int kind(TrackedBuffer owner) {
    return (Composites.isComposite(owner) ? Roots.COMPOSITE_HEAP : Roots.HEAP)
        | (owner.isDirect() ? 1 : 0);
  }

  static void begin(TrackedBuffer owner, Node root, int kind) {
    if (((kind & 1) == 0 && Restraints.INSTANCE.isDirectOnly()) || passesOver(owner)) {
      return;
    }
    enter(owner, Scopes.INSTANCE.root(root), kind >= Roots.COMPOSITE_HEAP ? Stamp.WEIGHTLESS : 0);
    if (kind >= Roots.COMPOSITE_HEAP) {
      Composites.joinAll(owner);
    }
  }

  /** The buffer that counts for {@code buffer}, or null when a life of it is under way. */
  static @Nullable TrackedBuffer idle(TrackedBuffer buffer) {
    TrackedBuffer owner = FlowState.state(buffer) != null ? buffer : Owners.owner(buffer);
    return owner != null && mayBegin(owner) ? owner : null;
  }

  /** Whether sampling passes over the life that is to begin. Before any other work. */
  static boolean passesOver(TrackedBuffer owner) {
    return Restraints.INSTANCE.areSampling() && isNotChosen(owner);
  }

  private static boolean isNotChosen(TrackedBuffer owner) {
    boolean skips = Nursery.INSTANCE.desks.skips(Restraints.INSTANCE.sampling());
    if (skips) {
      FlowState.setState(owner, SKIPPED);
    }
    return skips;
  }

  public static void enter(TrackedBuffer owner, Node node, int weight) {
    Desk own = Nursery.INSTANCE.desks.own();
    if (own != null) {
      own.enter(owner, node, weight);
    } else {
      Nursery.INSTANCE.desks.enter(owner, node, weight);
    }
  }

  /** Whether no life is under way; one whose release was missed ends by this. */
  static boolean mayBegin(TrackedBuffer owner) {
    return isIdle(owner) || (Flows.missed != 0 && MissedReleases.settle(owner));
  }

  /** Whether no life of a buffer is under way. */
  static boolean isIdle(TrackedBuffer owner) {
    Object state = FlowState.state(owner);
    return state == null || (state != SKIPPED && Stamp.isEnded(FlowState.stamp(owner)));
  }
}
