package org.buftrail.flow.woven;

import org.buftrail.flow.base.Stable;
import org.buftrail.flow.base.TrackingMode;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.nursery.ThreadRings;
import org.buftrail.flow.scope.Scopes;
import org.buftrail.flow.state.BufferAccess;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Holdings;
import org.buftrail.flow.state.Owners;
import org.buftrail.flow.state.SideState;
import org.buftrail.flow.state.SideTable;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Looks;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.Roots;
import org.jspecify.annotations.Nullable;

/** Begins the lives of buffers, one at a time each. Any thread. */
public final class Births {
  @Stable private final TrackingMode mode;
  @Stable private final SideTable sideTable;
  @Stable private final Scopes scopes;
  @Stable private final Roots roots;
  @Stable private final ThreadRings rings;
  private final Composites composites;
  private final Looks looks;

  Births(
      TrackingMode mode,
      SideTable sideTable,
      Scopes scopes,
      Nursery nursery,
      Composites composites) {
    this.mode = mode;
    this.sideTable = sideTable;
    this.scopes = scopes;
    this.roots = nursery.tree.roots;
    this.rings = nursery.rings;
    this.composites = composites;
    this.looks = nursery.tree.looks;
  }

  /** See {@link Buffers#allocated}. */
  void allocated(@Nullable Object buffer, Object allocator, int kind) {
    if (mode.exclude((kind & 1) != 0)) {
      return;
    }
    TrackedBuffer tracked =
        buffer instanceof TrackedBuffer ? (TrackedBuffer) buffer : sideTable.adopt(buffer);
    TrackedBuffer owner = tracked == null ? null : idle(tracked);
    if (owner != null && !passesOver(owner)) {
      int weight = kind >= Roots.COMPOSITE_HEAP ? Stamp.WEIGHTLESS : 0;
      start(owner, roots.of(allocator.getClass(), kind), weight);
    }
  }

  /** See {@link Buffers#returnedByAllocator}. */
  void given(@Nullable Object buffer, Object allocator, int atLeast) {
    if (!mode.isStarting()) {
      return;
    }
    TrackedBuffer owner =
        buffer instanceof TrackedBuffer
            ? Owners.owner((TrackedBuffer) buffer)
            : sideTable.adopt(buffer);
    if (owner != null && mayBegin(owner)) {
      int kind = kind(owner) | atLeast;
      begin(owner, roots.of(allocator.getClass(), kind), kind);
    }
  }

  /** See {@link Buffers#created}. */
  void born(@Nullable Object buffer, int site) {
    if (!mode.isStarting()) {
      return;
    }
    if (!(buffer instanceof TrackedBuffer)) {
      bear(sideTable.adopt(buffer), site);
    } else if (Buffers.missed == 0 && isYoung((TrackedBuffer) buffer)) {
      rename((TrackedBuffer) buffer, site);
    } else {
      bear(Owners.owner((TrackedBuffer) buffer), site);
    }
  }

  /** See {@link Buffers#createdOnHeap}. */
  void bornInHeap(@Nullable Object buffer, int site) {
    if (!mode.exclude(false)) {
      born(buffer, site);
    }
  }

  /** See {@link Buffers#derived}. */
  void derived(@Nullable Object buffer) {
    if (mode.isStarting() && buffer != null && !(buffer instanceof TrackedBuffer)) {
      derivedForeign(buffer);
    } else if (mode.isStarting() && buffer instanceof TrackedBuffer) {
      TrackedBuffer owner = Owners.owner(((TrackedBuffer) buffer).buftrail$parent());
      Node node = owner == null ? null : Nursery.position(owner);
      TrackedBuffer derived = node == null ? null : idle((TrackedBuffer) buffer);
      if (derived != null && node != null) {
        // Its parent was chosen by sampling, and so it is too.
        enterDerived(derived, node);
      }
    }
  }

  /** The same where the state is in the side table. */
  private void derivedForeign(Object buffer) {
    BufferAccess how = sideTable.accessOf(buffer);
    Object owner = how == null ? null : how.parent(buffer);
    SideState parent = owner == null ? null : sideTable.get(owner);
    Node node = parent == null ? null : Nursery.position(parent);
    SideState derived = how == null || node == null ? null : sideTable.adopt(how, buffer);
    if (parent != null && node != null && derived != null && mayBegin(derived)) {
      derived.setParent(parent);
      enterDerived(derived, node);
    }
  }

  private void enterDerived(TrackedBuffer derived, Node ofParent) {
    Node from = looks.lookAgain(ofParent);
    enter(derived, from, Stamp.WEIGHTLESS);
    if (from.isScoped()) {
      scopes.begun(derived, from);
    }
  }

  private void start(TrackedBuffer owner, Node root, int weight) {
    if (mode.areScoped()) {
      startScoped(owner, root, weight);
    } else {
      enter(owner, root, weight);
    }
  }

  private void startScoped(TrackedBuffer owner, Node root, int weight) {
    ThreadRing own = rings.own();
    Node node;
    if (own != null) {
      int version = scopes.version();
      Node known = own.scopedRoot.get(root, version);
      node = known != null ? known : own.scopedRoot.keep(root, scopes.scoped(root), version);
      own.enter(owner, node, weight);
    } else {
      node = scopes.scoped(root);
      rings.enter(owner, node, weight);
    }
    scopes.begun(owner, node);
  }

  /** Whether a life is under way that has no tenured flow. Then the buffer counts for itself. */
  private static boolean isYoung(TrackedBuffer buffer) {
    return FlowState.state(buffer) instanceof Node && !Stamp.isMarked(FlowState.stamp(buffer));
  }

  /**
   * Called by another method that makes buffers: the outermost is the one the application knows.
   */
  private void rename(TrackedBuffer owner, int site) {
    Object state = FlowState.state(owner);
    if (state instanceof Node && ((Node) state).isBySite()) {
      Node root = scopes.root(roots.of(site, Roots.kindOf((Node) state)));
      FlowState.compareAndSetState(owner, state, looks.keep((Node) state, root));
    }
  }

  private void bear(@Nullable TrackedBuffer owner, int site) {
    if (owner == null) {
      return;
    }
    if (mayBegin(owner)) {
      int kind = kind(owner);
      begin(owner, roots.of(site, kind), kind);
    } else {
      rename(owner, site);
    }
  }

  /** What kind of memory a live buffer has. */
  private static int kind(TrackedBuffer owner) {
    return (Holdings.isComposite(owner) ? Roots.COMPOSITE_HEAP : Roots.HEAP)
        | (owner.isDirect() ? 1 : 0);
  }

  private void begin(TrackedBuffer owner, Node root, int kind) {
    if (((kind & 1) == 0 && mode.isDirectOnly()) || passesOver(owner)) {
      return;
    }
    start(owner, root, kind >= Roots.COMPOSITE_HEAP ? Stamp.WEIGHTLESS : 0);
    if (kind >= Roots.COMPOSITE_HEAP) {
      composites.joinAll(owner);
    }
  }

  /** The buffer that counts for {@code buffer}, or null when a life of it is under way. */
  private static @Nullable TrackedBuffer idle(TrackedBuffer buffer) {
    if (Stamp.isOver(FlowState.stamp(buffer))) {
      // Only what counts for itself has lives, so nobody is asked.
      return buffer;
    }
    TrackedBuffer owner = FlowState.state(buffer) != null ? buffer : Owners.owner(buffer);
    return owner != null && mayBegin(owner) ? owner : null;
  }

  /** Whether sampling passes over the life that is to begin. Before any other work. */
  private boolean passesOver(TrackedBuffer owner) {
    return mode.areSampling() && isNotChosen(owner);
  }

  private boolean isNotChosen(TrackedBuffer owner) {
    ThreadRing own = rings.own();
    int sampling = mode.sampling();
    boolean skips = own != null ? own.skips(sampling) : rings.skips(sampling);
    if (skips) {
      pass(owner);
    }
    return skips;
  }

  /** By the stamp: a reference that is stored into a pool's buffer, which is old, costs a fence. */
  private static void pass(TrackedBuffer owner) {
    if (FlowState.state(owner) != null) {
      FlowState.setState(owner, null);
    }
    FlowState.setStamp(owner, Stamp.passed(FlowState.stamp(owner)));
  }

  public void enter(TrackedBuffer owner, Node node, int weight) {
    ThreadRing own = rings.own();
    if (own != null) {
      own.enter(owner, node, weight);
      return;
    }
    rings.enter(owner, node, weight);
  }

  /** Whether no life is under way; one whose release was missed ends by this. */
  private static boolean mayBegin(TrackedBuffer owner) {
    return isIdle(owner) || (Buffers.missed != 0 && MissedReleases.settle(owner));
  }

  /** Whether no life of a buffer is under way. */
  static boolean isIdle(TrackedBuffer owner) {
    int stamp = FlowState.stamp(owner);
    return FlowState.state(owner) == null ? !Stamp.isPassed(stamp) : Stamp.isEnded(stamp);
  }
}
