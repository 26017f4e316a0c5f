package org.buftrail.jfr.events;

/** The part of a recording's time to convert: from an instant to an instant, both included. */
public final class TimeRange {
  public static final TimeRange ALL = new TimeRange(Long.MIN_VALUE, Long.MAX_VALUE);
  public static final TimeRange NONE = new TimeRange(Long.MAX_VALUE, Long.MIN_VALUE);

  private static final long NANOS_A_MILLI = 1_000_000;

  /** Smaller numbers are counted from a recording's start. */
  private static final long LEAST_EPOCH_MILLIS = 1_500_000_000_000L;

  private final long from;
  private final long to;

  /**
   * @param from nanoseconds since the epoch
   * @param to nanoseconds since the epoch
   */
  public TimeRange(long from, long to) {
    this.from = from;
    this.to = to;
  }

  /**
   * A time in nanoseconds since the epoch, of one in milliseconds since the epoch, or since the
   * start of a recording, or before its end where it is negative.
   *
   * @param unset what 0 stands for
   */
  public static long absolute(long millis, long start, long end, long unset) {
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

  public boolean isAll() {
    return from == Long.MIN_VALUE && to == Long.MAX_VALUE;
  }

  public boolean contains(long nanos) {
    return nanos >= from && nanos <= to;
  }
}
