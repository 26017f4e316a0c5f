package org.buftrail.flow.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.PlainBuffers;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.TrackerLog;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A tracker of its own is started, switched and asked. */
final class FlowTrackerTest {
  private final Tracker tracker = new Tracker();
  private final FlowTracker control = new FlowTracker(tracker);

  @AfterEach
  void listenNoMore() {
    TrackerLog.setOut(line -> {});
  }

  private String reason() {
    TrackerStatus.Stop stop = control.snapshot().status().stop();
    return stop == null ? "none" : stop.reason();
  }

  private void assertOn() {
    assertThat(control.isFollowing()).isTrue();
    assertThat(reason()).isEqualTo("none");
  }

  private void assertOff(String reason) {
    assertThat(control.isFollowing()).isFalse();
    assertThat(reason()).isEqualTo(reason);
  }

  @Test
  void beforeTheStartItCanBeSwitchedOffAlone() {
    assertThatThrownBy(() -> control.setFollowing(true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the agent is detached; attach it again");
    assertOff("none");
    control.setFollowing(false);
    assertOff("switched off");
  }

  @Test
  void itFollowsFromTheStartOnOrOnceItIsSwitchedOn() {
    control.start(true);
    assertOn();
    control.start(false);
    assertOff("not switched on yet");
    control.setFollowing(true);
    assertOn();
    control.setFollowing(false);
    assertOff("switched off");
    control.setFollowing(true);
    control.stopFollowing("memory is short");
    assertOff("memory is short");
  }

  @Test
  void onceItIsStoppedItMustBeStartedAgain() {
    control.start(true);
    control.stop();
    assertOff("the agent was detached");
    assertThatThrownBy(() -> control.setFollowing(true)).hasMessageContaining("attach it again");
    control.start(true);
    assertOn();
  }

  @Test
  void onceItIsStartedItSweepsByItself() {
    FakeBuffer buffer = FakeBuffer.heap(1);
    control.start(true);
    tracker.births.enter(buffer, tracker.tree.root(Probe.root(), 0), 0);
    // A snapshot would sweep too.
    while (!(FlowState.state(buffer) instanceof TenuredFlow)) {
      Thread.onSpinWait();
    }
    assertThat(control.snapshot().status().threads())
        .anySatisfy(
            thread -> {
              assertThat(thread.name()).isEqualTo(TrackerStatus.ThreadHealth.SWEEPER);
              assertThat(thread.rounds()).isPositive();
              assertThat(thread.failures()).isZero();
            });
  }

  @Test
  void whetherBuffersAreFollowedLessExactlyIsTold() {
    assertThat(control.areLessExact()).isFalse();
    control.addForeign(new PlainBuffers());
    assertThat(control.areLessExact()).isTrue();
    control.forgetForeign();
    assertThat(control.areLessExact()).isFalse();
  }

  @Test
  void whatIsUndecidedIsToldOnlyAtTheEnd() {
    FakeBuffer held = FakeBuffer.heap(1);
    tracker.births.enter(held, tracker.tree.root(Probe.root(), 0), 0);
    assertThat(control.snapshot().status().undecided()).isZero();
    control.finish();
    assertThat(control.snapshot().status().undecided()).isPositive();
    assertThat(FlowState.state(held)).isNotNull();
  }

  @Test
  void toSettleAndToFinishSweeps() {
    List<Runnable> both = List.of(control::settle, control::finish);
    for (Runnable each : both) {
      FakeBuffer buffer = FakeBuffer.heap(1);
      tracker.births.enter(buffer, tracker.tree.root(Probe.root(), 0), 0);
      each.run();
      assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
    }
  }

  @Test
  void whatIsForgottenCountsAsNeverBegun() {
    control.addForeign(new PlainBuffers());
    PlainBuffers.Plain plain = new PlainBuffers.Plain(FakeBuffer.heap(7));
    TrackedBuffer side = Objects.requireNonNull(tracker.sideTable.adopt(plain));
    tracker.births.enter(side, tracker.tree.root(Probe.root(), 0), 0);
    assertThat(control.snapshot().live().count()).isEqualTo(1);
    control.forgetForeign();
    assertThat(control.snapshot().live().count()).isZero();
    assertThat(control.snapshot().allocated()).isZero();
  }

  @Test
  void itsRareLinesGoWhereTheyAreWanted() {
    List<String> log = new ArrayList<>();
    FlowTracker.setLog(log::add);
    TrackerLog.add("a line");
    assertThat(log).containsExactly("a line");
  }

  @Test
  void aRehearsalLeavesNothing() {
    long allocated = FlowTracker.INSTANCE.snapshot().allocated();
    long errors = FlowTracker.INSTANCE.snapshot().suppressedErrors();
    FlowTracker.rehearse();
    assertThat(FlowTracker.INSTANCE.snapshot().allocated()).isEqualTo(allocated);
    assertThat(FlowTracker.INSTANCE.snapshot().suppressedErrors()).isEqualTo(errors);
  }
}
