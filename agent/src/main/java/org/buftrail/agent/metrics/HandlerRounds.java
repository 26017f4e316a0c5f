package org.buftrail.agent.metrics;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
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

/** Hands figures to the application's handlers, round after round. Used by one thread. */
public final class HandlerRounds implements Watcher {
  private final Extensions<MetricsHandler> handlers;
  private final LongSupplier nanos;
  private final Consumer<String> log;
  private final Set<MetricsHandler> failed = Collections.newSetFromMap(new WeakHashMap<>());

  /**
   * @param classes names of handlers to make
   * @param finder finds them
   * @param loaders where they and services may be
   * @param nanos a clock that never goes back
   * @param log takes a line for each handler that is missing, and that fails for the first time
   */
  public HandlerRounds(
      List<String> classes,
      Extensions.Finder finder,
      Supplier<List<ClassLoader>> loaders,
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
    this.nanos = nanos;
    this.log = log;
  }

  /** Looks for handlers, between rounds too. */
  public void search() {
    handlers.look(nanos.getAsLong());
  }

  @Override
  public boolean isWanted() {
    search();
    return !MetricsHandlers.all().isEmpty();
  }

  @Override
  public void look(Snapshot now) {
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
