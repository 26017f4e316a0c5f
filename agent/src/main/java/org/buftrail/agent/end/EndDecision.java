package org.buftrail.agent.end;

import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.buftrail.flow.control.CollectionOutcome;
import org.buftrail.flow.control.FlowTracker;
import org.jspecify.annotations.Nullable;

/**
 * Has a collection decide, while the JVM ends, which live flows are lost. Once, for Flight Recorder
 * or the report, whichever comes first.
 *
 * <p>Shutdown hooks of the application run at the same time. What they still reach is live, and
 * they wait as long as the collector makes them. So without a word from the user nothing is
 * collected where that may take seconds. Thread-safe.
 */
public final class EndDecision {
  /** More than this in use takes some collectors longer than the end of a JVM should wait. */
  static final long MAX_USED_BYTES = 1L << 30;

  /** How long the end of the JVM waits, by itself and where a collection was asked for. */
  static final long PATIENCE_MILLIS = 2_000;

  static final long LONG_PATIENCE_MILLIS = 20_000;

  /** A second one finds what was lost during the first. */
  private static final int MAX_COLLECTIONS = 2;

  /** Added and removed in vain once the JVM ends, and nothing else says so. */
  private static final Thread PROBE = new Thread(null, null, "buftrail-probe", 0, false);

  private final Runnable finish;
  private final LongSupplier undecided;
  private final LongFunction<CollectionOutcome> collector;
  private final LongSupplier usedBytes;

  private volatile @Nullable Boolean wanted;
  private @Nullable String reason;

  /**
   * @param wanted what the user said, or null
   */
  public EndDecision(@Nullable Boolean wanted) {
    this(
        wanted,
        FlowTracker.INSTANCE::finish,
        () -> FlowTracker.INSTANCE.snapshot().status().undecided(),
        FlowTracker.INSTANCE::collect,
        EndDecision::usedBytes);
  }

  /**
   * @param finish called first
   * @param undecided how many flows are
   * @param collector collects, for so many milliseconds at most
   * @param usedBytes of the heap
   */
  public EndDecision(
      @Nullable Boolean wanted,
      Runnable finish,
      LongSupplier undecided,
      LongFunction<CollectionOutcome> collector,
      LongSupplier usedBytes) {
    this.wanted = wanted;
    this.finish = finish;
    this.undecided = undecided;
    this.collector = collector;
    this.usedBytes = usedBytes;
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** The user says something else, or null. */
  public void setWanted(@Nullable Boolean wanted) {
    this.wanted = wanted;
  }

  /** Decides, unless that was done. Why something may be undecided after it, in some words. */
  synchronized String make() {
    String known = reason;
    if (known == null) {
      try {
        known = decide();
      } catch (Throwable e) {
        known = "the collection failed: " + e;
      }
      reason = known;
    }
    return known;
  }

  private String decide() {
    Boolean asked = wanted;
    long patience = Boolean.TRUE.equals(asked) ? LONG_PATIENCE_MILLIS : PATIENCE_MILLIS;
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience);
    finish.run();
    if (Boolean.FALSE.equals(asked)) {
      return "collectAtEnd=false forbids the collection that decides";
    }
    String open = "they began while the JVM ended";
    for (int i = 0; i < MAX_COLLECTIONS && undecided.getAsLong() > 0; i++) {
      long used = usedBytes.getAsLong();
      if (asked == null && used > MAX_USED_BYTES) {
        return "with " + (used >> 20) + " MiB of heap in use only collectAtEnd=true has it decided";
      }
      long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (left <= 0) {
        break;
      }
      CollectionOutcome outcome = collector.apply(left);
      if (outcome == CollectionOutcome.REFUSED) {
        return "the JVM does not collect on request, as with -XX:+DisableExplicitGC";
      }
      if (outcome == CollectionOutcome.UNDER_WAY) {
        return "a collection had not ended after " + patience / 1_000 + " s";
      }
    }
    return open;
  }

  /** A recording ends: decides what can be decided, as at the end of the JVM if that has come. */
  public void beforeRecordingEnds() {
    if (isEnding()) {
      make();
    } else {
      FlowTracker.INSTANCE.settle();
    }
  }

  private static synchronized boolean isEnding() {
    try {
      Runtime.getRuntime().addShutdownHook(PROBE);
      Runtime.getRuntime().removeShutdownHook(PROBE);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
