package org.buftrail.it.programs;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;

/**
 * Measures for how long its thread was kept from running, by the JVM or by a lock: the time in
 * which it neither ran nor waited for a processor, as the kernel counts both. So other programs on
 * the machine do not show. Confined to one thread.
 */
final class Stopwatch implements AutoCloseable {
  /** A thread that ran on shows as less: the two clocks are read one after the other. */
  private static final long LEAST_NANOS = 5_000;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final RandomAccessFile scheduling =
      new RandomAccessFile("/proc/thread-self/schedstat", "r");
  private final byte[] line = new byte[64];

  private long waited;
  private long nanos;
  private long ran;
  private long longestGap;
  private long longestStop;
  private int stops;

  Stopwatch() throws IOException {
    start();
  }

  /** Forgets what was measured. */
  void start() throws IOException {
    longestGap = 0;
    longestStop = 0;
    stops = 0;
    waited = waited();
    ran = threads.getCurrentThreadCpuTime();
    nanos = System.nanoTime();
  }

  /** Takes the time since this was called last. */
  void lap() throws IOException {
    long now = System.nanoTime();
    long runsSince = threads.getCurrentThreadCpuTime();
    long gap = now - nanos;
    long still = gap - (runsSince - ran);
    nanos = now;
    ran = runsSince;
    longestGap = Math.max(longestGap, gap);
    if (still > LEAST_NANOS) {
      long waitedSince = waited();
      long stop = still - (waitedSince - waited);
      waited = waitedSince;
      longestStop = Math.max(longestStop, stop);
      stops += stop > 100_000 ? 1 : 0;
      // Reading the file is no stop.
      ran = threads.getCurrentThreadCpuTime();
      nanos = System.nanoTime();
    }
  }

  /** Nanoseconds for which the thread waited for a processor so far. */
  private long waited() throws IOException {
    scheduling.seek(0);
    int length = scheduling.read(line);
    String[] figures = new String(line, 0, length, StandardCharsets.US_ASCII).split(" ", -1);
    return Long.parseLong(figures[1]);
  }

  /** The longest time between two calls by the clock, in nanoseconds. */
  long longestGap() {
    return longestGap;
  }

  /** The longest time for which the thread was kept from running, in nanoseconds. */
  long longestStop() {
    return longestStop;
  }

  /** How many stops were longer than a tenth of a millisecond. */
  int stops() {
    return stops;
  }

  @Override
  public void close() throws IOException {
    scheduling.close();
  }
}
