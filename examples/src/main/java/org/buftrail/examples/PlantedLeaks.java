package org.buftrail.examples;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the buffers that the service leaks on purpose. Thread-safe. */
final class PlantedLeaks {
  private final AtomicInteger count = new AtomicInteger();

  /** Counts a buffer that nobody is going to release. */
  void add() {
    count.incrementAndGet();
  }

  /** How many there are. */
  int count() {
    return count.get();
  }
}
