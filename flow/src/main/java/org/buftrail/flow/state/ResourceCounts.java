package org.buftrail.flow.state;

import java.util.concurrent.atomic.LongAdder;

/** How many flows of resources have begun. Told from buffers because they are not sampled. */
public final class ResourceCounts {
  private final LongAdder opened = new LongAdder();
  private final LongAdder forgotten = new LongAdder();

  public void addOpened() {
    opened.increment();
  }

  /** A flow counts as never begun. */
  public void forget() {
    forgotten.increment();
  }

  public long opened() {
    return opened.sum();
  }

  public long forgotten() {
    return forgotten.sum();
  }
}
