package org.buftrail.agent.watch;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.buftrail.agent.source.FlowSource;

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

  private static final long SHORTEST_SLEEP_MILLIS = 50;
  private static final long LONGEST_SLEEP_MILLIS = 1_000;

  private final FlowSource source;
  private final LongSupplier nanos;
  private final Consumer<String> log;
  private final List<Round> rounds = new CopyOnWriteArrayList<>();

  private static final class Round {
    final Watcher watcher;
    final long periodNanos;
    long due;
    boolean failed;

    Round(Watcher watcher, long periodNanos, long due) {
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
    this.log = log;
  }

  /** Calls a watcher from now on, the first time after one period. */
  public void add(Watcher watcher, long periodMillis) {
    long period = TimeUnit.MILLISECONDS.toNanos(periodMillis);
    rounds.add(new Round(watcher, period, nanos.getAsLong() + period));
  }

  /**
   * Calls watchers for as long as the JVM runs.
   *
   * @param threadName of the daemon thread
   */
  public void start(String threadName) {
    Thread thread = new Thread(null, this::run, threadName, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
  }

  private void run() {
    while (true) {
      try {
        lookAll();
        Thread.sleep(millisToNext());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Not longer than a second: a watcher may be added meanwhile. */
  private long millisToNext() {
    long now = nanos.getAsLong();
    long least = TimeUnit.MILLISECONDS.toNanos(LONGEST_SLEEP_MILLIS);
    for (Round round : rounds) {
      least = Math.min(least, round.due - now);
    }
    return Math.max(SHORTEST_SLEEP_MILLIS, TimeUnit.NANOSECONDS.toMillis(least));
  }

  /** Calls every watcher that is due. */
  void lookAll() {
    long now = nanos.getAsLong();
    for (Round round : rounds) {
      if (now - round.due >= 0) {
        round.due = now + round.periodNanos;
        long began = nanos.getAsLong();
        look(round);
        long ended = nanos.getAsLong();
        long rest = Math.min(LONGEST_REST_NANOS, (ended - began) * COST_FACTOR);
        if (ended + rest - round.due > 0) {
          round.due = ended + rest;
        }
      }
    }
  }

  private void look(Round round) {
    try {
      if (round.watcher.isWanted()) {
        round.watcher.look(source.sinceStart(FlowSource.FRESH_MILLIS));
      }
    } catch (Throwable e) {
      if (!round.failed) {
        round.failed = true;
        log.accept(round.watcher.getClass().getSimpleName() + " failed, and goes on: " + e);
      }
    }
  }
}
