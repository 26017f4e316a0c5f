package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.Sweeping;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.woven.Tracker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rings grow with what is in flight, shrink when it is gone, and lose nothing by either. */
@ExtendWith(Probe.class)
class RingSlotsTest {
  private static final int A = Probe.site("A");
  private static final int ROUNDS = 12;

  private final int root = Probe.root();
  private final Deque<FakeBuffer> inFlight = new ArrayDeque<>();
  private long allocated;
  private long tenured;

  /** In a thread of its own, so that the ring is new. */
  private static void onNewThread(Runnable work) throws Exception {
    Throwable[] failure = new Throwable[1];
    Thread thread = new Thread(work, "ring");
    thread.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
    thread.start();
    thread.join();
    if (failure[0] != null) {
      throw new AssertionError(failure[0]);
    }
  }

  /** Allocates so many, and releases the oldest when more than {@code window} are alive. */
  private void flow(int count, int window, FakeBuffer like) {
    tenured = 0;
    for (int i = 0; i < count; i++) {
      FakeBuffer buffer = FakeBuffer.heap(like.capacity());
      if (like.buftrail$isPooled()) {
        buffer.ofAPool();
      }
      inFlight.add(buffer.allocatedAt(root).hop(A));
      allocated++;
      while (inFlight.size() > window) {
        tenured += FlowState.state(inFlight.element()) instanceof TenuredFlow ? 1 : 0;
        inFlight.remove().release();
      }
    }
  }

  private void assertAllCounted(long bytesOfEach) {
    int alive = inFlight.size();
    assertThat(Probe.paths(root).get("A release"))
        .isEqualTo(released(allocated - alive, (allocated - alive) * bytesOfEach));
    inFlight.forEach(FakeBuffer::release);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A release", released(allocated, allocated * bytesOfEach)));
  }

  @Test
  void whatIsInFlightCostsNoTenuredFlowOnceTheRingHasGrown() throws Exception {
    FakeBuffer[] kinds = {
      FakeBuffer.heap(256),
      FakeBuffer.heap(256),
      FakeBuffer.heap(16 << 10).ofAPool(),
      FakeBuffer.heap(8).ofAPool()
    };
    int[] windows = {512, 4096, 4096, 4096};
    for (int i = 0; i < kinds.length; i++) {
      FakeBuffer kind = kinds[i];
      int window = windows[i];
      // Threads that have ended, or do nothing, give back what they held.
      Tracker.INSTANCE.nursery.sweep(false);
      Tracker.INSTANCE.nursery.sweep(false);
      onNewThread(
          () -> {
            flow(ROUNDS * window, window, kind);
            assertThat(Tracker.INSTANCE.nursery.rings.current().slots())
                .isBetween(window, ThreadRing.MAX_RING);
            flow(ROUNDS * window, window, kind);
          });
      assertThat(tenured).isZero();
      inFlight.forEach(FakeBuffer::release);
      inFlight.clear();
    }
  }

  /** Before a collector has moved it among what is old. */
  @Test
  void aRingIsMadeAnewEach65536LivesAndHoldsWhatItHeld() throws Exception {
    onNewThread(
        () -> {
          flow(65_000, 50, FakeBuffer.heap(1));
          ThreadRing ring = Tracker.INSTANCE.nursery.rings.current();
          TrackedBuffer[] before = ring.buffers();
          flow(1_000, 50, FakeBuffer.heap(1));
          assertThat(ring.buffers() == before).isFalse();
          assertThat(ring.slots()).isEqualTo(ThreadRing.RING);
          for (FakeBuffer buffer : inFlight) {
            assertThat(ring.inSlot(Stamp.slot(FlowState.stamp(buffer))) == buffer).isTrue();
          }
        });
    assertAllCounted(1);
  }

  @Test
  void nothingIsLostWhileRingsGrowAndShrink() throws Exception {
    FakeBuffer kind = FakeBuffer.heap(3);
    onNewThread(
        () -> {
          for (int window : new int[] {1, 600, 20, 5_000, 300, 20_000, 0, 9}) {
            flow(150_000, window, kind);
          }
        });
    assertAllCounted(3);
  }

  @Test
  void aSweeperFindsEverythingMeanwhile() throws Exception {
    Sweeping sweeping = new Sweeping();
    sweeping.start();
    nothingIsLostWhileRingsGrowAndShrink();
    sweeping.end();
  }

  @Test
  void whatIsDroppedInALargeRingIsFound() throws Exception {
    FakeBuffer kind = FakeBuffer.heap(8).ofAPool();
    onNewThread(() -> flow(40_000, 3_000, kind));
    inFlight.clear();
    Probe.awaitLeaks(root, 3_000);
  }

  @Test
  void aRingShrinksWhenLittleIsInIt() throws Exception {
    FakeBuffer kind = FakeBuffer.heap(8).ofAPool();
    long free = Tracker.INSTANCE.nursery.ringBudget.free();
    onNewThread(
        () -> {
          flow(ROUNDS * 4096, 4096, kind);
          assertThat(Tracker.INSTANCE.nursery.rings.current().slots())
              .isEqualTo(ThreadRing.MAX_RING);
          flow(1, 1, kind);
          flow(4 << 16, 1, kind);
          assertThat(Tracker.INSTANCE.nursery.rings.current().slots()).isEqualTo(ThreadRing.RING);
        });
    assertAllCounted(8);
    assertThat(Tracker.INSTANCE.nursery.ringBudget.free())
        .as("paid back")
        .isGreaterThanOrEqualTo(free);
  }

  /** As when the stack ended between its two arrays. */
  @Test
  void aRingThatHasShrunkByHalfGoesOn() throws Exception {
    FakeBuffer kind = FakeBuffer.heap(8).ofAPool();
    long free = Tracker.INSTANCE.nursery.ringBudget.free();
    onNewThread(
        () -> {
          flow(ROUNDS * 1024, 1024, kind);
          inFlight.forEach(FakeBuffer::release);
          inFlight.clear();
          ThreadRing ring = Tracker.INSTANCE.nursery.rings.current();
          assertThat(ring.slots()).isGreaterThan(ThreadRing.RING);
          ring.mask = ThreadRing.RING - 1;
          ring.pasts = new long[ThreadRing.RING + 2 * ThreadRing.GUARD_LONGS];
          flow(1_000, 100, kind);
          flow(4 << 16, 1, kind);
          assertThat(ring.slots()).isEqualTo(ThreadRing.RING);
        });
    assertAllCounted(8);
    assertThat(Tracker.INSTANCE.nursery.ringBudget.free())
        .as("paid back")
        .isGreaterThanOrEqualTo(free);
  }

  @Test
  void slotsArePaidFor() throws Exception {
    FakeBuffer kind = FakeBuffer.heap(8).ofAPool();
    int all = Tracker.INSTANCE.nursery.ringBudget.take(Integer.MAX_VALUE);
    onNewThread(
        () -> {
          flow(ROUNDS * 1024, 1024, kind);
          assertThat(Tracker.INSTANCE.nursery.rings.current().slots()).isEqualTo(ThreadRing.RING);
        });
    Tracker.INSTANCE.nursery.ringBudget.give(all);
    assertAllCounted(8);
  }

  @Test
  void anIdleThreadGivesBackWhatItMayHold() throws Exception {
    FakeBuffer kind = FakeBuffer.heap(1 << 10);
    Tracker.INSTANCE.nursery.sweep(false);
    long[] free = new long[3];
    onNewThread(
        () -> {
          free[0] = Tracker.INSTANCE.nursery.ringBudget.free();
          flow(20_000, 500, kind);
          flow(1, 1, kind);
          free[1] = Tracker.INSTANCE.nursery.ringBudget.free();
          Tracker.INSTANCE.nursery.sweep(false);
          Tracker.INSTANCE.nursery.sweep(false);
          free[2] = Tracker.INSTANCE.nursery.ringBudget.free();
          // It goes on as if nothing had been.
          flow(20_000, 500, kind);
          assertThat(Tracker.INSTANCE.nursery.rings.current().left)
              .isBetween(0, Tracker.INSTANCE.nursery.rings.current().allowance);
          flow(20_000, 500, kind);
        });
    int slots = 3 * ThreadRing.RING * 16;
    assertThat(free[1]).isLessThan(free[0] - (500 << 10));
    assertThat(free[2]).as("but for its slots").isGreaterThanOrEqualTo(free[0] - slots);
    assertThat(tenured).as("asked for anew").isZero();
    assertAllCounted(1 << 10);
    assertThat(Tracker.INSTANCE.nursery.ringBudget.free())
        .as("given back")
        .isGreaterThanOrEqualTo(free[0]);
  }

  @Test
  void aThreadThatStopsAndGoesOnHoldsNoMoreThanItMay() throws Exception {
    FakeBuffer kind = FakeBuffer.heap(4 << 10);
    onNewThread(
        () -> {
          ThreadRing ring = Tracker.INSTANCE.nursery.rings.current();
          for (int i = 0; i < 50; i++) {
            flow(1_000, 200, kind);
            ring.reclaim();
            inFlight.add(FakeBuffer.heap(4 << 10).allocatedAt(root).hop(A));
            allocated++;
            assertThat(ring.allowance).isBetween(0, ByteBudget.PER_RING);
            assertThat(held(ring)).isLessThanOrEqualTo(ring.allowance - ring.left);
          }
        });
    assertAllCounted(4 << 10);
  }

  /** Else the thread would look through its whole ring each time that is used up. */
  @Test
  void whatAnotherThreadReleasesIsGivenBackAsTheRingComesRound() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      onNewThread(
          () -> {
            ThreadRing ring = Tracker.INSTANCE.nursery.rings.current();
            handOver(2_000, other);
            for (int i = 0; i < 5; i++) {
              int before = ring.left;
              handOver(3 * ThreadRing.RING + 1, other);
              assertThat(ring.left).isEqualTo(before);
              assertThat(held(ring)).isLessThanOrEqualTo(ring.allowance - ring.left);
            }
          });
    } finally {
      other.shutdown();
    }
    assertAllCounted(8);
  }

  private void handOver(int count, ExecutorService other) {
    for (int i = 0; i < count; i++) {
      FakeBuffer buffer = FakeBuffer.heap(8).ofAPool().allocatedAt(root).hop(A);
      allocated++;
      try {
        other.submit(() -> buffer.release()).get();
      } catch (InterruptedException | ExecutionException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static long held(ThreadRing ring) {
    long held = 0;
    for (int slot = 0; slot < ring.slots(); slot++) {
      TrackedBuffer buffer = ring.inSlot(slot);
      held += buffer == null ? 0 : buffer.capacity();
    }
    return held;
  }

  @Test
  void aThreadWithASmallRingReleasesWhatBeganInALargeOne() throws Exception {
    FakeBuffer kind = FakeBuffer.heap(8).ofAPool();
    onNewThread(() -> flow(60_000, 4_096, kind));
    List<FakeBuffer> all = new ArrayList<>(inFlight);
    onNewThread(() -> all.forEach(FakeBuffer::release));
    inFlight.clear();
    assertAllCounted(8);
  }

  @Test
  void aCensusCountsWhatIsInALargeRing() throws Exception {
    FakeBuffer kind = FakeBuffer.heap(8).ofAPool();
    onNewThread(
        () -> {
          flow(40_000, 4_096, kind);
          assertThat(Probe.paths(root).get("A")).isEqualTo(live(4_096, 4_096 << 3));
        });
    assertAllCounted(8);
  }

  @Test
  void aLargePooledBufferIsNotHeld() throws Exception {
    onNewThread(
        () -> {
          FakeBuffer buffer = FakeBuffer.heap(1 << 20).ofAPool().allocatedAt(root);
          assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
          buffer.release();
        });
  }
}
