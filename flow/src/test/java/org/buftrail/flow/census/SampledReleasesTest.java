package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.HeldTicks;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.tree.SampleStore;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Path;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Suspects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lifetimes of the tracker's own flows, and what they say against those that stay. */
@ExtendWith(Probe.class)
final class SampledReleasesTest {
  private static final int TICKS_A_SECOND = 20;

  private final int root = Probe.root();
  private final int valid = Probe.site("isValid");
  private final int receipt = Probe.site("receipt");
  private final List<FakeBuffer> kept = new ArrayList<>();

  @AfterEach
  void release() {
    HeldTicks.release();
    kept.forEach(FakeBuffer::release);
  }

  /** The samples of the path on which it is released. */
  private ReleaseSamples samples() {
    for (Path path : FlowTracker.INSTANCE.snapshot().paths()) {
      if (path.released().count() > 0
          && path.hops().get(0).site().equals(Sites.get(root))
          && path.hops().get(path.hops().size() - 2).site().equals(Sites.get(receipt))) {
        return Objects.requireNonNull(path.samples());
      }
    }
    throw new AssertionError("not released");
  }

  private FakeBuffer begin() {
    return FakeBuffer.heap(100).allocatedAt(root).hop(valid);
  }

  @Test
  void oneIn64ReleasesOfTheSameThreadIsSampled() {
    for (int i = 0; i < 64 * SampleStore.EVERY; i++) {
      begin().hop(receipt).release();
    }
    assertThat(samples().count()).isEqualTo(64);
    assertThat(samples().sizes(7)).isEqualTo(64);
    assertThat(samples().microsOf(50)).isLessThan(1_000_000);
  }

  @Test
  void oneIn64ReleasesOfAnotherThreadIsSampledToo() throws Exception {
    for (int round = 0; round < 64; round++) {
      List<FakeBuffer> begun = new ArrayList<>();
      for (int i = 0; i < SampleStore.EVERY; i++) {
        begun.add(begin().hop(receipt));
      }
      Thread thread = new Thread(() -> begun.forEach(FakeBuffer::release));
      thread.start();
      thread.join();
    }
    assertThat(samples().count()).isBetween(16L, 64L);
  }

  @Test
  void tenuredFlowsAreSampledByTheirAge() {
    int start = Ticks.now() + 10_000;
    HeldTicks.hold(start);
    List<FakeBuffer> begun = new ArrayList<>();
    for (int i = 0; i < SampleStore.EVERY; i++) {
      begun.add(begin().hop(receipt));
    }
    Tracker.INSTANCE.nursery.sweep(true);
    HeldTicks.hold(start + 30 * TICKS_A_SECOND);
    Tracker.INSTANCE.nursery.sweep(true);
    begun.forEach(FakeBuffer::release);
    assertThat(samples().count()).isEqualTo(1);
    assertThat(samples().longestMillis()).isBetween(29_000L, 31_000L);
  }

  /** Each second some are released at once, and some are lost where the others go on. */
  private List<Suspects.Suspect> suspects(int lost) {
    int start = Ticks.now() + 10_000;
    for (int second = 0; second < 12; second++) {
      HeldTicks.hold(start + second * TICKS_A_SECOND);
      Tracker.INSTANCE.nursery.sweep(false);
      for (int i = 0; i < 80; i++) {
        begin().hop(receipt).release();
      }
      for (int i = 0; i < lost; i++) {
        kept.add(begin());
      }
    }
    HeldTicks.hold(start + 12 * TICKS_A_SECOND);
    Tracker.INSTANCE.nursery.sweep(false);
    List<Path> mine = new ArrayList<>();
    for (Path path : FlowTracker.INSTANCE.snapshot().paths()) {
      if (path.hops().get(0).site().equals(Sites.get(root))) {
        mine.add(path);
      }
    }
    return Suspects.of(mine, 1);
  }

  @Test
  void anErrorBranchThatLosesOneInTenIsSuspectBeforeACollection() {
    List<Suspects.Suspect> suspects = suspects(8);
    assertThat(suspects).hasSize(1);
    assertThat(suspects.get(0).path().live().count()).isEqualTo(96);
    assertThat(suspects.get(0).arrived()).isEqualTo(12 * 88);
    assertThat(Objects.requireNonNull(suspects.get(0).others()).count()).isGreaterThanOrEqualTo(8);
  }

  @Test
  void withoutLossThereIsNone() {
    assertThat(suspects(0)).isEmpty();
  }
}
