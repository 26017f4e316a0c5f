package org.buftrail.jfr;

/** The part of a recording's time to convert: from an instant to an instant, both included. */
final class TimeRange {
  static final TimeRange ALL = new TimeRange(Long.MIN_VALUE, Long.MAX_VALUE);
  static final TimeRange NONE = new TimeRange(Long.MAX_VALUE, Long.MIN_VALUE);

  private static final long NANOS_A_MILLI = 1_000_000;

  /** Smaller numbers are counted from a recording's start. */
  private static final long LEAST_EPOCH_MILLIS = 1_500_000_000_000L;

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

  /** The part of a recording that options select, given when it starts and ends. */
  static TimeRange of(Options options, long start, long end) {
    return new TimeRange(
        Math.max(options.from(), absolute(options.fromMillis(), start, end, Long.MIN_VALUE)),
        Math.min(options.to(), absolute(options.toMillis(), start, end, Long.MAX_VALUE)));
  }

  private static long absolute(long millis, long start, long end, long unset) {
    if (millis == 0) {
      return unset;
    }
    if (Math.abs(millis) > Long.MAX_VALUE / NANOS_A_MILLI) {
      return millis < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    long nanos = millis * NANOS_A_MILLI;
    if (millis < 0) {
      return end + nanos;
    }
    return millis < LEAST_EPOCH_MILLIS ? start + nanos : nanos;
  }

  boolean isAll() {
    return from == Long.MIN_VALUE && to == Long.MAX_VALUE;
  }

  boolean contains(long nanos) {
    return nanos >= from && nanos <= to;
  }
}
