package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.released;

import java.util.Objects;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.control.FlowTracker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Probe.class)
class ScaleTest {
  private static final int A = Probe.site("ScaleA");

  private int root;

  @BeforeEach
  void root() {
    root = Probe.root();
  }

  @Test
  void whatWasCountedKeepsItsNumberUnderAnotherSampling() {
    release(10);
    long allocated = FlowTracker.INSTANCE.snapshot().allocated();
    FlowTracker.INSTANCE.configure(7, false);
    assertThat(Probe.paths(root)).containsOnlyKeys("ScaleA release");
    assertThat(end()).isEqualTo(released(10, 30));
    assertThat(FlowTracker.INSTANCE.snapshot().allocated()).isEqualTo(allocated);
    release(700);
    // The thread may have been inside a block of seven, and may be now.
    assertThat(end().released).isBetween(10L + 693, 10L + 707);
    long sampled = end().released;
    FlowTracker.INSTANCE.configure(1, false);
    assertThat(end().released).isEqualTo(sampled);
    release(1);
    assertThat(end()).isEqualTo(released(sampled + 1, 3 * sampled + 3));
    assertThat(FlowTracker.INSTANCE.snapshot().allocated()).isEqualTo(allocated + sampled - 9);
  }

  @Test
  void whatIsUnderWayAtTheChangeCountsAsNeverBegun() {
    long before = FlowTracker.INSTANCE.snapshot().allocated();
    FakeBuffer held = FakeBuffer.heap(3).allocatedAt(root).hop(A);
    FlowTracker.INSTANCE.configure(7, false);
    assertThat(Probe.paths(root)).isEmpty();
    held.release();
    assertThat(Probe.paths(root)).isEmpty();
    FlowTracker.INSTANCE.configure(1, false);
    assertThat(FlowTracker.INSTANCE.snapshot().allocated()).isEqualTo(before);
    held.reset(3).allocatedAt(root).hop(A).release();
    assertThat(end()).isEqualTo(released(1, 3));
  }

  @Test
  void aPooledObjectThatWasPassedOverMayBeChosenInALaterLife() {
    FlowTracker.INSTANCE.configure(7, false);
    FakeBuffer pooled = FakeBuffer.heap(3);
    for (int life = 0; life < 700; life++) {
      pooled.reset(3).allocatedAt(root).hop(A).release();
    }
    assertThat(end().released).isBetween(693L, 707L);
    FlowTracker.INSTANCE.configure(1, false);
  }

  private void release(int count) {
    for (int i = 0; i < count; i++) {
      FakeBuffer.heap(3).allocatedAt(root).hop(A).release();
    }
  }

  private Probe.Counts end() {
    return Objects.requireNonNull(Probe.paths(root).get("ScaleA release"));
  }
}
