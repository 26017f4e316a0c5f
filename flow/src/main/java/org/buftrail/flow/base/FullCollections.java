package org.buftrail.flow.base;

/**
 * Collections of the whole heap that somebody asked for. They alone decide whether a live flow is
 * lost: of those that the JVM makes by itself nobody says whether they looked at what is old.
 *
 * <p>Guarded by the nursery's monitor.
 */
public final class FullCollections {
  /** A command fetches within this time what it has had decided. */
  private static final long VALID_NANOS = 10_000_000_000L;

  private int begun;
  private int ended;
  private long endedNanos;
  private boolean valid;

  /** Counts one that is about to begin. Returns its number. */
  public int begin() {
    return ++begun;
  }

  /** Counts one that has ended, at a time of {@link System#nanoTime}. */
  public void end(int number, long nanos) {
    ended = Math.max(ended, number);
    endedNanos = nanos;
    valid = true;
  }

  /** Forgets the collection: objects that were reachable then may be lost by now. */
  public void invalidate() {
    valid = false;
  }

  /** How many have begun. */
  public short generation() {
    return (short) begun;
  }

  /**
   * Whether one has begun and ended since {@code then}, a moment ago. After 32,768 more it says no.
   *
   * @param nanos the present {@link System#nanoTime}
   */
  public boolean hasDecided(short then, long nanos) {
    return valid && (short) (ended - then) > 0 && nanos - endedNanos < VALID_NANOS;
  }
}
