package org.buftrail.flow.nursery;

import java.util.function.Function;
import org.buftrail.flow.state.Elder;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Foster;
import org.buftrail.flow.state.Holdings;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.Trail;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that may be held strongly no longer, while their flows are under way. Any thread; what a
 * method says of its caller holds beside that.
 *
 * <p>An elder that the sweeper has not seen yet holds its buffer, as a rule, until it has been
 * looked at twice. Here it does not, so that what the tracker keeps from the collector stays within
 * {@link HeldBytes}: {@link Nursery} says why that falsifies nothing.
 */
public final class Evictions implements Function<Trail, @Nullable Elder> {
  private final Nursery nursery;

  Evictions(Nursery nursery) {
    this.nursery = nursery;
  }

  /**
   * What is in a slot of {@code desk} must make room. Owner of the desk only.
   *
   * <p>If it lives, it is held no longer: see {@link #letGo}.
   *
   * @return whether it does
   */
  public boolean displaced(DeskRing desk, Trail old, int slot) {
    int stamp = FlowState.stampOpaque(old);
    if (Stamp.slot(stamp) != slot) {
      Nursery.recall(old, desk.past(slot));
      return false;
    }
    Elder elder = nursery.takeOver(old, desk.past(slot), desk.bornTick());
    if (elder != null) {
      letGo(elder, old, stamp);
      desk.hand(elder);
    }
    return elder != null;
  }

  /**
   * Lets go of the buffer of an elder just made, if that may be: a derived buffer is asked later
   * what it keeps alive, a resource's count says nothing, and with a count of 0 a release is under
   * way, whose memory is nobody's.
   *
   * @param stamp of before the takeover; after it the count may be that of the next life
   */
  boolean letGo(Elder elder, Trail buffer, int stamp) {
    int bytes = FlowState.bytes(buffer);
    boolean isHeld =
        FlowState.isHeld(buffer) && FlowState.stampOpaque(buffer) == (stamp | Stamp.ELDER_SLOT);
    if (!isHeld || buffer instanceof Foster || Holdings.parent(buffer) != null) {
      return false;
    }
    elder.bytes = bytes;
    if (buffer.buftrail$components() != null) {
      Holdings.look(elder, buffer, this);
    }
    elder.strong = null;
    return true;
  }

  /**
   * A buffer keeps more memory alive than before. If it is held strongly, that must be allowed, or
   * it is let go. Any thread.
   */
  public void grown(Trail buffer, int bytes) {
    Object state = FlowState.stateOpaque(buffer);
    int stamp = FlowState.stampOpaque(buffer);
    if (state instanceof Elder) {
      Elder elder = (Elder) state;
      if (elder.index != Elder.NOWHERE || elder.strong == null) {
        elder.bytes = FlowState.bytes(buffer);
      } else if (bytes > HeldBytes.SMALL && !elder.isOver(buffer)) {
        letGo(elder, buffer, stamp);
      }
    } else if (state instanceof Node
        && !Stamp.isMarked(stamp)
        && HeldBytes.of(bytes, Stamp.isPooled(stamp)) > HeldBytes.OBJECT) {
      Desk desk = Desks.near(stamp);
      if ((desk != null && desk.inSlot(Stamp.slot(stamp)) == buffer)
          ? !desk.charge(bytes)
          : bytes > HeldBytes.SMALL) {
        apply(buffer);
      }
    }
  }

  /** Follows a buffer by an elder that does not hold it. That elder, or null when it is over. */
  @Override
  public @Nullable Elder apply(Trail buffer) {
    int stamp = FlowState.stampOpaque(buffer);
    Elder made = nursery.takeOverAgain(buffer);
    if (made == null) {
      Object state = FlowState.stateOpaque(buffer);
      return state instanceof Elder ? (Elder) state : null;
    }
    letGo(made, buffer, stamp);
    Desks.hand(made);
    takeFromRing(buffer, stamp);
    return made;
  }

  /** A buffer that has an elder since a moment ago is in a ring no longer. */
  void takeFromRing(Trail buffer, int stamp) {
    if (Desks.clear(buffer, stamp)) {
      // A new life may have begun in that slot meanwhile.
      Elder next = nursery.takeOver(buffer);
      if (next != null) {
        Desks.hand(next);
      }
    }
  }
}
