package org.buftrail.flow.state;

import java.util.concurrent.atomic.LongAdder;

/** How many flows of resources have begun. Told from buffers because they are not sampled. */
public final class ResourceCounts {
  private static final LongAdder OPENED = new LongAdder();
  private static final LongAdder FORGOTTEN = new LongAdder();

  private ResourceCounts() {}

  /** Does what links the adder: see {@code Rehearsal}. */
  public static void rehearse() {
    OPENED.add(0);
  }

  public static void addOpened() {
    OPENED.increment();
  }

  /** A flow counts as never begun. */
  static void forget() {
    FORGOTTEN.increment();
  }

  public static long opened() {
    return OPENED.sum();
  }

  public static long forgotten() {
    return FORGOTTEN.sum();
  }
}
