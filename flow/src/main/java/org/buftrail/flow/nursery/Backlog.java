package org.buftrail.flow.nursery;

import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.base.SweeperThread;
import org.buftrail.flow.base.TrackerLog;
import org.buftrail.flow.base.TrackingMode;

/**
 * Bounds the tenured flows that wait for the sweeper.
 *
 * <p>Where many threads are runnable, the sweeper gets its turn late, while each of them may make
 * millions of tenured flows a second. So a thread that hands on too many first lets go of those
 * that have ended meanwhile, which the sweeper would only pass over. What waits then are flows
 * under way, and what the application dropped. When even that is too much over all threads, no flow
 * begins until the sweeper has looked through: that is counted among the tracker's errors, and
 * logged once. Any thread.
 */
final class Backlog {
  /** A thread looks each time it has handed on so many. A power of two: some 300 KiB. */
  static final int STEP = 1 << 12;

  /** The number from one thread that makes the sweeper look: some 3 MiB. */
  private static final int MANY = 1 << 15;

  private static final int LEAST = 4 * STEP;
  private static final int MOST = 1 << 21;

  /** How many may wait: a twelfth of the largest heap, and no more than 160 MiB. */
  private int most = most(Runtime.getRuntime().maxMemory());

  private boolean logged;

  private final ThreadRings rings;
  private final TrackingMode mode;
  private final SweeperThread sweeper;

  Backlog(ThreadRings rings, TrackingMode mode, SweeperThread sweeper) {
    this.rings = rings;
    this.mode = mode;
    this.sweeper = sweeper;
  }

  static int most(long maxHeap) {
    return (int) Math.max(LEAST, Math.min(MOST, maxHeap >> 10));
  }

  /** Sets how many may wait; the number of before. For tests. */
  int setMost(int most) {
    int before = this.most;
    this.most = most;
    return before;
  }

  /** The owner of {@code ring} has handed on {@link #STEP} more. */
  void look(ThreadRing ring) {
    if (ring.waiting() % MANY == 0) {
      sweeper.wake();
    }
    if (waiting() > most) {
      ring.dropEnded();
      if (waiting() > most) {
        mode.setOverrun(true);
        sweeper.wake();
      }
    }
  }

  private long waiting() {
    long waiting = 0;
    for (ThreadRing ring : rings.all()) {
      waiting += ring.waiting();
    }
    return waiting;
  }

  /** The sweeper has taken all that waited. */
  synchronized void taken() {
    if (mode.setOverrun(false)) {
      Suppressed.addLogged();
      if (!logged) {
        logged = true;
        TrackerLog.add(
            "followed no new buffers for a moment: more are dropped than can be reported");
      }
    }
  }
}
