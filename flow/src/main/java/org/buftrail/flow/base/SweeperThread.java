package org.buftrail.flow.base;

import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/** The thread that sweeps for a tracker, once there is one. Any thread. */
public final class SweeperThread {
  private volatile @Nullable ServiceThread running;

  /** Starts it, unless that was done before. */
  public synchronized void start(ServiceThread.Work sweeps) {
    if (running == null) {
      running = ServiceThread.start(TrackerStatus.ThreadHealth.SWEEPER, sweeps);
    }
  }

  /** Has what was handed on looked at soon. */
  public void wake() {
    ServiceThread sweeper = running;
    if (sweeper != null) {
      sweeper.wake();
    }
  }
}
