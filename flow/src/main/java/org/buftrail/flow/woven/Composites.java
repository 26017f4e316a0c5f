package org.buftrail.flow.woven;

import org.buftrail.flow.nursery.ByteBudget;
import org.buftrail.flow.nursery.Nursery;
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
  /** Components that follow a hop; the rest wait for the next change. Bounds the cost of a hop. */
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
    nursery.holdings.changed(composite);
    Node at = Nursery.position(composite);
    if (at == null) {
      return;
    }
    if (composite instanceof SideState) {
      followBeside((SideState) composite, at, 0);
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
    if (composite instanceof SideState) {
      followBeside((SideState) composite, to, 0);
    } else {
      follow(composite, to, 0);
    }
  }

  /**
   * The same where components have no place for where they came from. All move with it, also such
   * as somebody else holds too, and one that leaves its composite stays where that was.
   */
  private void followBeside(SideState composite, Node to, int nesting) {
    @Nullable Object[] components = composite.components();
    int count = components == null ? 0 : Math.min(components.length, MAX_FOLLOWING);
    for (int i = 0; components != null && i < count && components[i] != null; i++) {
      TrackedBuffer part = sideTable.find(components[i]);
      if (part != null && part != composite && Nursery.position(part) != null) {
        moves.place(part, to);
        if (part instanceof SideState && nesting < MAX_NESTING) {
          followBeside((SideState) part, to, nesting + 1);
        }
      }
    }
  }

  private void follow(TrackedBuffer composite, Node to, int nesting) {
    @Nullable Object[] components = composite.buftrail$components();
    if (components == null || nesting > MAX_NESTING) {
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
    boolean composite = isComposite(buffer);
    moves.place(buffer, node);
    if (composite) {
      follow(buffer, node, nesting + 1);
    }
  }

  static boolean isComposite(TrackedBuffer buffer) {
    return buffer instanceof SideState
        ? ((SideState) buffer).components() != null
        : buffer.buftrail$components() != null;
  }
}
