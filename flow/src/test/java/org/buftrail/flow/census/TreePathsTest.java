package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A snapshot has all paths, and does not change. */
@ExtendWith(Probe.class)
class TreePathsTest {
  private static final int DEPTH = 60;
  private static final int PATHS = 5_000;

  /** 36 of these where a page of nodes has something that was dropped or held. */
  private static final long BYTES_PER_NODE = 44 + 36;

  /** 108 bytes a row and its nodes, of which there are two a path here; the rest is fixed. */
  private static final long BYTES_PER_PATH = 108 + 2 * 44 + 20;

  /** The minute in which it began, in arrays that grow; and the bytes of a flow. */
  private static final long BYTES_PER_LIVE = 3 * 32 + 8;

  /** Lifetimes and sizes, twice: a copy is made of what was read. */
  private static final long BYTES_PER_SAMPLED = 2 * (32 + 28) * 8 + 128;

  private final int root = Probe.root();

  @Test
  void snapshotOfDeepTrieCopiesNoPath() {
    FakeBuffer[] buffers = new FakeBuffer[PATHS];
    for (int i = 0; i < PATHS; i++) {
      buffers[i] = FakeBuffer.heap(1).allocatedAt(root);
      for (int depth = 0; depth < DEPTH; depth++) {
        buffers[i].hop(Probe.site("deep" + depth));
      }
      buffers[i].hop(Probe.site("leaf" + i % 100), Probe.site("last" + i));
    }
    FlowTracker.INSTANCE.snapshot();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    Snapshot snapshot = FlowTracker.INSTANCE.snapshot();
    long taken = threads.getCurrentThreadAllocatedBytes() - before;

    List<Path> paths = snapshot.paths();
    long deep = paths.stream().filter(path -> path.hops().size() == DEPTH + 3).count();
    assertThat(deep).isEqualTo(PATHS);
    long nodes = Tracker.INSTANCE.tree.size();
    // Of other tests: nothing was released on these paths.
    long sampled = paths.stream().filter(path -> path.samples() != null).count();
    long live = paths.stream().filter(path -> path.live().count() > 0).count();
    long rows = paths.size() * BYTES_PER_PATH + sampled * BYTES_PER_SAMPLED;
    rows += live * BYTES_PER_LIVE;
    assertThat(taken).isLessThan(rows + nodes * BYTES_PER_NODE + (64 << 10));
    for (FakeBuffer buffer : buffers) {
      buffer.release();
    }
  }

  @Test
  void loopThatComesLaterIsNotInIt() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(Probe.site("once"));
    Snapshot before = FlowTracker.INSTANCE.snapshot();
    buffer.retain().hop(Probe.site("once"));
    Snapshot after = FlowTracker.INSTANCE.snapshot();
    assertThat(last(before).isLoop()).isFalse();
    assertThat(last(after).isLoop()).isTrue();
    assertThat(last(before).site()).isEqualTo(last(after).site());
    buffer.release();
  }

  private Path.Hop last(Snapshot snapshot) {
    Site site = Sites.get(root);
    for (Path path : snapshot.paths()) {
      if (path.hops().get(0).site().equals(site) && path.live().count() == 1) {
        return path.hops().get(path.hops().size() - 1);
      }
    }
    throw new AssertionError("no live flow from " + site);
  }
}
