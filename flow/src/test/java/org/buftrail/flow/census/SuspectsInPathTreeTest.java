package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.HeldTicks;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Suspects of the tracker's own paths, and what it takes to find them. */
@ExtendWith(Probe.class)
final class SuspectsInPathTreeTest {
  private static final int TICKS_A_SECOND = 20;
  private static final int OTHERS = 5_000;

  private final int root = Probe.root();
  private final int keep = Probe.site("keep");
  private final int other = Probe.site("other");
  private final List<FakeBuffer> kept = new ArrayList<>();

  @AfterEach
  void release() {
    HeldTicks.release();
    kept.forEach(FakeBuffer::release);
  }

  /** One each second, while as many are released elsewhere. */
  private Snapshot loseOneEachSecond(int seconds) {
    int start = Ticks.now() + 3_600 * TICKS_A_SECOND;
    for (int i = 0; i < seconds; i++) {
      HeldTicks.hold(start + i * TICKS_A_SECOND);
      Tracker.INSTANCE.nursery.sweep(false);
      kept.add(FakeBuffer.heap(8).allocatedAt(root).hop(keep));
      FakeBuffer.heap(8).allocatedAt(root).hop(other).release();
    }
    HeldTicks.hold(start + seconds * TICKS_A_SECOND);
    Tracker.INSTANCE.nursery.sweep(false);
    return FlowTracker.INSTANCE.snapshot();
  }

  @Test
  void whatGrowsIsFoundWithItsReasons() {
    Snapshot snapshot = loseOneEachSecond(40);

    for (List<Path> paths : List.of(snapshot.paths(), new ArrayList<>(snapshot.paths()))) {
      Suspects.Suspect suspect = Suspects.of(paths, 1).get(0);
      assertThat(suspect.path().hops()).hasSize(2);
      assertThat(suspect.path().hops().get(1).site()).isEqualTo(Sites.get(keep));
      assertThat(suspect.arrived()).isEqualTo(40);
      assertThat(suspect.gone()).isZero();
      assertThat(suspect.sibling()).isEqualTo(Sites.get(other));
    }
  }

  @Test
  void whatGoesOnIsNone() {
    loseOneEachSecond(40);
    kept.remove(0).hop(other).release();
    assertThat(Suspects.of(FlowTracker.INSTANCE.snapshot())).isEmpty();
  }

  @Test
  void noHopsAreMadeOfOtherPaths() {
    List<FakeBuffer> others = new ArrayList<>();
    for (int i = 0; i < OTHERS; i++) {
      others.add(FakeBuffer.heap(1).allocatedAt(root).hop(other, Probe.site("last" + i)));
    }
    Snapshot snapshot = loseOneEachSecond(40);
    assertThat(Suspects.of(snapshot)).hasSize(1);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    Suspects.of(snapshot);
    long taken = threads.getCurrentThreadAllocatedBytes() - before;
    // Other tests left paths too.
    assertThat(taken)
        .as("%s paths", snapshot.paths().size())
        .isLessThan((OTHERS + snapshot.paths().size()) * 250L);
    others.forEach(FakeBuffer::release);
  }
}
