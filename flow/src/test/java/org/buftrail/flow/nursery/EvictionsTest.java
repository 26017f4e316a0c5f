package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.leaked;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.util.Map;
import java.util.Objects;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What happens while a thread that lets go of a buffer stands between the promotion and the
 * hand-on.
 */
@ExtendWith(Probe.class)
final class EvictionsTest {
  private static final int A = Probe.site("A");
  private static final int B = Probe.site("B");

  private final int root = Probe.root();
  private final Nursery nursery = Tracker.INSTANCE.nursery;

  /** Has something happen, once, when it is asked. */
  private abstract static class Interrupted extends FakeBuffer {
    @Nullable Runnable meanwhile;

    Interrupted(int root) {
      super(true);
      reset(1).allocatedAt(root);
    }

    final void interrupt() {
      Runnable once = meanwhile;
      meanwhile = null;
      if (once != null) {
        once.run();
      }
    }
  }

  /** When it is asked what it is made of, which is before the hand-on. */
  private static final class AskedForComponents extends Interrupted {
    AskedForComponents(int root) {
      super(root);
    }

    @Override
    public @Nullable Object @Nullable [] buftrail$components() {
      interrupt();
      return super.buftrail$components();
    }
  }

  /** When it is asked for its count. */
  private static final class AskedForCount extends Interrupted {
    AskedForCount(int root) {
      super(root);
    }

    @Override
    public int refCnt() {
      interrupt();
      return super.refCnt();
    }
  }

  /** The three ways to let go of a buffer whose flow is under way. */
  private enum Way {
    DISPLACED {
      @Override
      void letGo(Nursery nursery, FakeBuffer buffer) {
        RingSlots ring = nursery.rings.current();
        int slot = Stamp.slot(FlowState.stamp(buffer));
        assertThat(nursery.evictions.displaced(ring, buffer, slot)).isTrue();
        assertThat(ring.clearSlot(slot, buffer)).isTrue();
      }
    },
    EVICTED {
      @Override
      void letGo(Nursery nursery, FakeBuffer buffer) {
        nursery.evictions.apply(buffer);
      }
    },
    KEPT {
      @Override
      void letGo(Nursery nursery, FakeBuffer buffer) {
        buffer.keep();
      }
    };

    abstract void letGo(Nursery nursery, FakeBuffer buffer);
  }

  /**
   * A hop stores over the tenured flow, and sweeps look, before it is handed on.
   *
   * @return the tenured flow
   */
  private TenuredFlow overwrite(Way way, boolean isReleased) {
    AskedForComponents buffer = new AskedForComponents(root);
    buffer.hop(A);
    Node read = NurseryTest.nodeOf(buffer);
    TenuredFlow[] made = new TenuredFlow[1];
    buffer.meanwhile =
        () -> {
          made[0] = NurseryTest.tenuredOf(buffer);
          NurseryTest.hopStores(buffer, read, B);
          nursery.relieve();
          if (isReleased) {
            buffer.release();
            nursery.relieve();
          }
        };
    way.letGo(nursery, buffer);
    assertThat(buffer.meanwhile).isNull();
    return made[0];
  }

  private static void awaitCollected(TenuredFlow tenured) {
    for (int i = 0; i < 100 && !tenured.isCollected(); i++) {
      System.gc();
    }
    assertThat(tenured.isCollected()).isTrue();
  }

  @Test
  void hopAndReleaseBeforeTheHandOnAreNoLeakWhenTheBufferIsCollectedAtOnce()
      throws InterruptedException {
    for (Way way : Way.values()) {
      TenuredFlow made = overwrite(way, true);
      Probe.collect();
      nursery.relieve();
      awaitCollected(made);
    }
    assertThat(Probe.paths(root)).isEqualTo(Map.of("A B release", released(3, 3)));
  }

  @Test
  void hopBeforeTheHandOnIsOneLeakWhenTheBufferIsLost() throws InterruptedException {
    overwrite(Way.DISPLACED, false);
    overwrite(Way.EVICTED, false);
    Probe.awaitLeaks(root, 2);
    assertThat(Probe.paths(root)).isEqualTo(Map.of("A B", leaked(2, 2)));
  }

  private void evictOverwriteAndRelease() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    Node read = NurseryTest.nodeOf(buffer);
    nursery.evictions.apply(buffer);
    NurseryTest.hopStores(buffer, read, B);
    buffer.release();
  }

  /** The sweeper has taken what was handed on, and looks at it just now. */
  @Test
  void whatIsHandedOnAndReleasedAfterTheSweeperCameByIsNoLeak() throws InterruptedException {
    AskedForCount other = new AskedForCount(root);
    nursery.evictions.apply(other);
    other.meanwhile = this::evictOverwriteAndRelease;
    nursery.relieve();
    assertThat(other.meanwhile).isNull();
    Probe.collect();
    assertThat(Probe.paths(root)).isEqualTo(Map.of("A B release", released(1, 1), "", live(1, 1)));
    other.release();
  }

  private void growOverwriteAndRelease(FakeBuffer buffer, Node read) {
    buffer.grow(2 * ByteBudget.SMALL);
    Buffers.resized(buffer);
    NurseryTest.hopStores(buffer, read, B);
    buffer.release();
  }

  /** Has a tenured flow that is looked at before that of {@code other}. */
  private Runnable growOverwriteAndReleaseLater() {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root).hop(A);
    Node read = NurseryTest.nodeOf(buffer);
    return () -> growOverwriteAndRelease(buffer, read);
  }

  @Test
  void whatGrowsAndIsReleasedAfterACensusHasLookedAtItIsNoLeak() throws InterruptedException {
    Runnable later = growOverwriteAndReleaseLater();
    AskedForCount other = new AskedForCount(root);
    other.meanwhile = later;
    later = null;
    nursery.drainAll();
    assertThat(other.meanwhile).isNull();
    Probe.collect();
    assertThat(Probe.paths(root))
        .isEqualTo(Map.of("A B release", released(1, 2L * ByteBudget.SMALL), "", live(1, 1)));
    other.release();
  }

  /** One thread saw the slot of a buffer that another had let go before it went on. */
  @Test
  void whatIsPromotedOverAnOverwrittenTenuredFlowIsOneFlow() throws InterruptedException {
    for (boolean isListed : new boolean[] {true, false}) {
      promoteTwice(isListed);
      Probe.collect();
    }
    assertThat(Probe.paths(root))
        .isEqualTo(Map.of("A B release", released(2, 2L * ByteBudget.LARGE)));
  }

  /** So large that no straggler of a hop holds it. */
  private void promoteTwice(boolean isListed) {
    FakeBuffer buffer = FakeBuffer.direct(ByteBudget.LARGE).allocatedAt(root).hop(A);
    Node read = NurseryTest.nodeOf(buffer);
    nursery.evictions.apply(buffer);
    if (isListed) {
      nursery.relieve();
    }
    NurseryTest.hopStores(buffer, read, B);
    nursery.rings.hand(Objects.requireNonNull(nursery.promote(buffer)));
    buffer.release();
  }
}
