package org.buftrail.agent.metrics;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.buftrail.agent.application.Extensions;
import org.buftrail.agent.watch.Watcher;
import org.buftrail.model.ErrorText;
import org.buftrail.model.FlowMetrics;
import org.buftrail.model.MetricsHandler;
import org.buftrail.model.MetricsHandlers;
import org.buftrail.model.Snapshot;

/**
 * Hands figures to the application's handlers, round after round. Used by one thread.
 *
 * <p>The first rounds come soon after a handler has: at once, after 1 s, 2 s, 4 s and so on, up to
 * the interval. So meters are there as soon as somebody reads them, and those that wait for their
 * library to be set up need not wait for an interval too.
 */
public final class HandlerRounds implements Watcher {
  /** How soon a handler is seen, and the least time between two rounds. */
  public static final long SEARCH_MILLIS = 1_000;

  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(SEARCH_MILLIS);

  /** A look that comes a little early is in time. */
  private static final long SLACK = FIRST_PAUSE / 10;

  private final Extensions<MetricsHandler> handlers;
  private final long interval;
  private final LongSupplier nanos;
  private final Consumer<String> log;
  private final Set<MetricsHandler> failed = Collections.newSetFromMap(new WeakHashMap<>());
  private final Set<MetricsHandler> known = Collections.newSetFromMap(new WeakHashMap<>());
  private long pause;
  private long due;

  /**
   * @param classes names of handlers to make
   * @param finder finds them
   * @param loaders where they and services may be
   * @param intervalMillis the time between two rounds, in the long run
   * @param nanos a clock that never goes back
   * @param log takes a line for each handler that is missing, and that fails for the first time
   */
  public HandlerRounds(
      List<String> classes,
      Extensions.Finder finder,
      Supplier<List<ClassLoader>> loaders,
      long intervalMillis,
      LongSupplier nanos,
      Consumer<String> log) {
    this.handlers =
        new Extensions<>(
            MetricsHandler.class,
            "metrics handler",
            classes,
            finder,
            loaders,
            MetricsHandlers::add,
            log);
    this.interval = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
    this.nanos = nanos;
    this.log = log;
  }

  @Override
  public boolean isWanted() {
    handlers.look(nanos.getAsLong());
    List<MetricsHandler> all = MetricsHandlers.all();
    if (known.addAll(all)) {
      pause = Math.min(FIRST_PAUSE, interval);
      due = nanos.getAsLong();
    }
    return !all.isEmpty() && nanos.getAsLong() - due >= -SLACK;
  }

  @Override
  public void look(Snapshot now) {
    due = nanos.getAsLong() + pause;
    pause = Math.min(interval, 2 * pause);
    for (MetricsHandler handler : MetricsHandlers.all()) {
      try {
        handler.onMetrics(FlowMetrics.of(now, handler.wanted()));
      } catch (Throwable e) {
        if (failed.add(handler)) {
          String failure = ErrorText.of(e);
          log.accept(
              "metrics handler " + name(handler) + " failed, and is called again: " + failure);
        }
      }
    }
  }

  private static String name(MetricsHandler handler) {
    try {
      return handler.name();
    } catch (Throwable e) {
      return handler.getClass().getName();
    }
  }
}
