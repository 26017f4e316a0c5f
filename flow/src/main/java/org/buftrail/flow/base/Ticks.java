package org.buftrail.flow.base;

/** The clock of ages: 50 ms, which is finer than any birth is known. */
public final class Ticks {
  /** The length of a tick: 2^31 of them are more than three years. */
  private static final long NANOS = 50_000_000;

  /** No thread takes that long between the count's fall to 0 and its report. */
  public static final int MINUTE = (int) (60_000_000_000L / NANOS);

  /** Two threads' readings are never further out of order: half a day. */
  private static final int MAX_DISORDER = 1 << 20;

  private static final long START = System.nanoTime();

  /** Nanoseconds since the start that a test sets; less than 0 for real time. */
  private static volatile long held = -1;

  private Ticks() {}

  public static int now() {
    long nanos = held;
    return (int) ((nanos < 0 ? System.nanoTime() - START : nanos) / NANOS);
  }

  /** Microseconds since the start, by the same clock. */
  public static long micros() {
    long nanos = held;
    return (nanos < 0 ? System.nanoTime() - START : nanos) / 1_000;
  }

  /** Microseconds in so many ticks. */
  public static long micros(int ticks) {
    return ticks * (NANOS / 1_000);
  }

  /** Whole ticks in so many microseconds. */
  public static int ofMicros(long micros) {
    return (int) (micros / (NANOS / 1_000));
  }

  /** Lets the clock stand. Tests only. */
  static void hold(int tick) {
    held = tick * NANOS;
  }

  /** Lets it run again. */
  static void release() {
    held = -1;
  }

  /** Ticks from {@code born} to {@code now}; no fewer than 0, whatever has gone by. */
  public static int age(int born, int now) {
    int age = now - born;
    return age >= 0 ? age : age > -MAX_DISORDER ? 0 : Integer.MAX_VALUE;
  }

  public static long millis(int ticks) {
    return ticks * (NANOS / 1_000_000);
  }
}
