package org.buftrail.flow.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Invariants;
import org.buftrail.flow.LeakScope;
import org.buftrail.flow.PlainBuffers;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.GivingUp;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.base.TrackerLog;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.woven.ExecutorScopes;
import org.buftrail.flow.woven.KnownExecutors;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A tracker of its own is started, switched and asked. */
final class FlowTrackerTest {
  private final Tracker tracker = new Tracker();
  private final FlowTracker control = new FlowTracker(tracker);
  private final Node root = tracker.tree.root(Probe.root(), 0);

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

  private FakeBuffer live() {
    FakeBuffer buffer = FakeBuffer.heap(1);
    tracker.births.enter(buffer, root, 0);
    return buffer;
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
  void onceItHasGivenUpItCannotBeSwitchedOn() {
    control.start(true);
    GivingUp.of(tracker.mode);
    String reason = "1000 errors inside the tracker within 10 s";
    assertOff(reason);
    assertThatThrownBy(() -> control.setFollowing(true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the tracker gave up after too many errors of its own");
    control.setFollowing(false);
    assertOff(reason);
    control.start(true);
    assertOff(reason);
  }

  @Test
  void onceItIsStartedItSweepsByItself() {
    control.start(true);
    FakeBuffer buffer = live();
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

  /** Hands something on and waits until the sweeper, woken once, has taken it. */
  private void wakeForWhatIsHandedOn() {
    tracker.nursery.evictions.apply(live());
    tracker.sweeper.wake();
    while (tracker.nursery.rings.current().lastPublished() != null) {
      Thread.onSpinWait();
    }
  }

  /** The last one: those of other tests go on. */
  private TrackerStatus.ThreadHealth sweeper() {
    return control.snapshot().status().threads().stream()
        .filter(thread -> thread.name().equals(TrackerStatus.ThreadHealth.SWEEPER))
        .reduce((former, latter) -> latter)
        .orElseThrow();
  }

  @Test
  void onceItIsWokenItTakesWhatWasHandedOnAndDoesNotSweep() {
    control.start(true);
    while (sweeper().rounds() == 0) {
      Thread.onSpinWait();
    }
    int times = 20;
    long from = System.nanoTime();
    for (int i = 0; i < times; i++) {
      wakeForWhatIsHandedOn();
    }
    long millis = (System.nanoTime() - from) / 1_000_000;
    assertThat(millis).as("10 ms lie between two looks").isGreaterThanOrEqualTo(9L * (times - 1));
    assertThat(sweeper().rounds()).as("one each second").isLessThan(times / 2);
  }

  @Test
  void anErrorOfASweepIsCountedAndTheNextOneComes() {
    AtomicBoolean failing = new AtomicBoolean();
    FakeBuffer buffer =
        new FakeBuffer(false) {
          @Override
          public int refCnt() {
            if (failing.getAndSet(false)) {
              throw new LinkageError("asked by a sweep");
            }
            return super.refCnt();
          }
        };
    tracker.births.enter(buffer.reset(1), root, 0);
    tracker.nursery.sweep(true);
    long before = Suppressed.count();
    failing.set(true);
    control.start(true);
    while (failing.get()) {
      tracker.sweeper.wake();
    }
    wakeForWhatIsHandedOn();
    Invariants.meant(1);
    assertThat(Suppressed.count()).isEqualTo(before + 1);
    assertThat(sweeper().failures()).isEqualTo(1);
  }

  @Test
  @SuppressWarnings("try") // a scope need not be named where it is open
  void sweepsLetGoOfExecutorsThatWereCollected() {
    Object executor = new Object();
    try (LeakScope scope = LeakScope.open("executors")) {
      ExecutorScopes.made(executor);
    }
    int known = KnownExecutors.count();
    assertThat(known).isPositive();
    executor = null;
    control.start(true);
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (KnownExecutors.count() >= known && System.nanoTime() < deadline) {
      System.gc();
    }
    assertThat(KnownExecutors.count()).isLessThan(known);
  }

  @Test
  void whetherBuffersAreFollowedLessExactlyIsTold() {
    assertThat(control.areLessExact()).isFalse();
    control.addBufferAccess(new PlainBuffers());
    assertThat(control.areLessExact()).isTrue();
    control.forgetBufferAccess();
    assertThat(control.areLessExact()).isFalse();
  }

  @Test
  void toSettleAndToFinishSweeps() {
    List<Runnable> both = List.of(control::settle, control::finish);
    for (Runnable each : both) {
      FakeBuffer buffer = live();
      each.run();
      assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
    }
  }

  @Test
  void whatIsForgottenCountsAsNeverBegun() {
    control.addBufferAccess(new PlainBuffers());
    PlainBuffers.Plain plain = new PlainBuffers.Plain(FakeBuffer.heap(7));
    TrackedBuffer side = Objects.requireNonNull(tracker.sideTable.adopt(plain));
    tracker.births.enter(side, root, 0);
    assertThat(control.snapshot().live().count()).isEqualTo(1);
    control.forgetBufferAccess();
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
