package org.buftrail.flow;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Errors inside the tracker, which the application must never see.
 *
 * <p>Each is counted; the first of each kind is logged; too many in a row switch the tracker off.
 */
final class Suppressed {
  static final int BURST = 1_000;
  private static final int MAX_KINDS = 64;

  private static final AtomicLong COUNT = new AtomicLong();
  private static final Set<String> KINDS = new HashSet<>();

  private Suppressed() {}

  static void add(Throwable error) {
    try {
      long count = COUNT.incrementAndGet();
      if (count == BURST) {
        Flows.giveUp();
        FlowTracker.log("tracking is off: " + BURST + " errors inside the tracker");
      }
      StackTraceElement[] trace = error.getStackTrace();
      String kind = error.getClass().getName() + (trace.length > 0 ? " at " + trace[0] : "");
      boolean first;
      synchronized (KINDS) {
        first = KINDS.size() < MAX_KINDS && KINDS.add(kind);
      }
      if (first) {
        FlowTracker.log("suppressed " + kind + ": " + error.getMessage());
      }
    } catch (Throwable ignored) {
      // Out of memory or of stack: nothing more can be done, and the application must go on.
    }
  }

  static long count() {
    return COUNT.get();
  }
}
