package org.buftrail.flow.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.tree.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Probe.class)
final class FlowStateTest {
  private static final int A = Probe.site("A");

  private final int root = Probe.root();

  /** Answers what it is told to, or throws as a composite does that is being changed. */
  private static final class Answering extends TrackedBuffer {
    private final int number;
    private final boolean isChanging;

    Answering(int number, boolean isChanging) {
      this.number = number;
      this.isChanging = isChanging;
    }

    private int answer() {
      if (isChanging) {
        throw new IndexOutOfBoundsException();
      }
      return number;
    }

    @Override
    public int refCnt() {
      return answer();
    }

    @Override
    public int capacity() {
      return answer();
    }

    @Override
    public boolean isDirect() {
      return false;
    }
  }

  @Test
  void aKeySaysHowOftenTheBufferIsCountedAbout() {
    int[] counts = {-1, 0, 1, 2, 3, 5, 6, 100};
    int[] buckets = {0, 0, 1, 1, 2, 2, 3, 3};
    for (int i = 0; i < counts.length; i++) {
      assertThat(FlowState.key(new Answering(counts[i], false), 7))
          .as("counted %s", counts[i])
          .isEqualTo(7 * 4 + buckets[i]);
    }
  }

  @Test
  void aBufferIsAtItsRootUntilItsFirstHop() {
    FakeBuffer buffer = FakeBuffer.heap(1);
    assertThat(FlowState.isAtRoot(buffer)).isFalse();
    buffer.allocatedAt(root);
    assertThat(FlowState.isAtRoot(buffer)).isTrue();
    Probe.settle();
    assertThat(FlowState.isAtRoot(buffer)).as("tenured").isTrue();
    buffer.hop(A);
    assertThat(FlowState.isAtRoot(buffer)).isFalse();
    buffer.release();
    buffer.reset(1).allocatedAt(root).hop(A);
    assertThat(FlowState.isAtRoot(buffer)).as("young").isFalse();
    buffer.release();
  }

  @Test
  void theEndIsKnownOnceTheLifeIsOver() {
    FakeBuffer buffer = FakeBuffer.heap(1);
    assertThat(FlowState.ending(buffer)).isNull();
    buffer.allocatedAt(root).hop(A);
    Node at = Objects.requireNonNull((Node) FlowState.state(buffer));
    assertThat(FlowState.ending(buffer)).isNull();
    buffer.release();
    assertThat(FlowState.ending(buffer)).isNotNull().isSameAs(at.end());
    buffer.reset(1).allocatedAt(root).hop(A);
    assertThat(FlowState.ending(buffer)).as("of the life before").isNull();
    Probe.settle();
    TenuredFlow tenured = (TenuredFlow) FlowState.state(buffer);
    assertThat(FlowState.ending(buffer)).isNull();
    buffer.release();
    Node end = Objects.requireNonNull(FlowState.ending(buffer));
    assertThat(end.plainEnd()).isSameAs(at.end());
    FlowState.setState(buffer, tenured);
    assertThat(FlowState.ending(buffer)).as("of a promotion that met it").isSameAs(at.end());
    FlowState.setState(buffer, end);
  }

  @Test
  void whatCannotBeAskedIsHeldAndCountsForNothing() {
    Answering changing = new Answering(3, true);
    assertThat(FlowState.isHeld(changing)).isTrue();
    assertThat(FlowState.bytes(changing)).isZero();
    Answering held = new Answering(3, false);
    assertThat(FlowState.isHeld(held)).isTrue();
    assertThat(FlowState.isHeld(new Answering(0, false))).isFalse();
    assertThat(FlowState.bytes(held)).isEqualTo(3);
    FlowState.setStamp(held, Stamp.WEIGHTLESS);
    assertThat(FlowState.bytes(held)).isZero();
  }
}
