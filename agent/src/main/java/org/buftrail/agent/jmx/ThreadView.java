package org.buftrail.agent.jmx;

import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/** The health of a thread, as JMX carries it. Immutable. */
public final class ThreadView {
  private final TrackerStatus.ThreadHealth thread;

  ThreadView(TrackerStatus.ThreadHealth thread) {
    this.thread = thread;
  }

  public String getName() {
    return thread.name();
  }

  /** How often it did its work. */
  public long getRounds() {
    return thread.rounds();
  }

  /** When it last did its work, in milliseconds since the epoch; -1 when it never did. */
  public long getLastRoundMillis() {
    return thread.lastRoundMillis();
  }

  /** Rounds that failed. */
  public long getFailures() {
    return thread.failures();
  }

  /** The last failure in one line, or null. */
  public @Nullable String getLastFailure() {
    return thread.lastFailure();
  }
}
