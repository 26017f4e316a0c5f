package org.buftrail.agent.base;

import java.util.concurrent.TimeUnit;

/**
 * Calls what may block for ever, such as writing to a pipe that nobody reads, while the JVM ends.
 *
 * <p>It is called on a daemon thread, which is left behind when it takes too long. Thread-safe.
 */
public final class BoundedCall {
  private BoundedCall() {}

  /**
   * Calls, and waits for the end, also when interrupted.
   *
   * @param name of the thread
   * @param action must not throw
   * @param patienceMillis how long it is waited for
   * @return whether it ended in time
   */
  public static boolean run(String name, Runnable action, long patienceMillis) {
    Thread thread = new Thread(null, action, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    while (thread.isAlive() && until - System.nanoTime() > 0) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, until - System.nanoTime());
      } catch (InterruptedException e) {
        // By something that interrupts every thread it finds.
      }
    }
    return !thread.isAlive();
  }
}
