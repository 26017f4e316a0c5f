package org.buftrail.junit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The waits of a run for what threads still do after a test. They share a minute, so that a suite
 * with many leaks does not wait for each; those side by side take it once. Where a test declares
 * how long to wait, it does, however many leaks there were before. Thread-safe.
 *
 * <p>A third of the minute may be spent on threads of which nothing says that they work for the
 * test, as those of event loops that wait for a socket; then these are given the time in which a
 * thread that was woken up begins. The rest of the minute is for threads that do. After each test
 * the waits look for such threads a few times, also once the minute is used up, and that takes none
 * of it.
 */
final class Waits {
  private static final long ALL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** What waits for tasks of clean tests, and for strange threads, leave to others. */
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(40);

  private static final long MIN_PAUSE_MILLIS = 10;
  private static final long MIN_PAUSE_MILLIS_AT_ONCE = 5;
  private static final long MAX_PAUSE_MILLIS = 50;

  /** So long each may wait. */
  private static final long FREE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** So long no thread must have work: one that was woken up may still look as if it waited. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The same where that is seen at once: three looks. */
  private static final long IDLE_NANOS_AT_ONCE = TimeUnit.MILLISECONDS.toNanos(12);

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

  /**
   * Whether a third is used up, so that one of those that share it may be shorter than its grace.
   */
  boolean areShort() {
    return left.get() <= KEPT_NANOS;
  }

  /** A wait for releases, which begins now. */
  Wait forReleases(Scopes.Scope scope, Rules rules) {
    return new Wait(scope, rules, 0);
  }

  /** A wait for tasks of a test that has nothing open yet. */
  Wait forTasks(Scopes.Scope scope, Rules rules) {
    return new Wait(scope, rules, KEPT_NANOS);
  }

  /** One wait, of one thread. */
  final class Wait {
    private final Scopes.Scope scope;
    private final long start = clock.nanos();
    private final long grace;
    private final boolean isShared;

    /** What it leaves of the minute. */
    private final long kept;

    private long pause = 0;
    private long idle;
    private long end = start;
    private long idleSince = start;
    private boolean isCut;

    Wait(Scopes.Scope scope, Rules rules, long kept) {
      this.scope = scope;
      this.grace = TimeUnit.MILLISECONDS.toNanos(rules.grace);
      this.isShared = !rules.declaresGrace;
      this.kept = kept;
    }

    /**
     * Waits a little.
     *
     * @return false, without a wait, if it has been long enough, or no thread had work for a while
     */
    boolean goesOn() {
      if (end - start >= grace) {
        return false;
      }
      if (pause == 0) {
        boolean atOnce = clock.seesAtOnce();
        pause = atOnce ? MIN_PAUSE_MILLIS_AT_ONCE : MIN_PAUSE_MILLIS;
        idle = atOnce ? IDLE_NANOS_AT_ONCE : IDLE_NANOS;
      }
      Activity most = most();
      boolean isForStrangers = !isShared || !areShort();
      boolean isAtWork = most.compareTo(isForStrangers ? Activity.ELSEWHERE : Activity.LATER) >= 0;
      boolean isFree = !isShared || end - start < FREE_NANOS;
      if (isAtWork) {
        idleSince = end;
        isCut = !isFree && left.get() <= kept;
      } else if (most == Activity.ELSEWHERE) {
        // One may wait for what the test has caused, and that may come soon.
        idle = IDLE_NANOS;
      }
      if (isCut || end - idleSince > idle) {
        return false;
      }
      clock.sleep(pause);
      pause = Math.min(2 * pause, MAX_PAUSE_MILLIS);
      long now = clock.nanos();
      if (isAtWork && !isFree) {
        take(end, now);
      }
      end = now;
      return true;
    }

    private Activity most() {
      Activity most = clock.activity(scope.firstThread());
      return most == Activity.ELSEWHERE && (scope.hasTasks() || scope.hasTimers())
          ? Activity.LATER
          : most;
    }

    /** Whether it ended while threads were at work, since the minute of all is used up. */
    boolean isCut() {
      return isCut;
    }

    /** How long it has taken. */
    long millis() {
      return TimeUnit.NANOSECONDS.toMillis(end - start);
    }
  }
}
