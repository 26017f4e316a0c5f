package org.buftrail.suite;

import java.util.concurrent.TimeUnit;

/** Ends the JVM when a class takes too long. */
final class Watchdog extends Thread {
  private final ResultFile results;
  private final long nanos;
  private String name = "";
  private long begun;

  Watchdog(ResultFile results, long seconds) {
    super("watchdog");
    this.results = results;
    nanos = TimeUnit.SECONDS.toNanos(seconds);
    setDaemon(true);
  }

  synchronized void begin(String testClass) {
    name = testClass;
    begun = System.nanoTime();
  }

  synchronized void end() {
    name = "";
  }

  @Override
  public void run() {
    while (true) {
      String late = late();
      if (!late.isEmpty()) {
        results.write(ResultFile.CUT, late, "");
        System.exit(0);
      }
      try {
        Thread.sleep(200);
      } catch (InterruptedException byTests) {
        // Some tests interrupt every thread that they find.
      }
    }
  }

  private synchronized String late() {
    return !name.isEmpty() && System.nanoTime() - begun > nanos ? name : "";
  }
}
