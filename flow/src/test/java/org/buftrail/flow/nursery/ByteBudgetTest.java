package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The memory that the tracker keeps alive is bounded, whatever the application drops. */
@ExtendWith(Probe.class)
class ByteBudgetTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  private final int root = Probe.root();

  /** What {@code rings} and the sweeper hold strongly, each buffer once. */
  private static long held(List<ThreadRing> rings) {
    Set<TrackedBuffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
    for (ThreadRing ring : rings) {
      for (int slot = 0; slot < ring.slots(); slot++) {
        TrackedBuffer buffer = ring.inSlot(slot);
        if (buffer != null) {
          buffers.add(buffer);
        }
      }
    }
    synchronized (Tracker.INSTANCE.nursery) {
      for (TenuredFlow tenured : Tracker.INSTANCE.nursery.pending.waiting) {
        TrackedBuffer buffer = tenured.strong;
        if (buffer != null) {
          buffers.add(buffer);
        }
      }
    }
    return buffers.stream().mapToLong(TrackedBuffer::capacity).sum();
  }

  /** So that the ring is as large as it gets. */
  private void useRing() {
    Probe.settle();
    for (int i = 0; i < 20 * ThreadRing.RING; i++) {
      FakeBuffer.heap(64).allocatedAt(root).release();
    }
  }

  private static void assertBound() {
    assertThat(held(List.of(Tracker.INSTANCE.nursery.rings.current())))
        .isLessThanOrEqualTo(3 * MIB);
    assertThat(held(Tracker.INSTANCE.nursery.rings.all())).isLessThanOrEqualTo(8 * MIB);
  }

  @Test
  void largeBuffersAreNeverHeld() throws Exception {
    useRing();
    long before = held(Tracker.INSTANCE.nursery.rings.all());
    for (int i = 0; i < 300; i++) {
      FakeBuffer.heap(4 * MIB).allocatedAt(root);
      assertThat(held(Tracker.INSTANCE.nursery.rings.all())).isEqualTo(before);
    }
    Probe.awaitLeaks(root, 300);
  }

  /** Counts only the object of a pooled buffer, and does not overflow with large ones. */
  @Test
  void aBufferWeighsWhatGoesWithIt() {
    assertThat(ByteBudget.of(100, false)).isEqualTo(ByteBudget.OBJECT + 100);
    assertThat(ByteBudget.of(100, true)).isEqualTo(ByteBudget.OBJECT);
    assertThat(ByteBudget.of(ByteBudget.LARGE, true)).isEqualTo(ByteBudget.OBJECT);
    assertThat(ByteBudget.of(ByteBudget.LARGE + 1, true)).isEqualTo(ByteBudget.LARGE + 1);
    assertThat(ByteBudget.of(Integer.MAX_VALUE, false)).isEqualTo(Integer.MAX_VALUE);
  }

  /** As much as the tests' heap allows. */
  @Test
  void aBufferIsLargeBeyond64Kibibytes() throws Exception {
    useRing();
    assertThat(FlowState.state(FakeBuffer.heap(65_537).allocatedAt(root)))
        .isInstanceOf(TenuredFlow.class);
    assertThat(FlowState.state(FakeBuffer.heap(60_000).allocatedAt(root)))
        .isNotInstanceOf(TenuredFlow.class);
    Probe.awaitLeaks(root, 2);
  }

  @Test
  void smallerOnesAreHeldUpToABound() throws Exception {
    useRing();
    long most = 0;
    long least = MIB;
    for (int i = 0; i < 2_000; i++) {
      FakeBuffer.heap(i % 64 * KIB).allocatedAt(root);
      long held = held(List.of(Tracker.INSTANCE.nursery.rings.current()));
      most = Math.max(most, held);
      least = i < 200 ? least : Math.min(least, held);
      assertBound();
    }
    assertThat(least).as("what is handed on is no more than must be").isGreaterThan(MIB / 4);
    assertThat(most).as("held after all").isGreaterThan(MIB / 4);
    Probe.awaitLeaks(root, 2_000);
  }

  @Test
  void whatGrowsIsHeldNoLonger() throws Exception {
    useRing();
    for (int i = 0; i < 300; i++) {
      FakeBuffer buffer = FakeBuffer.heap(16).allocatedAt(root);
      buffer.grow(4 * MIB);
      Buffers.resized(buffer);
      assertBound();
    }
    Probe.awaitLeaks(root, 300);
  }

  @Test
  void whatGrowsALittleIsHeldUpToABound() {
    useRing();
    for (int i = 0; i < 300; i++) {
      FakeBuffer buffer = FakeBuffer.heap(16).allocatedAt(root);
      buffer.grow(32 * KIB);
      Buffers.resized(buffer);
      assertBound();
    }
  }

  /** As with composites: what they were charged with is not given back when they are released. */
  @Test
  void theRingIsLookedThroughOnceARoundAtMost() throws Exception {
    // A thread that has not asked for more than others yet.
    FutureTask<Integer> looks = new FutureTask<>(this::looksInTenThousandLives);
    Thread thread = new Thread(looks);
    thread.start();
    assertThat(looks.get()).isBetween(1, 10_000 / ThreadRing.RING + 1);
    thread.join();
  }

  private int looksInTenThousandLives() {
    useRing();
    ThreadRing ring = Tracker.INSTANCE.nursery.rings.current();
    int looks = 0;
    for (int i = 0; i < 20_000; i++) {
      int left = ring.left;
      FakeBuffer buffer = FakeBuffer.heap(600).allocatedAt(root);
      Buffers.resized(buffer);
      buffer.release();
      looks += i >= 10_000 && ring.left > left ? 1 : 0;
    }
    assertThat(ring.allowance).isLessThanOrEqualTo(ByteBudget.PER_RING);
    return looks;
  }

  @Test
  void whatGrowsInAnotherThreadIsHeldNoLonger() throws Exception {
    useRing();
    List<FakeBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      buffers.add(FakeBuffer.heap(16).allocatedAt(root));
    }
    Thread other =
        new Thread(
            () -> {
              for (FakeBuffer buffer : buffers) {
                buffer.grow(MIB);
                Buffers.resized(buffer);
              }
            });
    other.start();
    other.join();
    assertBound();
    buffers.clear();
    Probe.awaitLeaks(root, 200);
  }

  @Test
  void keptBuffersThatAreLargeAreNotHeld() {
    useRing();
    for (int i = 0; i < 100; i++) {
      FakeBuffer buffer = FakeBuffer.heap(64 * KIB).allocatedAt(root);
      buffer.keep();
      assertBound();
    }
  }

  @Test
  void sweepsHoldNoMoreThanTheyMay() {
    useRing();
    for (int i = 0; i < 400; i++) {
      FakeBuffer.heap(48 * KIB).allocatedAt(root);
      if (i % 7 == 0) {
        Tracker.INSTANCE.nursery.sweep(true);
      }
      assertBound();
    }
  }

  @Test
  void allThreadsTogetherHoldNoMoreThanEightMebibytes() throws Exception {
    for (int threads : new int[] {16, 64, 1_000}) {
      long free = Tracker.INSTANCE.nursery.ringBudget.free();
      runDropping(threads, 60, 60 * KIB);
      Probe.settle();
      assertThat(Tracker.INSTANCE.nursery.ringBudget.free())
          .as("given back")
          .isGreaterThanOrEqualTo(free);
    }
  }

  private void runDropping(int threads, int drops, int bytes) throws Exception {
    CountDownLatch done = new CountDownLatch(threads);
    CyclicBarrier end = new CyclicBarrier(threads + 1);
    for (int t = 0; t < threads; t++) {
      Runnable work =
          () -> {
            for (int i = 0; i < drops; i++) {
              FakeBuffer.heap(bytes >> (i & 7)).allocatedAt(root);
            }
            done.countDown();
            await(end);
          };
      new Thread(null, work, "dropping", 128 << 10).start();
    }
    while (done.getCount() > 0) {
      assertThat(held(Tracker.INSTANCE.nursery.rings.all())).isLessThanOrEqualTo(8 * MIB);
      Thread.onSpinWait();
    }
    assertThat(held(Tracker.INSTANCE.nursery.rings.all())).isLessThanOrEqualTo(8 * MIB);
    await(end);
    for (ThreadRing ring : Tracker.INSTANCE.nursery.rings.all()) {
      Thread owner = ring.owner;
      if (owner != null && owner.getName().equals("dropping")) {
        owner.join();
      }
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The budget that is left must never exceed the limit less what is held. */
  @Test
  void theAllowanceAgreesWithTheRing() {
    Random random = new Random(3);
    Deque<FakeBuffer> alive = new ArrayDeque<>();
    ThreadRing ring = Tracker.INSTANCE.nursery.rings.current();
    for (int i = 0; i < 50_000; i++) {
      alive.add(FakeBuffer.heap(random.nextInt(20 * KIB)).allocatedAt(root));
      while (alive.size() > random.nextInt(100)) {
        alive.remove().release();
      }
      assertThat(ring.left).isBetween(0, ring.allowance);
      assertThat(ring.allowance).isLessThanOrEqualTo(ByteBudget.PER_RING);
      if (i % 100 == 0) {
        assertThat(held(List.of(ring))).isLessThanOrEqualTo(ring.allowance - ring.left);
      }
    }
    alive.forEach(FakeBuffer::release);
    assertThat(Objects.requireNonNull(Probe.paths(root).get("release")).released).isEqualTo(50_000);
  }

  @Test
  void aSmallHeapMakesASmallBound() {
    assertThat(ByteBudget.total(64 * MIB)).isEqualTo(MIB);
    assertThat(ByteBudget.total(1L << 40)).isEqualTo(8 * MIB);
    assertThat(ByteBudget.total(1)).isEqualTo(64 * KIB);
  }

  @Test
  void anAccountIsNeverOverdrawn() {
    ByteBudget account = new ByteBudget(10);
    assertThat(account.isScarce()).isFalse();
    assertThat(account.take(7)).isEqualTo(7);
    assertThat(account.take(7)).isEqualTo(3);
    assertThat(account.take(7)).isZero();
    assertThat(account.isScarce()).isTrue();
    account.give(5);
    assertThat(account.free()).isEqualTo(5);
  }
}
