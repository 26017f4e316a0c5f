package org.buftrail.flow;

import java.util.concurrent.atomic.LongAdder;

/** How many flows of resources have begun. Told from buffers because they are not sampled. */
final class ResourceCounts {
  private static final LongAdder OPENED = new LongAdder();
  private static final LongAdder FORGOTTEN = new LongAdder();

  private ResourceCounts() {}

  /** Does what links the adder: see {@link Rehearsal}. */
  static void rehearse() {
    OPENED.add(0);
  }

  static void addOpened() {
    OPENED.increment();
  }

  /** A flow counts as never begun. */
  static void forget() {
    FORGOTTEN.increment();
  }

  static long opened() {
    return OPENED.sum();
  }

  static long forgotten() {
    return FORGOTTEN.sum();
  }
}
