package org.buftrail.jfr;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Work that is offered to the common pool, and done by the caller if no other thread has begun with
 * it by then: what is queued behind others is not waited for. All but the work is the caller's.
 */
final class OfferedWork {
  private final Runnable work;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final ForkJoinTask<?> task;

  // The caller's alone.
  private boolean mine;

  OfferedWork(Runnable work) {
    this.work = work;
    this.task = ForkJoinPool.commonPool().submit(this::offer);
  }

  private void offer() {
    if (begin()) {
      work.run();
    }
  }

  private boolean begin() {
    return begun.compareAndSet(false, true);
  }

  /** Does the work if nobody has begun with it; answers whether it did. */
  boolean runIfNobodyHas() {
    mine = begin();
    if (mine) {
      work.run();
    }
    return mine;
  }

  /** The other thread's part, done when that is through. */
  Future<?> elsewhere() {
    return task;
  }

  /** Does the work, or waits for it; fails as it did. */
  void finish() {
    if (!runIfNobodyHas()) {
      task.join();
    }
  }

  /** Sees to it that nobody works on it any more; what failed, failed. */
  void stop() {
    if (!mine && !begin()) {
      task.quietlyJoin();
    }
  }
}
