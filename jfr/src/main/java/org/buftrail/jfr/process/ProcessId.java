package org.buftrail.jfr.process;

import org.jspecify.annotations.Nullable;

/**
 * Which process a chunk is of, as it says itself.
 *
 * @param pid its number, which another process of the host may have later, and one in another
 *     container at the same time
 * @param startMillis when it started, in milliseconds since the epoch; 0 if it does not say
 */
public record ProcessId(long pid, long startMillis) {
  /** The JDK and async-profiler, which may share a file, take different moments for the start. */
  private static final long TOLERANCE_MILLIS = 10_000;

  /** Whether two chunks may be of the same process, of which one may not say which it is. */
  public static boolean maySame(@Nullable ProcessId one, @Nullable ProcessId other) {
    return one == null || other == null || one.isSame(other);
  }

  private boolean isSame(ProcessId other) {
    boolean isDated = startMillis > 0 && other.startMillis > 0;
    return pid == other.pid
        && (!isDated || Math.abs(startMillis - other.startMillis) <= TOLERANCE_MILLIS);
  }
}
