package org.buftrail.examples;

import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Counts the buffers that the service leaks on purpose, and knows when they have been collected.
 */
final class PlantedLeaks {
  private final Queue<WeakReference<Object>> leaks = new ConcurrentLinkedQueue<>();

  /** Notes a buffer that nobody is going to release. Takes any object, so as not to be a hop. */
  void add(Object leaked) {
    leaks.add(new WeakReference<>(leaked));
  }

  /** How many there are. */
  int count() {
    return leaks.size();
  }

  /**
   * Collects garbage until every leaked buffer is gone.
   *
   * @return false if that did not happen in time
   */
  boolean awaitCollection(long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    do {
      System.gc();
      if (leaks.stream().allMatch(leak -> leak.get() == null)) {
        return true;
      }
      Thread.sleep(100);
    } while (System.nanoTime() < end);
    return false;
  }
}
