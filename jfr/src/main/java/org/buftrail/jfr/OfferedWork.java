package org.buftrail.jfr;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Work that is offered to the common pool, and done by the caller if no other thread has begun with
 * it by then: what is queued behind others is not waited for. All but the work is the caller's. Who
 * waits does nothing else meanwhile, so no other task of the pool meets its tables half changed.
 */
final class OfferedWork {
  /** How often to look whether the other thread is through before this one sleeps. */
  private static final int SPINS = 1_000;

  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch through = new CountDownLatch(1);
  private final ForkJoinTask<?> task;

  // Belongs to who has begun.
  private @Nullable Runnable work;

  // Published by the latch.
  private @Nullable Throwable failure;

  OfferedWork(Runnable work) {
    this.work = work;
    this.task = ForkJoinPool.commonPool().submit(this::offer);
  }

  private void offer() {
    if (begun.compareAndSet(false, true)) {
      run();
      // Whoever offered this is likely to offer more.
      Standby.await();
    }
  }

  private void run() {
    Runnable mine = work;
    work = null;
    try {
      if (mine != null) {
        mine.run();
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    } finally {
      through.countDown();
    }
  }

  /** Does the work if nobody has begun with it; answers whether it did. */
  boolean runIfNobodyHas() {
    if (!begun.compareAndSet(false, true)) {
      return false;
    }
    task.tryUnfork();
    run();
    return true;
  }

  /** Whether the work is done, or is not to be done any more. */
  boolean isThrough() {
    return through.getCount() == 0;
  }

  /** Does the work, or waits for it; fails as it did. */
  void finish() {
    if (!runIfNobodyHas()) {
      await();
    }
    if (failure instanceof Error error) {
      throw error;
    } else if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }

  /** Sees to it that nobody works on it any more; what failed, failed. */
  void stop() {
    if (begun.compareAndSet(false, true)) {
      work = null;
      through.countDown();
      task.tryUnfork();
    } else {
      await();
    }
  }

  private void await() {
    for (int spins = 0; spins < SPINS && !isThrough(); spins++) {
      Thread.onSpinWait();
    }
    boolean interrupted = false;
    while (!isThrough()) {
      try {
        through.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
