package org.buftrail.flow.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.FullCollections;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;

/** A collection that was asked for decides which live flows are lost. */
final class CollectionTest {
  private static final long PATIENCE_MILLIS = 60_000;
  private static final long SECOND = 1_000_000_000;

  private final Tracker tracker = new Tracker();
  private final FlowTracker control = new FlowTracker(tracker);
  private final Node root = tracker.tree.root(Probe.root(), 0);
  private final List<FakeBuffer> kept = new ArrayList<>();

  private void lose(int count) {
    for (int i = 0; i < count; i++) {
      tracker.births.enter(FakeBuffer.heap(1), root, 0);
    }
  }

  private void keep(int count) {
    for (int i = 0; i < count; i++) {
      FakeBuffer buffer = FakeBuffer.heap(1);
      tracker.births.enter(buffer, root, 0);
      kept.add(buffer);
    }
  }

  private void assertCounts(long leaked, long live, long undecided) {
    Snapshot now = control.snapshot();
    assertThat(now.leaked().count()).isEqualTo(leaked);
    assertThat(now.live().count()).isEqualTo(live);
    assertThat(now.status().undecided()).isEqualTo(undecided);
  }

  private void collect() {
    assertThat(control.collect(PATIENCE_MILLIS)).isEqualTo(CollectionOutcome.ENDED);
  }

  @Test
  void oneDecidesAboutAllThatWasThere() {
    lose(53);
    keep(7);
    assertCounts(0, 60, 60);
    collect();
    assertCounts(53, 7, 0);
  }

  @Test
  void whatBeganAfterItIsUndecided() {
    keep(2);
    collect();
    lose(3);
    keep(5);
    assertCounts(0, 10, 8);
    collect();
    assertCounts(3, 7, 0);
  }

  @Test
  void whatIsLostOnOtherThreadsIsFound() throws Exception {
    CountDownLatch lost = new CountDownLatch(2);
    CountDownLatch end = new CountDownLatch(1);
    Thread ended = new Thread(() -> lose(11));
    ended.start();
    ended.join();
    List<Thread> going = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      going.add(
          new Thread(
              () -> {
                lose(13);
                lost.countDown();
                await(end);
              }));
    }
    going.forEach(Thread::start);
    await(lost);
    keep(1);
    collect();
    assertCounts(11 + 2 * 13, 1, 0);
    end.countDown();
    for (Thread thread : going) {
      thread.join();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatARunningThreadReachesIsLive() throws Exception {
    CountDownLatch has = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread holder =
        new Thread(
            () -> {
              FakeBuffer mine = FakeBuffer.heap(1);
              tracker.births.enter(mine, root, 0);
              has.countDown();
              await(end);
              assertThat(mine.refCnt()).isEqualTo(1);
            });
    holder.start();
    await(has);
    collect();
    assertCounts(0, 1, 0);
    end.countDown();
    holder.join();
  }

  @Test
  void theEndForgetsWhatWasDecidedBefore() {
    keep(3);
    collect();
    assertCounts(0, 3, 0);
    assertThat(control.snapshot().status().isAtEnd()).isFalse();
    control.finish();
    assertCounts(0, 3, 3);
    assertThat(control.snapshot().status().isAtEnd()).isTrue();
    collect();
    assertCounts(0, 3, 0);
  }

  @Test
  void eachSampledBufferIsAsManyUndecidedOnes() {
    control.configure(10, false);
    keep(4);
    assertCounts(0, 40, 40);
  }

  @Test
  void oneThatTakesTooLongIsLeftBehind() throws Exception {
    lose(3);
    synchronized (tracker.nursery) {
      assertThat(control.collect(50)).isEqualTo(CollectionOutcome.UNDER_WAY);
      assertCounts(0, 3, 3);
    }
    long until = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    while (control.snapshot().leaked().count() < 3 && System.nanoTime() < until) {
      Thread.sleep(10);
    }
    assertCounts(3, 0, 0);
  }

  @Test
  void anInterruptedThreadIsToldWhenItHasWaited() {
    lose(1);
    Thread.currentThread().interrupt();
    collect();
    assertThat(Thread.interrupted()).isTrue();
    assertCounts(1, 0, 0);
  }

  @Test
  void whatItDecidedHoldsForAMoment() {
    FullCollections collections = new FullCollections();
    short before = collections.generation();
    assertThat(collections.hasDecided(before, 0)).isFalse();
    int number = collections.begin();
    short after = collections.generation();
    assertThat(collections.hasDecided(before, 0)).isFalse();
    collections.end(number, 0);
    assertThat(collections.hasDecided(before, 9 * SECOND)).isTrue();
    assertThat(collections.hasDecided(after, 9 * SECOND)).isFalse();
    assertThat(collections.hasDecided(before, 10 * SECOND)).isFalse();
  }

  @Test
  void ofTwoTheLaterDecides() {
    FullCollections collections = new FullCollections();
    int first = collections.begin();
    short between = collections.generation();
    int second = collections.begin();
    collections.end(second, 0);
    collections.end(first, 0);
    assertThat(collections.hasDecided(between, 0)).isTrue();
    assertThat(collections.hasDecided(collections.generation(), 0)).isFalse();
  }

  @Test
  void theirNumberMayRunOver() {
    FullCollections collections = new FullCollections();
    int last = 0;
    for (int i = 0; i < 40_000; i++) {
      last = collections.begin();
    }
    short now = collections.generation();
    collections.end(last, 0);
    assertThat(collections.hasDecided(now, 0)).isFalse();
    collections.end(collections.begin(), 0);
    assertThat(collections.hasDecided(now, 0)).isTrue();
  }
}
