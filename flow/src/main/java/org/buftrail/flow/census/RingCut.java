package org.buftrail.flow.census;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/** The position and content of a ring at the moment of a census. */
final class RingCut {
  final ThreadRing ring;

  /** What had been handed on before. */
  final @Nullable TenuredFlow handed;

  /** Flows that had begun on it. */
  final long allocated;

  /** Flows under way that lay in the ring. */
  final List<Young> live = new ArrayList<>();

  /** Flows with a count of 0: their release is about to be reported. */
  final List<Young> leaving = new ArrayList<>();

  private final TrackedBuffer[] buffers;
  private final long entered;
  private final int born;

  /** A flow in a ring. */
  static final class Young {
    final TrackedBuffer buffer;
    final Node node;
    final long bytes;

    /** When it began, about, in ticks of {@link Ticks}. */
    final int born;

    private Young(TrackedBuffer buffer, Node node, long bytes, int born) {
      this.buffer = buffer;
      this.node = node;
      this.bytes = bytes;
      this.born = born;
    }
  }

  RingCut(ThreadRing ring) {
    this.ring = ring;
    this.handed = ring.lastPublished();
    this.born = ring.bornTick(true, Ticks.now());
    this.buffers = ring.buffers();
    this.entered = ring.entered();
    this.allocated = ring.allocated();
  }

  /**
   * Looks for what is in the ring and had begun by then: nothing where that is not known. A slot is
   * written after the count of entered, so what came later shows in that.
   */
  void look() {
    int mask = ThreadRing.mask(buffers);
    for (int slot = 0; slot <= mask; slot++) {
      TrackedBuffer buffer = ThreadRing.inSlot(buffers, slot);
      if (buffer != null && (slot - entered & mask) >= ring.entered() - entered) {
        add(buffer, slot);
      }
    }
  }

  private void add(TrackedBuffer buffer, int slot) {
    int stamp = FlowState.stampOpaque(buffer);
    Node node = Stamp.slot(stamp) == slot ? Nursery.liveNode(buffer, stamp) : null;
    if (node != null && !Stamp.isKept(stamp)) {
      long bytes = FlowState.bytes(buffer);
      boolean held = FlowState.isHeld(buffer);
      if (FlowState.stampOpaque(buffer) == stamp) {
        (held ? live : leaving).add(new Young(buffer, node, bytes, born));
      }
    }
  }
}
