package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.Sweeping;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A ring by itself: sampling, what it holds, what its counters keep. */
@ExtendWith(Probe.class)
class ThreadRingTest {
  private static final int A = Probe.site("A");

  private final int root = Probe.root();

  @Test
  void oneOfSoManyIsChosen() {
    ThreadRing ring = new ThreadRing(Tracker.INSTANCE.nursery, null);
    for (int sampling : new int[] {2, 3, 10, 1_000}) {
      for (int block = 0; block < 20; block++) {
        int chosen = 0;
        for (int i = 0; i < sampling; i++) {
          chosen += ring.skips(sampling) ? 0 : 1;
        }
        assertThat(chosen).isEqualTo(1);
      }
    }
  }

  @Test
  void rhythmOfTheApplicationIsNotSampledAlone() {
    ThreadRing ring = new ThreadRing(Tracker.INSTANCE.nursery, null);
    int[] chosen = new int[10];
    for (int i = 0; i < 100_000; i++) {
      chosen[i % 10] += ring.skips(10) ? 0 : 1;
    }
    for (int count : chosen) {
      assertThat(count).isCloseTo(1_000, within(200));
    }
  }

  @Test
  void shortLivedThreadsAreSampledLikeAnyOther() {
    int chosen = 0;
    for (int i = 0; i < 20_000; i++) {
      chosen += new ThreadRing(Tracker.INSTANCE.nursery, null).skips(10) ? 0 : 1;
    }
    assertThat(chosen).isCloseTo(2_000, within(300));
  }

  @Test
  void itIsLentToOneAtATime() {
    ThreadRing ring = new ThreadRing(Tracker.INSTANCE.nursery, Thread.currentThread());
    assertThat(ring.borrow()).isTrue();
    assertThat(ring.borrow()).isFalse();
    ring.giveBack();
    assertThat(ring.borrow()).isTrue();
  }

  private static int enter(ThreadRing ring, FakeBuffer buffer, int weight) {
    ring.enter(buffer, ring.nursery.tree.root(A, 0), weight);
    return FlowState.stamp(buffer);
  }

  @Test
  void theStampSaysWhoseMemoryItIs() {
    ThreadRing ring = new Tracker().nursery.rings.current();
    assertThat(Stamp.isPooled(enter(ring, FakeBuffer.heap(8), 0))).isFalse();
    FakeBuffer pooled = FakeBuffer.heap(8).ofAPool();
    assertThat(Stamp.isPooled(enter(ring, pooled, 0))).isTrue();
    assertThat(FlowState.bytes(pooled)).isEqualTo(8);
    FakeBuffer part = FakeBuffer.heap(8).ofAPool();
    assertThat(Stamp.isPooled(enter(ring, part, Stamp.WEIGHTLESS))).isTrue();
    assertThat(FlowState.bytes(part)).as("of its composite").isZero();
  }

  /** What must make room for it is asked whether it lives, and fails. */
  @Test
  void aLifeThatAnErrorKeptFromBeginningIsNone() {
    ThreadRing ring = new Tracker().nursery.rings.current();
    StackOverflowError error = new StackOverflowError();
    AtomicBoolean failing = new AtomicBoolean();
    FakeBuffer oldest =
        new FakeBuffer(false) {
          @Override
          public int refCnt() {
            if (failing.get()) {
              throw error;
            }
            return super.refCnt();
          }
        };
    enter(ring, oldest.reset(1), 0);
    for (int life = 1; life < ThreadRing.RING; life++) {
      FakeBuffer other = FakeBuffer.heap(1);
      ring.leave(other, enter(ring, other, 0), ring.nursery.tree.root(A, 0).end());
    }
    FakeBuffer next = FakeBuffer.heap(1);
    failing.set(true);
    assertThatThrownBy(() -> enter(ring, next, 0)).isSameAs(error);
    failing.set(false);
    assertThat(ring.allocated()).isEqualTo(ThreadRing.RING);
    assertThat(FlowState.stamp(next)).as("of no life").isEqualTo(Stamp.ENDED_SLOT);
    assertThat(ring.inSlot(Stamp.slot(enter(ring, next, 0)))).isSameAs(next);
    assertThat(ring.allocated()).isEqualTo(ThreadRing.RING + 1);
  }

  @Test
  void sampledCountsAreScaled() {
    FlowTracker.INSTANCE.configure(5, false);
    for (int i = 0; i < 1_000; i++) {
      FakeBuffer buffer = FakeBuffer.heap(3).allocatedAt(root).hop(A);
      // What a delegating allocator does; it must not draw again.
      buffer.allocatedAt(root);
      buffer.release();
    }
    Probe.Counts counts = Objects.requireNonNull(Probe.paths(root).get("A release"));
    // The thread may have been inside a block of five, and may be now.
    assertThat(counts.released).isBetween(995L, 1_005L);
    assertThat(counts.bytes).isEqualTo(counts.released * 3);
  }

  @Test
  void whatIsNeverReleasedDoesNotFillTheHeap() throws Exception {
    Thread thread =
        new Thread(
            () -> {
              List<WeakReference<FakeBuffer>> all = new ArrayList<>();
              for (int i = 0; i < 500; i++) {
                all.add(new WeakReference<>(FakeBuffer.heap(1 << 20).allocatedAt(root)));
              }
              int held = 0;
              for (int slot = 0; slot < Tracker.INSTANCE.nursery.rings.current().slots(); slot++) {
                held += Tracker.INSTANCE.nursery.rings.current().inSlot(slot) == null ? 0 : 1;
              }
              assertThat(held).isLessThanOrEqualTo(16);
              assertThat(all).hasSize(500);
              passed = true;
            });
    thread.start();
    thread.join();
    assertThat(passed).isTrue();
    Probe.awaitLeaks(root, 500);
  }

  private volatile boolean passed;

  private static boolean isHeldWeakly(FakeBuffer buffer) {
    return FlowState.state(buffer) instanceof TenuredFlow tenured && tenured.strong == null;
  }

  @Test
  void whatIsLetGoAtOnceMovesAndEndsLikeAnyOther() {
    List<FakeBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      buffers.add(FakeBuffer.heap(1 << 20).allocatedAt(root));
    }
    assertThat(buffers.stream().anyMatch(ThreadRingTest::isHeldWeakly)).isTrue();
    buffers.forEach(b -> b.hop(A));
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A", live(400, 400 << 20)));
    buffers.forEach(FakeBuffer::release);
    Probe.settle();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(400, 400 << 20)));
  }

  @Test
  void aRingThatHasGrownHoldsWhatTheOldOneHeld() throws Exception {
    List<FakeBuffer> buffers = new ArrayList<>();
    Thread thread =
        new Thread(
            () -> {
              ThreadRing ring = Tracker.INSTANCE.nursery.rings.current();
              TrackedBuffer[] first = ring.buffers;
              while (ring.buffers == first) {
                buffers.add(FakeBuffer.heap(1).allocatedAt(root));
              }
              for (FakeBuffer kept :
                  buffers.subList(buffers.size() - ThreadRing.RING, buffers.size())) {
                assertThat(ring.inSlot(Stamp.slot(FlowState.stamp(kept)))).isSameAs(kept);
              }
              buffers.forEach(kept -> kept.hop(A).release());
              passed = true;
            });
    thread.start();
    thread.join();
    assertThat(passed).isTrue();
    assertThat(Probe.paths(root).get("A release"))
        .isEqualTo(released(buffers.size(), buffers.size()));
  }

  @Test
  void whatWasHandedOnIsLetGoWithoutASweepOfTheRings() {
    List<FakeBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 2 * ThreadRing.MAX_RING; i++) {
      buffers.add(FakeBuffer.heap(1).allocatedAt(root));
    }
    Tracker.INSTANCE.nursery.relieve();
    Tracker.INSTANCE.nursery.relieve();
    long held = buffers.stream().filter(b -> !isHeldWeakly(b)).count();
    assertThat(held).isLessThanOrEqualTo(ThreadRing.MAX_RING);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("", live(2 * ThreadRing.MAX_RING, 2 * ThreadRing.MAX_RING)));
    buffers.forEach(FakeBuffer::release);
  }

  @Test
  void flowsThatEndInVeryManyPlacesAreAllCounted() throws Exception {
    int places = EndCounts.MAX_SIZE * 3;
    int[] sites = new int[300];
    for (int i = 0; i < sites.length; i++) {
      sites[i] = Probe.site("P" + i);
    }
    Thread[] threads = new Thread[3];
    Sweeping sweeping = new Sweeping();
    sweeping.start();
    for (int t = 0; t < threads.length; t++) {
      threads[t] =
          new Thread(
              () -> {
                for (int i = 0; i < places; i++) {
                  FakeBuffer.heap(1)
                      .allocatedAt(root)
                      .hop(sites[i % 300], sites[(i / 300 + i + 1) % 300])
                      .release();
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    sweeping.end();
    Map<String, Probe.Counts> paths = Probe.paths(root);
    assertThat(paths.size()).isGreaterThan(places / 2);
    assertThat(paths.values().stream().mapToLong(c -> c.released).sum()).isEqualTo(3L * places);
    assertThat(paths.values()).allMatch(c -> c.released % 3 == 0 && c.bytes == c.released);
  }

  @Test
  void classesOfAllocatorsAreLetGo() throws Exception {
    WeakReference<Class<?>> type = allocateWithAClassOfItsOwn();
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (type.get() != null && System.nanoTime() < deadline) {
      Tracker.INSTANCE.nursery.sweep(false);
      System.gc();
      Thread.onSpinWait();
    }
    assertThat(type.get()).isNull();
  }

  private static WeakReference<Class<?>> allocateWithAClassOfItsOwn() throws Exception {
    byte[] code;
    try (InputStream in =
        ThreadRingTest.class.getResourceAsStream("ThreadRingTest$Allocator.class")) {
      code = Objects.requireNonNull(in).readAllBytes();
    }
    ClassLoader loader =
        new ClassLoader(null) {
          @Override
          protected Class<?> findClass(String name) {
            return defineClass(name, code, 0, code.length);
          }
        };
    Class<?> type = loader.loadClass(Allocator.class.getName());
    FakeBuffer buffer = FakeBuffer.heap(1);
    Buffers.allocated(buffer, type.getConstructor().newInstance(), Buffers.HEAP);
    buffer.release();
    return new WeakReference<>(type);
  }

  /** Loaded once more by a loader that nobody keeps. */
  public static final class Allocator {
    /** Called reflectively. */
    public Allocator() {}
  }

  @Test
  void releaseOnAnotherThreadIsCountedThere() throws Exception {
    FakeBuffer buffer = FakeBuffer.heap(5).allocatedAt(root);
    Thread thread = new Thread(buffer::release);
    thread.start();
    thread.join();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("release", released(1, 5)));
  }
}
