package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.released;

import java.util.Map;
import org.buftrail.flow.Invariants;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.BufferAccess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Buffers with their state in the side table that have one life only. */
@ExtendWith(Probe.class)
class UsedOnceTest {
  private static final int BYTES = 7;

  private final int root = Probe.root();
  private final Once buffer = new Once();

  private static final class Once {
    int count = 1;

    /** Thrown where the tracker asks it. */
    @Nullable Error error;
  }

  private static final class OnceBuffers extends BufferAccess {
    @Override
    public Class<?> type() {
      return Once.class;
    }

    @Override
    public boolean isUsedOnce() {
      return true;
    }

    @Override
    public boolean covers(Class<?> c) {
      return c == Once.class;
    }

    @Override
    public @Nullable Object owner(Object object) {
      return object;
    }

    @Override
    public @Nullable Object content(Object object) {
      return null;
    }

    @Override
    public int refCnt(Object owner) {
      return ((Once) owner).count;
    }

    @Override
    public int capacity(Object owner) {
      Error error = ((Once) owner).error;
      if (error != null) {
        throw error;
      }
      return BYTES;
    }

    @Override
    public boolean isDirect(Object owner) {
      return true;
    }
  }

  @BeforeEach
  void allocate() {
    FlowTracker.INSTANCE.addBufferAccess(new OnceBuffers());
    buffer.count = 2;
    Buffers.created(buffer, root);
    release();
    assertThat(Tracker.INSTANCE.sideTable.get(buffer)).isNotNull();
  }

  private void release() {
    buffer.count--;
    Buffers.released(buffer, buffer.count == 0);
  }

  @Test
  void oneThatHasEndedIsLetGoOf() {
    release();
    assertThat(Tracker.INSTANCE.sideTable.get(buffer)).isNull();
    assertEnded();
  }

  @Test
  void soIsOneThatOutlivedTheNursery() {
    Probe.settle();
    release();
    assertThat(Tracker.INSTANCE.sideTable.get(buffer)).isNull();
    assertEnded();
  }

  @Test
  void oneWhoseReleaseFailedIsFoundAgain() {
    long before = Suppressed.count();
    buffer.error = new StackOverflowError();
    release();
    buffer.error = null;
    assertThat(Suppressed.count() - before).isEqualTo(1);
    Invariants.meant(1);
    assertThat(Tracker.INSTANCE.sideTable.get(buffer)).isNotNull();
    MissedReleases.settle();
    assertEnded();
  }

  private void assertEnded() {
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("release", released(1, BYTES)));
  }
}
