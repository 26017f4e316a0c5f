package org.buftrail.junit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The waits of a run for what threads still do after a test. All of them share a minute, so that a
 * suite with many leaks does not wait for each. Thread-safe.
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

  Waits(Verdict.Clock clock) {
    this.clock = clock;
  }

  /** A wait for releases, which begins now. */
  Wait forReleases(long graceMillis) {
    return new Wait(Math.min(TimeUnit.MILLISECONDS.toNanos(graceMillis), left.get()));
  }

  /** A wait for tasks of a test that has nothing open yet. */
  Wait forTasks(long graceMillis) {
    return new Wait(Math.min(TimeUnit.MILLISECONDS.toNanos(graceMillis), left.get() - KEPT_NANOS));
  }

  /** One wait, of one thread. */
  final class Wait {
    private final long start = clock.nanos();
    private final long allowed;
    private long pause = MIN_PAUSE_MILLIS;
    private long end = start;
    private long idleSince = start;

    Wait(long allowed) {
      this.allowed = allowed;
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
      left.addAndGet(end - now);
      end = now;
      return true;
    }

    /** How long it has taken. */
    long millis() {
      return TimeUnit.NANOSECONDS.toMillis(end - start);
    }
  }
}
