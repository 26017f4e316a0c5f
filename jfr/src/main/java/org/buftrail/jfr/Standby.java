package org.buftrail.jfr;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps one thread of the common pool awake for work that will be offered to the pool soon. To wake
 * a thread that sleeps takes some 50 microseconds; to convert a small recording, 1,000.
 */
final class Standby {
  private static final boolean PARALLEL = Runtime.getRuntime().availableProcessors() > 1;

  /** How long the thread waits for work; meanwhile it gives way to any other thread. */
  private static final long LONGEST_NANOS = 200_000;

  /** One thread waits, or is to wait, at a time. */
  private static final AtomicBoolean TAKEN = new AtomicBoolean();

  private Standby() {}

  /** Has a thread of the pool wait for work, unless this is one of a pool. */
  static void begin() {
    if (PARALLEL && !ForkJoinTask.inForkJoinPool() && TAKEN.compareAndSet(false, true)) {
      try {
        ForkJoinPool.commonPool().execute(Standby::awaitWork);
      } catch (OutOfMemoryError e) {
        // No thread can be made, and none is needed.
        TAKEN.set(false);
      }
    }
  }

  /** Waits for work in a thread of the pool that has none now. */
  static void await() {
    if (PARALLEL && ForkJoinTask.inForkJoinPool() && TAKEN.compareAndSet(false, true)) {
      awaitWork();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // Nothing depends on it.
  private static void awaitWork() {
    ForkJoinPool pool = ForkJoinPool.commonPool();
    long start = System.nanoTime();
    while (!pool.hasQueuedSubmissions()
        && pool.getQueuedTaskCount() == 0
        && System.nanoTime() - start < LONGEST_NANOS) {
      Thread.yield();
    }
    TAKEN.set(false);
  }
}
