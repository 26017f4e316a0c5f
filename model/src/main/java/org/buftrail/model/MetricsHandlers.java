package org.buftrail.model;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The handlers of this JVM. Thread-safe. */
public final class MetricsHandlers {
  private static final List<MetricsHandler> ALL = new CopyOnWriteArrayList<>();

  /** Nothing in here keeps a class loader of an application. */
  private static final CopyOnWriteArrayList<WeakReference<MetricsHandler>> WEAK =
      new CopyOnWriteArrayList<>();

  private MetricsHandlers() {}

  /** Calls a handler within a second or two, soon again, and then at intervals. */
  public static void add(MetricsHandler handler) {
    ALL.add(handler);
  }

  /**
   * The same, for as long as somebody else holds the handler: an application that is stopped while
   * the JVM runs on is not kept by it.
   */
  public static void addWeakly(MetricsHandler handler) {
    WEAK.add(new WeakReference<>(handler));
  }

  /** Calls a handler no more. */
  public static void remove(MetricsHandler handler) {
    ALL.remove(handler);
    for (WeakReference<MetricsHandler> reference : WEAK) {
      if (reference.get() == handler) {
        WEAK.remove(reference);
      }
    }
  }

  /** The handlers now. */
  public static List<MetricsHandler> all() {
    List<MetricsHandler> now = new ArrayList<>(ALL);
    for (WeakReference<MetricsHandler> reference : WEAK) {
      MetricsHandler handler = reference.get();
      if (handler == null) {
        WEAK.remove(reference);
      } else {
        now.add(handler);
      }
    }
    return now;
  }
}
