package org.buftrail.jfr;

/** The part of a recording's time to convert: from an instant to an instant, both included. */
final class TimeRange {
  static final TimeRange ALL = new TimeRange(Long.MIN_VALUE, Long.MAX_VALUE);

  private final long from;
  private final long to;

  /**
   * @param from nanoseconds since the epoch
   * @param to nanoseconds since the epoch
   */
  TimeRange(long from, long to) {
    this.from = from;
    this.to = to;
  }

  boolean isAll() {
    return from == Long.MIN_VALUE && to == Long.MAX_VALUE;
  }

  boolean contains(long nanos) {
    return nanos >= from && nanos <= to;
  }
}
