package org.buftrail.agent.metrics;

import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import org.buftrail.agent.watch.Watcher;
import org.buftrail.flow.FlowMetrics;
import org.buftrail.flow.MetricsHandler;
import org.buftrail.flow.MetricsHandlers;
import org.buftrail.flow.Snapshot;

/** Hands figures to the application's handlers, round after round. Used by one thread. */
public final class HandlerRounds implements Watcher {
  private final List<String> classes;
  private final ClassLoader loader;
  private final Consumer<String> log;
  private final Set<MetricsHandler> failed = new HashSet<>();
  private boolean loaded;

  /**
   * @param classes names of handlers to make
   * @param loader finds them, and the services
   * @param log takes a line for each handler that fails for the first time
   */
  public HandlerRounds(List<String> classes, ClassLoader loader, Consumer<String> log) {
    this.classes = List.copyOf(classes);
    this.loader = loader;
    this.log = log;
  }

  @Override
  public boolean isWanted() {
    if (!loaded) {
      loaded = true;
      loadNamed();
      loadServices();
    }
    return !MetricsHandlers.all().isEmpty();
  }

  private void loadNamed() {
    for (String name : classes) {
      try {
        Class<?> type = Class.forName(name, true, loader);
        MetricsHandlers.add((MetricsHandler) type.getDeclaredConstructor().newInstance());
      } catch (NoClassDefFoundError e) {
        String missing = String.valueOf(e.getMessage()).replace('/', '.');
        log.accept("no metrics handler " + name + ": " + missing + " is not on the class path");
      } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
        log.accept(
            "no metrics handler "
                + name
                + ": it must be a public class with a constructor"
                + " without parameters that implements "
                + MetricsHandler.class.getName()
                + " ("
                + e
                + ")");
      }
    }
  }

  private void loadServices() {
    Iterator<MetricsHandler> services = ServiceLoader.load(MetricsHandler.class, loader).iterator();
    while (true) {
      try {
        if (!services.hasNext()) {
          return;
        }
        MetricsHandlers.add(services.next());
      } catch (ServiceConfigurationError e) {
        log.accept("a metrics handler cannot be loaded: " + e.getMessage());
      }
    }
  }

  @Override
  public void look(Snapshot now) {
    for (MetricsHandler handler : MetricsHandlers.all()) {
      try {
        handler.onMetrics(FlowMetrics.of(now, handler.wanted()));
      } catch (Throwable e) {
        if (failed.add(handler)) {
          log.accept("metrics handler " + name(handler) + " failed, and is called again: " + e);
        }
      }
    }
  }

  private static String name(MetricsHandler handler) {
    try {
      return handler.name();
    } catch (RuntimeException e) {
      return handler.getClass().getName();
    }
  }
}
