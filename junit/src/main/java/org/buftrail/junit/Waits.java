package org.buftrail.junit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The waits of a run for what threads still do after a test. They share a minute, so that a suite
 * with many leaks does not wait for each; those side by side take it once. Where a test declares
 * how long to wait, it does, however many leaks there were before. Thread-safe.
 */
final class Waits {
  private static final long ALL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** What waits for the tasks of clean tests leave to those that have something open. */
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(40);

  private static final long MIN_PAUSE_MILLIS = 10;
  private static final long MAX_PAUSE_MILLIS = 50;

  /** So long no thread must have work: one that was woken up may still look as if it waited. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Verdict.Clock clock;
  private final AtomicLong left = new AtomicLong(ALL_NANOS);

  private final long begun;

  /** Until when the minute was taken, since {@link #begun}. */
  private final AtomicLong takenUntil = new AtomicLong();

  Waits(Verdict.Clock clock) {
    this.clock = clock;
    this.begun = clock.nanos();
  }

  /** Takes of the minute what of this time no wait beside has taken. */
  private void take(long from, long until) {
    long taken = takenUntil.getAndAccumulate(until - begun, Math::max);
    left.addAndGet(Math.min(0, Math.max(from - begun, taken) - (until - begun)));
  }

  /** A wait for releases, which begins now. */
  Wait forReleases(Rules rules) {
    return begin(rules, 0);
  }

  /** A wait for tasks of a test that has nothing open yet. */
  Wait forTasks(Rules rules) {
    return begin(rules, KEPT_NANOS);
  }

  /**
   * @param kept what it leaves of the shared minute
   */
  private Wait begin(Rules rules, long kept) {
    long grace = TimeUnit.MILLISECONDS.toNanos(rules.grace);
    return rules.declaresGrace
        ? new Wait(grace, false)
        : new Wait(Math.min(grace, left.get() - kept), true);
  }

  /** One wait, of one thread. */
  final class Wait {
    private final long start = clock.nanos();
    private final long allowed;
    private final boolean isShared;
    private long pause = MIN_PAUSE_MILLIS;
    private long end = start;
    private long idleSince = start;

    Wait(long allowed, boolean isShared) {
      this.allowed = allowed;
      this.isShared = isShared;
    }

    /**
     * Waits a little.
     *
     * @return false, without a wait, if it has been long enough, or no thread had work for a while
     */
    boolean goesOn() {
      if (clock.isAnyThreadBusy()) {
        idleSince = end;
      }
      if (end - start >= allowed || end - idleSince > IDLE_NANOS) {
        return false;
      }
      clock.sleep(pause);
      pause = Math.min(2 * pause, MAX_PAUSE_MILLIS);
      long now = clock.nanos();
      if (isShared) {
        take(end, now);
      }
      end = now;
      return true;
    }

    /** How long it has taken. */
    long millis() {
      return TimeUnit.NANOSECONDS.toMillis(end - start);
    }
  }
}
