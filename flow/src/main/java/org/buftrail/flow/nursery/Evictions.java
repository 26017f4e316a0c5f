package org.buftrail.flow.nursery;

import java.util.function.Function;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Holdings;
import org.buftrail.flow.state.SideState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that may be held strongly no longer, while their flows are under way. Any thread; what a
 * method says of its caller holds beside that.
 *
 * <p>A tenured flow that the sweeper has not seen yet holds its buffer, as a rule, until it has
 * been looked at twice. Here it does not, so that what the tracker keeps from the collector stays
 * within {@link ByteBudget}: the package comment says why that falsifies nothing.
 */
public final class Evictions implements Function<TrackedBuffer, @Nullable TenuredFlow> {
  private final Nursery nursery;

  Evictions(Nursery nursery) {
    this.nursery = nursery;
  }

  /**
   * Makes room by evicting the flow in a slot of {@code ring}. Owner of the ring only.
   *
   * <p>If it lives, it is held no longer: see {@link #letGo}.
   *
   * @return whether it does
   */
  public boolean displaced(RingSlots ring, TrackedBuffer old, int slot) {
    int stamp = FlowState.stampOpaque(old);
    if (Stamp.slot(stamp) != slot) {
      Nursery.recall(old, ring.past(slot));
      return false;
    }
    TenuredFlow tenured = nursery.promote(old, ring.past(slot), ring.bornTick());
    if (tenured != null) {
      letGo(tenured, old, stamp);
      ring.hand(tenured);
      recheck(tenured, old);
    }
    return tenured != null;
  }

  /**
   * Lets go of the buffer of a tenured flow just made, if that may be: a derived buffer is asked
   * later what it keeps alive, a resource's count says nothing, and with a count of 0 a release is
   * under way, whose memory is nobody's.
   *
   * @param stamp of before the promotion; after it the count may be that of the next life
   */
  boolean letGo(TenuredFlow tenured, TrackedBuffer buffer, int stamp) {
    int bytes = FlowState.bytes(buffer);
    boolean isHeld =
        FlowState.isHeld(buffer) && FlowState.stampOpaque(buffer) == (stamp | Stamp.TENURED_SLOT);
    if (!isHeld || buffer instanceof SideState || Holdings.parent(buffer) != null) {
      return false;
    }
    tenured.bytes = bytes;
    if (buffer.buftrail$components() != null) {
      nursery.holdings.look(tenured, buffer, this);
    }
    tenured.strong = null;
    return true;
  }

  /**
   * A buffer keeps more memory alive than before. If it is held strongly, that must be allowed, or
   * it is let go. Any thread.
   */
  public void grown(TrackedBuffer buffer, int bytes) {
    Object state = FlowState.stateOpaque(buffer);
    int stamp = FlowState.stampOpaque(buffer);
    if (state instanceof TenuredFlow) {
      TenuredFlow tenured = (TenuredFlow) state;
      if (tenured.index != TenuredFlow.NOWHERE || tenured.strong == null) {
        tenured.bytes = FlowState.bytes(buffer);
      } else if (bytes > ByteBudget.SMALL && !tenured.isOver(buffer)) {
        letGo(tenured, buffer, stamp);
      }
    } else if (state instanceof Node
        && !Stamp.isMarked(stamp)
        && ByteBudget.of(bytes, Stamp.isPooled(stamp)) > ByteBudget.OBJECT) {
      ThreadRing ring = nursery.rings.own();
      if ((ring != null && ring.inSlot(Stamp.slot(stamp)) == buffer)
          ? !ring.charge(bytes)
          : bytes > ByteBudget.SMALL) {
        apply(buffer);
      }
    }
  }

  /**
   * Follows a buffer by a tenured flow that does not hold it. That tenured flow, or null when it is
   * over.
   */
  @Override
  public @Nullable TenuredFlow apply(TrackedBuffer buffer) {
    int stamp = FlowState.stampOpaque(buffer);
    TenuredFlow made = nursery.promote(buffer);
    if (made == null) {
      Object state = FlowState.stateOpaque(buffer);
      return state instanceof TenuredFlow ? (TenuredFlow) state : null;
    }
    evict(made, buffer, stamp);
    return made;
  }

  /**
   * Lets go of the buffer of a tenured flow just made, and hands that on. Any thread.
   *
   * @param stamp of before the promotion
   */
  void evict(TenuredFlow made, TrackedBuffer buffer, int stamp) {
    letGo(made, buffer, stamp);
    publish(made, buffer);
    if (nursery.rings.clear(buffer, stamp)) {
      // A new life may have begun in that slot meanwhile.
      TenuredFlow next = nursery.promote(buffer);
      if (next != null) {
        publish(next, buffer);
      }
    }
  }

  private void publish(TenuredFlow tenured, TrackedBuffer buffer) {
    nursery.rings.hand(tenured);
    recheck(tenured, buffer);
  }

  /**
   * After a tenured flow has been handed on. Any thread.
   *
   * <p>If a hop has stored over it before the sweeper could find it, the straggler that reported
   * that may be gone, and with the buffer released and collected, the tenured flow would be taken
   * for a leak. Whatever stores over it after this look leaves its straggler after this hand-on.
   */
  void recheck(TenuredFlow tenured, TrackedBuffer buffer) {
    if (FlowState.stateVolatile(buffer) != tenured && !tenured.isEnded()) {
      nursery.stragglers.add(buffer);
    }
  }
}
