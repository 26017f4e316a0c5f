package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.woven.Tracker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sweeps that an error ends. */
@ExtendWith(Probe.class)
class SweepErrorTest {
  private final int root = Probe.root();

  /** Their own lives are believed no more, but their releases still count. */
  @Test
  void errorsOfBuffersCostNoOtherItsTenuredFlowNorTheNextSweep() {
    Failing first = new Failing();
    first.reset(5).allocatedAt(root);
    FakeBuffer other = FakeBuffer.heap(7).allocatedAt(root);
    Failing second = new Failing();
    second.reset(5).allocatedAt(root);
    first.error = new StackOverflowError();
    second.error = new StackOverflowError();
    assertThatThrownBy(Probe::settle).isIn(first.error, second.error);
    Probe.settle();
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("", live(1, 7)));
    first.error = null;
    second.error = null;
    first.release();
    other.release();
    second.release();
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("release", released(3, 17)));
  }

  @Test
  void anErrorInTheMiddleOfWhatWasHandedOnCostsNoOther() {
    List<FakeBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      buffers.add(FakeBuffer.heap(1).allocatedAt(root));
      Tracker.INSTANCE.nursery.rings.hand(
          Objects.requireNonNull(Tracker.INSTANCE.nursery.promote(buffers.get(i))));
    }
    OutOfMemoryError error = new OutOfMemoryError();
    Tracker.INSTANCE.nursery.pending.waiting =
        new ArrayList<>(Tracker.INSTANCE.nursery.pending.waiting) {
          @Override
          public boolean add(TenuredFlow tenured) {
            throw error;
          }
        };
    assertThatThrownBy(() -> Tracker.INSTANCE.nursery.sweep(true)).isSameAs(error);
    Tracker.INSTANCE.nursery.pending.waiting =
        new ArrayList<>(Tracker.INSTANCE.nursery.pending.waiting);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("", live(2, 2)));
    buffers.forEach(FakeBuffer::release);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("release", released(3, 3)));
  }

  private static final class Failing extends FakeBuffer {
    volatile @Nullable Error error;

    Failing() {
      super(false);
    }

    @Override
    public int refCnt() {
      Error now = error;
      if (now != null) {
        throw now;
      }
      return super.refCnt();
    }
  }
}
