package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;

import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.HeldTicks;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ages of live buffers, exactly, by a clock that stands. */
@ExtendWith(Probe.class)
final class AgesTest {
  private static final int TICKS_A_SECOND = 20;
  private static final int MINUTE = 60 * TICKS_A_SECOND;
  private static final int HOUR = 60 * MINUTE;

  private final int root = Probe.root();
  private final int start = Ticks.now() + HOUR;

  @BeforeEach
  void hold() {
    at(0);
  }

  @AfterEach
  void release() {
    HeldTicks.release();
  }

  /** Twice, so that what is in a ring now was there at both. */
  private void at(int tick) {
    HeldTicks.hold(start + tick);
    Tracker.INSTANCE.nursery.sweep(false);
    Tracker.INSTANCE.nursery.sweep(false);
  }

  private Path path() {
    Site site = Sites.get(root);
    return FlowTracker.INSTANCE.snapshot().paths().stream()
        .filter(path -> path.hops().get(0).site().equals(site) && path.live().count() > 0)
        .findFirst()
        .orElseThrow();
  }

  private void assertAges(long oldestSeconds, long medianSeconds) {
    assertThat(path().oldestMillis()).isEqualTo(oldestSeconds * 1_000);
    assertThat(path().medianMillis()).isEqualTo(medianSeconds * 1_000);
  }

  @Test
  void aTickIsATwentiethOfASecond() {
    HeldTicks.release();
    long before = System.nanoTime();
    int tick = Ticks.now();
    while (Ticks.now() == tick) {
      Thread.onSpinWait();
    }
    int next = Ticks.now();
    while (Ticks.now() < next + 2) {
      Thread.onSpinWait();
    }
    // From within one tick to the beginning of another.
    assertThat(System.nanoTime() - before).isGreaterThan(100_000_000L);
    assertThat(Ticks.millis(TICKS_A_SECOND)).isEqualTo(1_000);
  }

  @Test
  void aBufferIsAsOldAsItsLifeIs() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root);
    assertAges(0, 0);
    for (int seconds : new int[] {1, 60, 3_600, 86_400, 86_400 * 400}) {
      at(seconds * TICKS_A_SECOND);
      assertAges(seconds, seconds);
    }
    buffer.release();
  }

  @Test
  void aBufferThatNoRingHoldsIsAsOldAsItsLifeIs() {
    FakeBuffer buffer = FakeBuffer.heap(ByteBudget.LARGE + 1).allocatedAt(root);
    assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
    at(90 * TICKS_A_SECOND);
    assertAges(90, 90);
    buffer.release();
  }

  @Test
  void theMedianIsOfTheOneInTheMiddle() {
    FakeBuffer[] buffers = new FakeBuffer[5];
    int[] born = {0, 10, 30, 60, 100};
    for (int i = 0; i < buffers.length; i++) {
      at(born[i] * TICKS_A_SECOND);
      buffers[i] = FakeBuffer.heap(1).allocatedAt(root);
      at(born[i] * TICKS_A_SECOND);
    }
    at(200 * TICKS_A_SECOND);
    assertAges(200, 170);
    buffers[0].release();
    buffers[1].release();
    assertAges(170, 140);
    for (int i = 2; i < buffers.length; i++) {
      buffers[i].release();
    }
  }

  @Test
  void aFurtherLifeOfAnObjectIsNotAsOldAsItsFirst() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root);
    at(HOUR);
    buffer.release();
    buffer.reset(1).allocatedAt(root);
    at(HOUR);
    at(HOUR + MINUTE);
    assertAges(60, 60);
    buffer.release();
  }

  @Test
  void aHopMakesABufferNoYounger() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root);
    at(0);
    at(MINUTE);
    buffer.hop(Probe.site("Ages"));
    at(2 * MINUTE);
    assertAges(120, 120);
    buffer.release();
  }

  @Test
  void betweenTwoSweepsTheMiddleIsTaken() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root);
    HeldTicks.hold(start + TICKS_A_SECOND);
    assertThat(path().oldestMillis()).isEqualTo(500);
    buffer.release();
  }
}
