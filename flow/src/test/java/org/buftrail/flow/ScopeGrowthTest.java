package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.buftrail.flow.scope.KnownScopes;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.ExecutorScopes;
import org.buftrail.flow.woven.KnownExecutors;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Leftover;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Scopes by the hundred thousand, in parallel, and what they cost and leave. */
@Tag("slow")
@SuppressWarnings("try") // a scope need not be named where it is open
@ExtendWith(Probe.class)
class ScopeGrowthTest {
  private static final int A = Probe.site("A");
  private static final int B = Probe.site("B");

  private final int root = Probe.root();

  private void scope(int number, boolean handOver) {
    LeakScope scope = LeakScope.open("scope " + number);
    FakeBuffer buffer = FakeBuffer.direct(8).allocatedAt(root).hop(A, B);
    if (number % 10 == 0) {
      assertThat(scope.leftovers()).hasSize(1);
      if (handOver) {
        scope.handOver();
      } else {
        scope.close();
      }
    }
    buffer.release();
    scope.close();
  }

  @Test
  void hundredThousandScopesLeaveNothing() throws Exception {
    scope(0, false);
    int nodes = Tracker.INSTANCE.tree.size();
    long before = used();
    for (int i = 0; i < 100_000; i++) {
      scope(i, i % 20 == 0);
    }
    assertThat(Tracker.INSTANCE.tree.size()).isEqualTo(nodes);
    awaitNone();
    assertThat(used() - before).as("bytes of heap").isLessThan(1_000_000);
  }

  private static void awaitNone() throws InterruptedException {
    for (int i = 0; i < 100 && KnownScopes.known(Tracker.INSTANCE.scopes) > 0; i++) {
      Probe.collect();
    }
    assertThat(KnownScopes.known(Tracker.INSTANCE.scopes)).as("scopes that are kept").isZero();
  }

  private static long used() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void buffersLeftOverForGoodHoldNoScope() throws Exception {
    List<FakeBuffer> live = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      try (LeakScope scope = LeakScope.open("scope " + i)) {
        live.add(FakeBuffer.direct(8).allocatedAt(root).hop(A));
        if (i % 2 == 0) {
          Tracker.INSTANCE.nursery.sweep(true);
        }
      }
    }
    awaitNone();
    live.forEach(FakeBuffer::release);
  }

  @Test
  void executorsAreRememberedWhileTheyLive() throws Exception {
    List<Object> kept = List.of(new Object());
    try (LeakScope scope = LeakScope.open("scope")) {
      ExecutorScopes.made(kept.get(0));
      for (int i = 0; i < 1_000; i++) {
        ExecutorScopes.made(new Object());
      }
    }
    for (int i = 0; i < 100 && KnownExecutors.count() > 10; i++) {
      Probe.collect();
      ExecutorScopes.expunge();
    }
    // Other tests have some that live as long as the JVM.
    assertThat(KnownExecutors.count()).isBetween(kept.size(), 10);
  }

  @Test
  void allocationInAScopeMakesNoGarbage() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    FakeBuffer[] buffers = new FakeBuffer[200];
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = new FakeBuffer(true);
    }
    try (LeakScope scope = LeakScope.open("scope")) {
      // Until a ring that other tests have made large is small again, and the code is compiled.
      long least = Long.MAX_VALUE;
      for (int i = 0; i < 5_000 && least >= 500; i++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        live(buffers);
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(least).isLessThan(500);
      assertThat(scope.leftovers()).isEmpty();
    }
  }

  private void live(FakeBuffer[] buffers) {
    for (int round = 0; round < 300; round++) {
      for (FakeBuffer buffer : buffers) {
        Buffers.created(buffer.reset(16), root);
        Buffers.hop(buffer, A);
        buffer.release();
      }
    }
  }

  @Test
  void eachOfManyThreadsFindsItsOwn() throws Exception {
    int threads = 6;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Callable<Integer>> work = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int bytes = 1 << t;
      work.add(() -> scopes(bytes));
    }
    int wrong = 0;
    for (Future<Integer> each : pool.invokeAll(work)) {
      wrong += each.get();
    }
    pool.shutdown();
    assertThat(wrong).as("scopes that told what is not theirs, or not all").isZero();
  }

  private int scopes(int bytes) {
    int wrong = 0;
    for (int i = 0; i < 300; i++) {
      List<FakeBuffer> live = new ArrayList<>();
      LeakScope scope = LeakScope.open("scope of " + bytes);
      for (int j = 0; j < 100; j++) {
        FakeBuffer buffer = FakeBuffer.direct(bytes).allocatedAt(root).hop(A, B);
        if (j % 7 == i % 7) {
          live.add(buffer);
        } else {
          buffer.release();
        }
      }
      List<Leftover> found = scope.leftovers();
      boolean right =
          found.size() == 1
              && found.get(0).count() == live.size()
              && found.get(0).bytes() == (long) bytes * live.size();
      live.forEach(FakeBuffer::release);
      wrong += right && scope.leftovers().isEmpty() ? 0 : 1;
      scope.close();
    }
    return wrong;
  }
}
