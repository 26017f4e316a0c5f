package org.buftrail.flow;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Errors inside the tracker, which the application must never see.
 *
 * <p>Each is counted; the first of each kind is logged; many within seconds switch the tracker off.
 */
final class Suppressed {
  static final int BURST_ERRORS = 1_000;

  /** Ten seconds: an error now and then, over days, is no reason to stop. */
  private static final long BURST_NANOS = 10_000_000_000L;

  private static final int MAX_KINDS = 64;

  private static final AtomicLong COUNT = new AtomicLong();
  private static final Burst BURST = new Burst(BURST_ERRORS, BURST_NANOS);
  private static final Set<String> KINDS = new HashSet<>();

  private Suppressed() {}

  /** Counts an error that is logged elsewhere. */
  static void addLogged() {
    COUNT.incrementAndGet();
  }

  static void add(Throwable error) {
    try {
      COUNT.incrementAndGet();
      boolean burst = BURST.add(System.nanoTime());
      if (burst) {
        Restraints.giveUp();
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
      if (burst) {
        FlowTracker.log(
            "tracking is off: " + BURST_ERRORS + " errors inside the tracker within 10 s");
      }
    } catch (Throwable ignored) {
      // Out of memory or of stack: nothing more can be done, and the application must go on.
    }
  }

  static long count() {
    return COUNT.get();
  }
}
