package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Invariants;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.woven.Tracker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** While the sweeper does not get its turn, what waits for it stays bounded. */
@ExtendWith(Probe.class)
class BacklogTest {
  private static final int MOST = 3 * Backlog.STEP;
  private static final int LARGE = 1 << 20;

  private final int root = Probe.root();
  private int before;

  @BeforeEach
  void bound() {
    Probe.settle();
    before = Tracker.INSTANCE.nursery.backlog.setMost(MOST);
  }

  @AfterEach
  void unbound() {
    Tracker.INSTANCE.nursery.backlog.setMost(before);
  }

  private static long waiting() {
    long waiting = 0;
    for (TenuredFlow flow = Tracker.INSTANCE.nursery.rings.current().lastPublished();
        flow != null;
        flow = flow.next) {
      waiting++;
    }
    return waiting;
  }

  @Test
  void whatHasEndedDoesNotWait() {
    List<FakeBuffer> alive = new ArrayList<>();
    int lives = 40 * Backlog.STEP;
    long errors = Suppressed.count();
    for (int i = 0; i < lives; i++) {
      FakeBuffer buffer = FakeBuffer.heap(LARGE).allocatedAt(root);
      assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
      if (i % Backlog.STEP < 100) {
        alive.add(buffer);
      } else {
        buffer.release();
      }
    }
    assertThat(waiting()).isLessThanOrEqualTo(MOST + Backlog.STEP);
    assertThat(Suppressed.count()).isEqualTo(errors);
    long dead = (long) lives - alive.size();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "release", released(dead, dead * LARGE),
                "", live(alive.size(), (long) alive.size() * LARGE)));
    alive.forEach(FakeBuffer::release);
  }

  @Test
  void whereTooMuchIsDroppedNothingBeginsUntilASweep() {
    List<FakeBuffer> kept = new ArrayList<>();
    for (int i = 0; i < 10 * MOST; i++) {
      kept.add(FakeBuffer.heap(LARGE).allocatedAt(root));
    }
    assertThat(waiting()).isLessThanOrEqualTo(MOST + Backlog.STEP);
    long followed = kept.stream().filter(FakeBuffer::isFollowed).count();
    assertThat(followed).isBetween((long) MOST, (long) MOST + Backlog.STEP);
    assertThat(FlowTracker.INSTANCE.isFollowing()).isFalse();
    long errors = Suppressed.count();
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(Suppressed.count()).as("counted once").isEqualTo(errors + 1);
    Invariants.meant(1);
    assertThat(FlowTracker.INSTANCE.isFollowing()).isTrue();
    FakeBuffer next = FakeBuffer.heap(LARGE).allocatedAt(root);
    assertThat(next.isFollowed()).isTrue();
    kept.add(next);
    assertThat(Probe.paths(root)).containsKey("").hasSize(1);
    kept.forEach(FakeBuffer::release);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("release", released(followed + 1, (followed + 1) * LARGE)));
  }

  @Test
  void aSmallHeapMakesASmallBound() {
    assertThat(Backlog.most(1 << 20)).isEqualTo(4 * Backlog.STEP);
    assertThat(Backlog.most(1L << 28)).isEqualTo(1 << 18);
    assertThat(Backlog.most(1L << 40)).isEqualTo(1 << 21);
  }
}
