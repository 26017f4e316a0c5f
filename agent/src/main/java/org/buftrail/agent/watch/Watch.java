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
 * <p>Takes no snapshot while nobody wants one, and never spends more than a fiftieth of its time on
 * them: watchers of a JVM with very many paths are called less often instead. Thread-safe.
 */
public final class Watch {
  /** Share of one core that snapshots may take, as its inverse. */
  private static final long COST_FACTOR = 50;

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

  /** Calls watchers for as long as the JVM runs. */
  public void start() {
    Thread thread = new Thread(null, this::run, "buftrail-watch", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
  }

  private void run() {
    while (true) {
      try {
        long before = nanos.getAsLong();
        lookAll();
        long spent = TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - before);
        Thread.sleep(Math.max(200, spent * COST_FACTOR));
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Calls every watcher that is due. */
  void lookAll() {
    long now = nanos.getAsLong();
    for (Round round : rounds) {
      if (now - round.due >= 0) {
        round.due = now + round.periodNanos;
        look(round);
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
