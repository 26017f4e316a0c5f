package org.buftrail.flow;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The handlers of this JVM. Thread-safe. */
public final class MetricsHandlers {
  private static final List<MetricsHandler> ALL = new CopyOnWriteArrayList<>();

  private MetricsHandlers() {}

  /** Calls a handler from the next interval on. */
  public static void add(MetricsHandler handler) {
    ALL.add(handler);
  }

  /** Calls a handler no more. */
  public static void remove(MetricsHandler handler) {
    ALL.remove(handler);
  }

  /** The handlers now. */
  public static List<MetricsHandler> all() {
    return List.copyOf(ALL);
  }
}
