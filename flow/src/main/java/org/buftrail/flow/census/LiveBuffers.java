package org.buftrail.flow.census;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Holdings;
import org.buftrail.flow.state.SideState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.NodeHops;
import org.buftrail.model.Path;
import org.jspecify.annotations.Nullable;

/**
 * The buffers that are followed and live, each with where it is, for questions about their memory.
 *
 * <p>Holds every buffer, so it is to be let go of soon. It reads the weak reference of each tenured
 * flow, which keeps a lost buffer alive through the marking that a concurrent collector has under
 * way: so it is made when somebody asks, and seldom, lest leaks be found late. Buffers may be
 * released while it is used. Confined to one thread.
 */
public final class LiveBuffers implements Nursery.Visitor {
  private static final int BITS = 13;
  private static final int SIZE = 1 << BITS;

  private final Nursery nursery;

  /** Buffers found in a ring, which the tenured flows may have once more. */
  private final Set<Object> young = Collections.newSetFromMap(new IdentityHashMap<>());

  private final List<Block> blocks = new ArrayList<>();
  private Block last = new Block();
  private int size;

  /** So many buffers that no array is too large for the collector's young generation. */
  private static final class Block {
    final Object[] buffers = new Object[SIZE];
    final Node[] nodes = new Node[SIZE];
    final int[] bytes = new int[SIZE];

    /** What derived buffers keep alive; null where none of the block is derived. */
    @Nullable TrackedBuffer @Nullable [] parents;
  }

  private LiveBuffers(Nursery nursery) {
    this.nursery = nursery;
  }

  /**
   * Returns the live buffers of now. Takes time in proportion to live flows, with the nursery's
   * monitor.
   */
  public static LiveBuffers of(Nursery nursery) {
    LiveBuffers live = new LiveBuffers(nursery);
    synchronized (nursery) {
      nursery.show(live);
    }
    live.young.clear();
    return live;
  }

  @Override
  public void atRings() {
    for (ThreadRing ring : nursery.rings.all()) {
      int used = (int) Math.min(ring.entered(), ring.slots());
      for (int slot = ring.taken(0, used); slot >= 0; slot = ring.taken(slot + 1, used)) {
        TrackedBuffer buffer = ring.inSlot(slot);
        if (buffer != null) {
          atSlot(buffer, slot);
        }
      }
    }
  }

  private void atSlot(TrackedBuffer buffer, int slot) {
    int stamp = FlowState.stampOpaque(buffer);
    Node node = Stamp.slot(stamp) == slot ? Nursery.liveNode(buffer, stamp) : null;
    if (node != null && FlowState.isHeld(buffer) && young.add(buffer)) {
      add(buffer, node);
    }
  }

  @Override
  public void at(List<TenuredFlow> flows) {
    for (TenuredFlow tenured : flows) {
      TrackedBuffer strong = tenured.strong;
      TrackedBuffer buffer = strong == null && !tenured.isEnded() ? tenured.get() : strong;
      if (buffer != null && tenured.isOfLifeOf(buffer) && !wasYoung(tenured, buffer)) {
        add(buffer, tenured.node);
      }
    }
  }

  /**
   * Whether it has left its ring since that was looked at. One that two sweeps have found had left
   * before; so most buffers, of a million, are not asked for their identity hash, which writes.
   */
  private boolean wasYoung(TenuredFlow tenured, TrackedBuffer buffer) {
    return tenured.checked < TenuredFlow.SETTLED && young.contains(buffer);
  }

  private void add(TrackedBuffer buffer, Node node) {
    Object owner = asMade(buffer);
    if (node.isResource() || owner == null) {
      return;
    }
    int at = size & SIZE - 1;
    if (at == 0) {
      last = new Block();
      blocks.add(last);
    }
    last.buffers[at] = owner;
    last.bytes[at] = FlowState.bytes(buffer);
    last.nodes[at] = node;
    if (last.bytes[at] == 0) {
      addParent(at, Holdings.parent(buffer));
    }
    size++;
  }

  private void addParent(int at, @Nullable TrackedBuffer parent) {
    if (parent != null) {
      @Nullable TrackedBuffer[] parents = last.parents;
      if (parents == null) {
        parents = new TrackedBuffer[SIZE];
        last.parents = parents;
      }
      parents[at] = parent;
    }
  }

  private Node node(int i) {
    return blocks.get(i >> BITS).nodes[i & SIZE - 1];
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /**
   * A buffer, as the library made it.
   *
   * @param i 0 or more, less than {@link #size}
   */
  public Object buffer(int i) {
    return blocks.get(i >> BITS).buffers[i & SIZE - 1];
  }

  /** What a derived buffer with a count of its own keeps alive, when looked at; else null. */
  public @Nullable TrackedBuffer parent(int i) {
    @Nullable TrackedBuffer[] parents = blocks.get(i >> BITS).parents;
    return parents == null ? null : parents[i & SIZE - 1];
  }

  /** The buffer that has, or is, a state, as {@link #buffer} gives it; null once it is gone. */
  public static @Nullable Object asMade(TrackedBuffer state) {
    return state instanceof SideState ? ((SideState) state).owner() : state;
  }

  /** A number for the path on which a buffer is, the same for all that are on it. */
  public int path(int i) {
    return node(i).id;
  }

  /** Whether the memory of a buffer's path is outside the heap. */
  public boolean isDirect(int i) {
    return node(i).isDirect();
  }

  /** Where a buffer was, root first. */
  public List<Path.Hop> hops(int i) {
    return NodeHops.upTo(node(i));
  }

  /** Bytes that a buffer counts for, 0 where others count for them. */
  public long bytes(int i) {
    return blocks.get(i >> BITS).bytes[i & SIZE - 1];
  }
}
