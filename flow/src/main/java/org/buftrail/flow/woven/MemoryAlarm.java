package org.buftrail.flow.woven;

import java.util.concurrent.atomic.AtomicInteger;
import org.buftrail.flow.base.Suppressed;

/**
 * Counts the {@code OutOfMemoryError}s that are constructed. Woven into their constructor, it
 * allocates nothing: the memory may be gone. Nothing here throws. Any thread.
 */
public final class MemoryAlarm {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private MemoryAlarm() {}

  /** An error is being constructed. */
  public static void raised() {
    try {
      COUNT.getAndIncrement();
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** How many were. */
  public static int count() {
    return COUNT.get();
  }
}
