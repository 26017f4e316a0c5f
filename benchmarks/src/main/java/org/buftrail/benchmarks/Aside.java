package org.buftrail.benchmarks;

import java.util.concurrent.atomic.LongAdder;

/** What a benchmark allocates beside its operations. Thread-safe. */
public final class Aside {
  private static final LongAdder BUFFERS = new LongAdder();

  private Aside() {}

  /** Notes buffers that were allocated, and released, to set a benchmark up. */
  public static void add(long buffers) {
    BUFFERS.add(buffers);
  }

  /** How many buffers there were, which the agent must have counted too. */
  public static long buffers() {
    return BUFFERS.sum();
  }
}
