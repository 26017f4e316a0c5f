package org.buftrail.jfr;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Work that is offered to the common pool, and done by the caller if no other thread has begun with
 * it by then: what is queued behind others is not waited for. All but the work is the caller's.
 */
final class OfferedWork {
  /** How often to look whether the other thread is through before this one sleeps. */
  private static final int SPINS = 1_000;

  private final AtomicBoolean begun = new AtomicBoolean();
  private final CompletableFuture<@Nullable Void> through = new CompletableFuture<>();
  private final ForkJoinTask<?> task;

  // Belongs to who has begun.
  private @Nullable Runnable work;

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
      through.complete(null);
    } catch (RuntimeException | Error e) {
      through.completeExceptionally(e);
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

  /** The work, also if another thread has begun with it. */
  Future<?> elsewhere() {
    return through;
  }

  /** Does the work, or waits for it; fails as it did. */
  void finish() {
    if (!runIfNobodyHas()) {
      await();
    }
    try {
      through.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      } else if (e.getCause() instanceof RuntimeException exception) {
        throw exception;
      }
      throw e;
    }
  }

  /** Sees to it that nobody works on it any more; what failed, failed. */
  void stop() {
    if (begun.compareAndSet(false, true)) {
      work = null;
      through.complete(null);
      task.tryUnfork();
    } else {
      await();
    }
  }

  private void await() {
    for (int spins = 0; spins < SPINS && !through.isDone(); spins++) {
      Thread.onSpinWait();
    }
    through.exceptionally(failure -> null).join();
  }
}
