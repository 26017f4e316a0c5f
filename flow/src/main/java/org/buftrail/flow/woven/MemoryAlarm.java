package org.buftrail.flow.woven;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the {@code OutOfMemoryError}s that are constructed. Woven into their constructor, it
 * allocates nothing: the memory may be gone. Any thread.
 */
public final class MemoryAlarm {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private MemoryAlarm() {}

  /** An error is being constructed. */
  public static void raised() {
    COUNT.getAndIncrement();
  }

  /** How many were. */
  public static int count() {
    return COUNT.get();
  }
}
