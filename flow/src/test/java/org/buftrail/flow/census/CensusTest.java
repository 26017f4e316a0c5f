package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.nursery.TenuredTable;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.tree.Counters;
import org.buftrail.flow.woven.Tracker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A snapshot is of one moment, although nobody stops for it. */
@ExtendWith(Probe.class)
class CensusTest {
  private static final int THREADS = 3;
  private static final int SNAPSHOTS = 40;

  private final int root = Probe.root();
  private final CountDownLatch filled = new CountDownLatch(THREADS);
  private volatile boolean ending;

  /** Has nothing of paths made, of which there may be many: moments must be near each other. */
  private static Census census() {
    Census census = Census.take(Tracker.INSTANCE.nursery);
    long ended = census.released.flows() + census.leaks.flows();
    long held = census.dropped.flows() + census.held.flows();
    // Another test may have given up resources, which count as never begun.
    assertThat(ended + held + census.live.size() + census.resources().forgotten())
        .isEqualTo(census.allocated);
    return census;
  }

  /** Each thread holds so many, and then lets go of the oldest for each new one. */
  private void turnOver(int held) {
    ArrayBlockingQueue<FakeBuffer> queue = new ArrayBlockingQueue<>(held);
    while (queue.remainingCapacity() > 0) {
      queue.add(FakeBuffer.heap(64).allocatedAt(root));
    }
    filled.countDown();
    while (!ending) {
      FakeBuffer next = FakeBuffer.heap(64).allocatedAt(root);
      queue.remove().release();
      queue.add(next);
    }
    queue.forEach(FakeBuffer::release);
  }

  /** The same, but each gives what it makes to the next thread. */
  private void passOn(ArrayBlockingQueue<FakeBuffer> from, ArrayBlockingQueue<FakeBuffer> to) {
    filled.countDown();
    while (!ending) {
      FakeBuffer next = FakeBuffer.heap(64).allocatedAt(root);
      if (!to.offer(next)) {
        next.release();
      }
      FakeBuffer last = from.size() > 100 ? from.poll() : null;
      if (last != null) {
        last.release();
      }
    }
  }

  /**
   * The live flows before anything is done. Those that earlier tests dropped must not go meanwhile.
   */
  private static long live() {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (census().live.size() > 0 && System.nanoTime() < deadline) {
      System.gc();
    }
    return census().live.size();
  }

  /**
   * @param atLeast how many are live at any moment; what ends within one is missed
   * @param atMost how many are live at once at most
   */
  private void countWhile(List<Runnable> works, int atLeast, int atMost) throws Exception {
    long before = live();
    List<Thread> threads = new ArrayList<>();
    for (Runnable work : works) {
      Thread thread = new Thread(work);
      thread.start();
      threads.add(thread);
    }
    try {
      filled.await();
      int blurred = 0;
      int few = 0;
      for (int i = 0; i < SNAPSHOTS; i++) {
        Census census = census();
        assertThat((long) census.live.size()).isLessThanOrEqualTo(before + atMost);
        few += census.live.size() < atLeast * 98L / 100 ? 1 : 0;
        blurred += census.inTransit > Math.max(THREADS, atMost / 100) ? 1 : 0;
      }
      // On a machine with more to do than processors, a thread may be stopped in each moment.
      assertThat(few).as("moments that missed more").isLessThanOrEqualTo(SNAPSHOTS / 4);
      assertThat(blurred).as("moments with more in transit").isLessThanOrEqualTo(SNAPSHOTS / 4);
    } finally {
      ending = true;
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  @Test
  void turnoverWithinThreads() throws Exception {
    List<Runnable> works = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      works.add(() -> turnOver(3_000));
    }
    countWhile(works, THREADS * 3_000, THREADS * 3_001);
    assertThat(Objects.requireNonNull(Probe.paths(root).get("release")).live).isZero();
    assertThat(census().inTransit).isZero();
  }

  @Test
  void turnoverOfFewInTheRing() throws Exception {
    List<Runnable> works = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      works.add(() -> turnOver(10));
    }
    countWhile(works, 0, THREADS * 11);
    assertThat(census().inTransit).isZero();
  }

  @Test
  void turnoverFromThreadToThread() throws Exception {
    List<ArrayBlockingQueue<FakeBuffer>> queues = new ArrayList<>();
    List<Runnable> works = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      queues.add(new ArrayBlockingQueue<>(1_000));
    }
    for (int i = 0; i < THREADS; i++) {
      ArrayBlockingQueue<FakeBuffer> from = queues.get(i);
      ArrayBlockingQueue<FakeBuffer> to = queues.get((i + 1) % THREADS);
      works.add(() -> passOn(from, to));
    }
    countWhile(works, 0, THREADS * 1_002);
    for (ArrayBlockingQueue<FakeBuffer> queue : queues) {
      queue.forEach(FakeBuffer::release);
    }
    assertThat(Probe.paths(root)).containsOnlyKeys("release");
    assertThat(census().inTransit).isZero();
  }

  /** Of flows that somebody else counts, besides those of other tests. */
  private static Census census(Counters retired, long retiredAllocated) {
    Census census = new Census(Tracker.INSTANCE.nursery, Ticks.now(), retired, retiredAllocated);
    census.addLive(List.of(), new TenuredTable(Tracker.INSTANCE.scopes));
    return census;
  }

  @Test
  void whatNoLookHasMetIsTakenToBeOfTheMeanSize() {
    Counters retired = new Counters();
    int end = Tracker.INSTANCE.tree.root(root, 0).end().endId;
    // So many that those of other tests hardly change the mean.
    retired.add(end, 1_000_000_000_000L, 1_000_000_000_000_000L);
    Census before = census(retired, 0);
    long missing = before.released.flows() + before.live.size();
    missing += Tracker.INSTANCE.nursery.resources.forgotten();
    for (ThreadRing ring : Tracker.INSTANCE.nursery.rings.all()) {
      missing -= ring.allocated();
    }
    long bytes = bytes(before.live);
    Census after = census(retired, missing + 5);
    assertThat(after.inTransit).isEqualTo(5);
    assertThat(after.live.size()).isEqualTo(before.live.size() + 5);
    assertThat(bytes(after.live) - bytes).isBetween(4_900L, 5_100L);
  }

  private static long bytes(LiveAges live) {
    long sum = 0;
    for (int node = 0; node < Tracker.INSTANCE.tree.size(); node++) {
      sum += live.bytes(node);
    }
    return sum;
  }

  @Test
  void agesCountFromTheAllocation() throws Exception {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root);
    ThreadRing ring = Tracker.INSTANCE.nursery.rings.current();
    int now = Ticks.now();
    assertThat(ring.bornTick(true, now + 100)).isGreaterThanOrEqualTo(now - 1);
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(Ticks.age(ring.bornTick(false, now + 100), now + 1_000)).isBetween(999, 1_100);
    buffer.release();
  }
}
