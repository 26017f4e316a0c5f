package org.buftrail.agent;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What is said while the JVM ends, printed in one go.
 *
 * <p>Who ends the JVM does not wait for somebody to read it: it is printed by a daemon thread, and
 * the JVM ends without the rest when that takes too long. Used by one thread.
 */
final class LastWords {
  private static final long PATIENCE_MILLIS = 5_000;

  private final StringBuilder text = new StringBuilder();
  private final Consumer<String> printer;
  private final long patienceNanos;

  LastWords() {
    this(Log::print, PATIENCE_MILLIS);
  }

  /**
   * @param printer may block
   * @param patienceMillis how long it is waited for
   */
  LastWords(Consumer<String> printer, long patienceMillis) {
    this.printer = printer;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
  }

  /** Adds a line, or lines. */
  void say(String line) {
    text.append(Log.PREFIX).append(line).append(System.lineSeparator());
  }

  /** Prints all that was said; waits a few seconds at most, whoever interrupts it. */
  void print() {
    String all = text.toString();
    if (all.isEmpty()) {
      return;
    }
    text.setLength(0);
    Thread thread = new Thread(null, () -> printer.accept(all), "buftrail-last-words", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
    long until = System.nanoTime() + patienceNanos;
    while (thread.isAlive() && until - System.nanoTime() > 0) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, until - System.nanoTime());
      } catch (InterruptedException e) {
        // By something that interrupts every thread it finds.
      }
    }
  }
}
