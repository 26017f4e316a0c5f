package org.buftrail.flow.base;

/**
 * Tells a burst of events from as many that are spread over days.
 *
 * <p>Thread-safe; not for a hot path.
 */
final class ErrorRate {
  private final int events;
  private final long nanos;
  private long since;
  private int count;

  /**
   * @param events how many make a burst, above 0
   * @param nanos within so long a time
   */
  ErrorRate(int events, long nanos) {
    this.events = events;
    this.nanos = nanos;
  }

  /**
   * Counts an event.
   *
   * @param now {@code System.nanoTime()}
   * @return whether it makes a burst full; false for the events that follow at once
   */
  synchronized boolean add(long now) {
    if (count == 0 || now - since > nanos) {
      since = now;
      count = 0;
    }
    count++;
    return count == events;
  }
}
