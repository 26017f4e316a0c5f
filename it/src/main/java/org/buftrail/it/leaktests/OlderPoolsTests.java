package org.buftrail.it.leaktests;

import org.buftrail.it.leaktests.OlderPools.Kind;
import org.junit.jupiter.api.Test;

/** A leak and its twin on each kind of pool that other tests use too. */
abstract class OlderPoolsTests {
  private static void leak(Kind kind) {
    kind.run(() -> Buffers.direct().writeByte(1));
  }

  private static void clean(Kind kind) {
    kind.run(() -> Buffers.direct().release());
  }

  @Test
  void leakCommonPool() {
    leak(Kind.COMMON_POOL);
  }

  @Test
  void cleanCommonPool() {
    clean(Kind.COMMON_POOL);
  }

  @Test
  void leakSupplied() {
    leak(Kind.SUPPLIED);
  }

  @Test
  void cleanSupplied() {
    clean(Kind.SUPPLIED);
  }

  @Test
  void leakChained() {
    leak(Kind.CHAINED);
  }

  @Test
  void cleanChained() {
    clean(Kind.CHAINED);
  }

  @Test
  void leakDelayed() {
    leak(Kind.DELAYED);
  }

  @Test
  void cleanDelayed() {
    clean(Kind.DELAYED);
  }

  @Test
  void leakParallel() {
    leak(Kind.PARALLEL);
  }

  @Test
  void cleanParallel() {
    clean(Kind.PARALLEL);
  }

  @Test
  void leakSingleThread() {
    leak(Kind.SINGLE_THREAD);
  }

  @Test
  void cleanSingleThread() {
    clean(Kind.SINGLE_THREAD);
  }

  @Test
  void leakFixedPool() {
    leak(Kind.FIXED_POOL);
  }

  @Test
  void cleanFixedPool() {
    clean(Kind.FIXED_POOL);
  }

  @Test
  void leakSubmitted() {
    leak(Kind.SUBMITTED);
  }

  @Test
  void cleanSubmitted() {
    clean(Kind.SUBMITTED);
  }

  @Test
  void leakCachedPool() {
    leak(Kind.CACHED_POOL);
  }

  @Test
  void cleanCachedPool() {
    clean(Kind.CACHED_POOL);
  }

  @Test
  void leakStealingPool() {
    leak(Kind.STEALING_POOL);
  }

  @Test
  void cleanStealingPool() {
    clean(Kind.STEALING_POOL);
  }

  @Test
  void leakCalled() {
    leak(Kind.CALLED);
  }

  @Test
  void cleanCalled() {
    clean(Kind.CALLED);
  }

  @Test
  void leakScheduledPool() {
    leak(Kind.SCHEDULED_POOL);
  }

  @Test
  void cleanScheduledPool() {
    clean(Kind.SCHEDULED_POOL);
  }

  @Test
  void leakScheduledNow() {
    leak(Kind.SCHEDULED_NOW);
  }

  @Test
  void cleanScheduledNow() {
    clean(Kind.SCHEDULED_NOW);
  }

  @Test
  void leakEventLoop() {
    leak(Kind.EVENT_LOOP);
  }

  @Test
  void cleanEventLoop() {
    clean(Kind.EVENT_LOOP);
  }

  @Test
  void leakEventLoopLater() {
    leak(Kind.EVENT_LOOP_LATER);
  }

  @Test
  void cleanEventLoopLater() {
    clean(Kind.EVENT_LOOP_LATER);
  }

  @Test
  void leakEventExecutor() {
    leak(Kind.EVENT_EXECUTOR);
  }

  @Test
  void cleanEventExecutor() {
    clean(Kind.EVENT_EXECUTOR);
  }

  @Test
  void leakGlobalExecutor() {
    leak(Kind.GLOBAL_EXECUTOR);
  }

  @Test
  void cleanGlobalExecutor() {
    clean(Kind.GLOBAL_EXECUTOR);
  }

  @Test
  void leakWheelTimer() {
    leak(Kind.WHEEL_TIMER);
  }

  @Test
  void cleanWheelTimer() {
    clean(Kind.WHEEL_TIMER);
  }

  @Test
  void leakJdkTimer() {
    leak(Kind.JDK_TIMER);
  }

  @Test
  void cleanJdkTimer() {
    clean(Kind.JDK_TIMER);
  }

  @Test
  void leakOwnExecutor() {
    leak(Kind.OWN_EXECUTOR);
  }

  @Test
  void cleanOwnExecutor() {
    clean(Kind.OWN_EXECUTOR);
  }

  /** What captures nothing is one object, however often it is handed over. */
  @Test
  void leakOneOfOne() {
    OlderPools.SINGLE.execute(Buffers::direct);
    clean(Kind.SINGLE_THREAD);
  }
}
