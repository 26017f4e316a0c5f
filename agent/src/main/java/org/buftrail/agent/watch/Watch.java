package org.buftrail.agent.watch;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.flow.base.ServiceThread;
import org.buftrail.model.ErrorText;
import org.jspecify.annotations.Nullable;

/**
 * Calls watchers at their periods, on one daemon thread.
 *
 * <p>Takes no snapshot while nobody wants one. What a watcher spends, it rests twenty times as
 * long, up to a minute: with very many paths it is called less often instead of taking a core.
 * Thread-safe.
 */
public final class Watch {
  /** Share of one core that a watcher may take, as its inverse. */
  private static final long COST_FACTOR = 20;

  private static final long LONGEST_REST_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Watchers are due at multiples of it, together, so that an idle JVM wakes seldom. */
  private static final long GRID_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long SHORTEST_SLEEP_MILLIS = 50;
  private static final long LONGEST_SLEEP_MILLIS = 1_000;

  private final FlowSource source;
  private final LongSupplier nanos;
  private final long beganNanos;
  private final Consumer<String> log;
  private final List<Round> rounds = new CopyOnWriteArrayList<>();
  private volatile @Nullable ServiceThread thread;

  private static final class Round {
    final String what;
    final Watcher watcher;
    final long periodNanos;
    long due;

    /** An error that is not reported yet. */
    @Nullable Throwable failure;

    boolean told;

    Round(String what, Watcher watcher, long periodNanos, long due) {
      this.what = what;
      this.watcher = watcher;
      this.periodNanos = periodNanos;
      this.due = due;
    }
  }

  /**
   * @param source where snapshots come from
   * @param nanos a clock that never goes back
   * @param log takes a line for the first failure of each watcher
   */
  public Watch(FlowSource source, LongSupplier nanos, Consumer<String> log) {
    this.source = source;
    this.nanos = nanos;
    this.beganNanos = nanos.getAsLong();
    this.log = log;
  }

  /**
   * Calls a watcher from now on, the first time after one period.
   *
   * @param what it does, for the line that says that it failed
   */
  public void add(String what, Watcher watcher, long periodMillis) {
    long period = TimeUnit.MILLISECONDS.toNanos(periodMillis);
    rounds.add(new Round(what, watcher, period, nanos.getAsLong() + period));
  }

  /** When a watcher is due that is called now. */
  private long nextDue(long now, long period) {
    return now + period - (period < GRID_NANOS ? 0 : (now - beganNanos) % GRID_NANOS);
  }

  /**
   * Calls watchers for as long as the JVM runs, on a {@link ServiceThread}.
   *
   * @param threadName how it is called
   */
  public void start(String threadName) {
    thread = ServiceThread.start(threadName, this::round);
  }

  private ServiceThread.Outcome round() {
    // Unlike a sleep, it is no failure when interrupted: one that is due is called all the same.
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millisToNext()));
    return lookAll() ? ServiceThread.Outcome.DONE : ServiceThread.Outcome.NOTHING;
  }

  /** Not longer than a second: a watcher may be added meanwhile. */
  private long millisToNext() {
    long now = nanos.getAsLong();
    long least = TimeUnit.MILLISECONDS.toNanos(LONGEST_SLEEP_MILLIS);
    for (Round round : rounds) {
      least = Math.min(least, round.due - now);
    }
    // Rounded up: who wakes a moment too early sleeps again.
    return Math.max(SHORTEST_SLEEP_MILLIS, TimeUnit.NANOSECONDS.toMillis(least) + 1);
  }

  /**
   * Calls every watcher that is due.
   *
   * @return whether one was
   */
  boolean lookAll() {
    tellFailures();
    long now = nanos.getAsLong();
    boolean any = false;
    for (Round round : rounds) {
      if (now - round.due >= 0) {
        any = true;
        round.due = nextDue(now, round.periodNanos);
        long began = nanos.getAsLong();
        look(round);
        long ended = nanos.getAsLong();
        long rest = Math.min(LONGEST_REST_NANOS, (ended - began) * COST_FACTOR);
        if (ended + rest - round.due > 0) {
          round.due = ended + rest;
        }
      }
    }
    return any;
  }

  /** Where memory may have run out, nothing is allocated: the failure is reported later. */
  private void look(Round round) {
    try {
      if (round.watcher.isWanted()) {
        round.watcher.look(source.sinceStart(FlowSource.FRESH_MILLIS));
      }
    } catch (Throwable e) {
      round.failure = e;
      ServiceThread running = thread;
      if (running != null) {
        running.failed(e);
      }
    }
  }

  /** Logs the first failure of each watcher. */
  private void tellFailures() {
    for (Round round : rounds) {
      Throwable failure = round.failure;
      round.failure = null;
      if (failure != null && !round.told) {
        log.accept(round.what + " failed, and goes on: " + ErrorText.of(failure));
        round.told = true;
      }
    }
  }
}
