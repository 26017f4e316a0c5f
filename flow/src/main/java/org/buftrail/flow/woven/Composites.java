package org.buftrail.flow.woven;

import org.buftrail.flow.nursery.ByteBudget;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.state.BufferAccess;
import org.buftrail.flow.state.ComponentBase;
import org.buftrail.flow.state.Holdings;
import org.buftrail.flow.state.Owners;
import org.buftrail.flow.state.SideState;
import org.buftrail.flow.state.SideTable;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the flows of a composite's components where the composite is.
 *
 * <p>A component whose only reference is the composite's moves with it: to its node when it is
 * added, or at the next hop after it has become the only one, along at every hop, and back to its
 * own when it is removed. So a composite that leaks or is live shows once, with what is in it; its
 * own bytes count as 0, since its components have them. A component that others hold as well stays
 * on its own path.
 *
 * <p>Called by the thread that changes the composite; as unsafe for two threads as the composite
 * is.
 */
final class Composites {
  /**
   * The most components that follow a hop; the rest wait for the next change. Bounds a hop's cost.
   */
  static final int MAX_FOLLOWING = 64;

  private static final int MAX_NESTING = 4;

  private final Nursery nursery;
  private final SideTable sideTable;
  private final Moves moves;

  Composites(Nursery nursery, SideTable sideTable, Moves moves) {
    this.nursery = nursery;
    this.sideTable = sideTable;
    this.moves = moves;
  }

  /** Like {@link #add}, for a composite whose state is in the side table. */
  void addForeign(Object composite, @Nullable Object component) {
    BufferAccess how = sideTable.accessOf(composite);
    SideState to = how == null ? null : sideTable.get(composite);
    if (how != null && to != null && component != null) {
      joinForeign(how, to, how.source(component));
    }
  }

  /** Like {@link #joinAll}, for a composite whose state is in the side table. */
  void joinAllForeign(@Nullable Object composite) {
    BufferAccess how = sideTable.accessOf(composite);
    SideState to = how == null || composite == null ? null : sideTable.get(composite);
    if (how != null && composite != null && to != null) {
      for (Object source : how.components(composite)) {
        joinForeign(how, to, source);
      }
    }
  }

  /** Like {@link #part}, for a component of such a composite. */
  void partForeign(Object component) {
    BufferAccess how = sideTable.accessOf(component);
    Object source = how == null ? null : how.source(component);
    SideState part = source == null ? null : sideTable.get(source);
    Node own = part == null ? null : part.leave();
    if (part != null && own != null && Nursery.position(part) != null) {
      place(part, own, 0);
    }
  }

  /** One that began before the agent came has no flow, but may need a release. */
  private void joinForeign(BufferAccess how, SideState composite, @Nullable Object source) {
    SideState part = source == null ? null : sideTable.get(source);
    if (part != null && part != composite) {
      part.join(composite);
      Node to = Nursery.position(composite);
      if (to != null) {
        take(part, to, 0);
      }
    } else if (part == null && source != null && how.needsRelease(source)) {
      composite.needRelease();
    }
  }

  /** Moves a component to where its composite is, unless somebody else holds it too. */
  private void take(SideState part, Node to, int nesting) {
    Node at = Nursery.position(part);
    if (at == null || (part.own == null && part.refCnt() != 1)) {
      return;
    }
    if (part.own == null) {
      part.own = at;
    }
    place(part, to, nesting);
  }

  /** A component has been added: the composite keeps it alive. */
  void add(TrackedBuffer composite, ComponentBase component) {
    join(composite, component);
    nursery.holdings.changed(composite);
    TrackedBuffer source = Owners.owner(component.buftrail$source());
    if (source != null) {
      nursery.evictions.grown(composite, ByteBudget.of(source));
    }
  }

  private void join(TrackedBuffer composite, ComponentBase component) {
    Node to = Nursery.position(composite);
    TrackedBuffer source = to == null ? null : Owners.owner(component.buftrail$source());
    if (to == null || source == null || source.refCnt() != 1) {
      return;
    }
    Node own = Nursery.position(source);
    if (own != null) {
      component.own = own;
      place(source, to, 0);
    }
  }

  /** Lets in what was added before the composite had a flow, or while somebody else held it too. */
  void joinAll(TrackedBuffer composite) {
    if (composite instanceof SideState) {
      joinAllForeign(((SideState) composite).owner());
      return;
    }
    nursery.holdings.changed(composite);
    if (Nursery.position(composite) == null) {
      return;
    }
    @Nullable Object[] components = composite.buftrail$components();
    for (int i = 0; components != null && i < components.length; i++) {
      if (components[i] instanceof ComponentBase && ((ComponentBase) components[i]).own == null) {
        add(composite, (ComponentBase) components[i]);
      }
    }
  }

  void part(ComponentBase component) {
    Holdings.parted(component);
    Node own = component.own;
    if (own == null) {
      return;
    }
    component.own = null;
    TrackedBuffer source = Owners.owner(component.buftrail$source());
    if (source != null && Nursery.position(source) != null) {
      place(source, own, 0);
    }
  }

  /** The composite has moved. */
  void follow(TrackedBuffer composite, Node to) {
    follow(composite, to, 0);
  }

  private void follow(TrackedBuffer composite, Node to, int nesting) {
    if (nesting > MAX_NESTING) {
      return;
    }
    if (composite instanceof SideState) {
      followForeign((SideState) composite, to, nesting);
      return;
    }
    @Nullable Object[] components = composite.buftrail$components();
    if (components == null) {
      return;
    }
    int count = Math.min(components.length, MAX_FOLLOWING);
    // The unused places are the last ones.
    for (int i = 0; i < count && components[i] != null; i++) {
      if (components[i] instanceof ComponentBase) {
        follow(composite, (ComponentBase) components[i], to, nesting);
      }
    }
  }

  private void followForeign(SideState composite, Node to, int nesting) {
    Object alive = composite.owner();
    BufferAccess how = sideTable.accessOf(alive);
    @Nullable Object[] sources =
        how == null || alive == null ? new Object[0] : how.components(alive);
    int count = Math.min(sources.length, MAX_FOLLOWING);
    for (int i = 0; i < count; i++) {
      Object source = sources[i];
      SideState part = source == null ? null : sideTable.get(source);
      if (part != null && part != composite) {
        take(part, to, nesting);
      }
    }
  }

  private void follow(TrackedBuffer composite, ComponentBase component, Node to, int nesting) {
    if (component.own == null) {
      // Another holder may have let go since it was added, as Netty's aggregators do.
      join(composite, component);
      return;
    }
    TrackedBuffer source = Owners.owner(component.buftrail$source());
    if (source != null && Nursery.position(source) != null) {
      place(source, to, nesting);
    }
  }

  private void place(TrackedBuffer buffer, Node node, int nesting) {
    boolean composite = Holdings.isComposite(buffer);
    moves.place(buffer, node);
    if (composite) {
      follow(buffer, node, nesting + 1);
    }
  }
}
