package org.buftrail.flow;

import org.buftrail.flow.census.Census;
import org.buftrail.flow.woven.Tracker;
import org.jspecify.annotations.Nullable;

/** Sweeps and counts all the time, far more often than the tracker does, to meet every race. */
public final class Sweeping extends Thread {
  private volatile boolean ending;
  private volatile @Nullable Throwable failure;

  @Override
  public void run() {
    try {
      for (int i = 0; !ending; i++) {
        if (i % 16 == 0) {
          Census.take(Tracker.INSTANCE.nursery);
        } else {
          Tracker.INSTANCE.nursery.sweep(i % 4 == 0);
        }
        Thread.onSpinWait();
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  /** Stops, and fails if a sweep has failed. */
  public void end() throws InterruptedException {
    ending = true;
    join();
    if (failure != null) {
      throw new AssertionError(failure);
    }
  }
}
