package org.buftrail.cli.shape;

import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;

/**
 * Native memory that was not freed, but for what was allocated too late to say that it leaks: in
 * the last part of the recording.
 */
final class OldAllocations implements SampleTest {
  private static final String ALL = "nativemem";
  static final String UNFREED = "nativemem_unfreed";

  private final long last;

  /**
   * @param timed profiles with the time of each allocation
   * @param tail part of the time, 0 to 1
   */
  OldAllocations(Profiles timed, double tail) throws NothingLeft {
    long first = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (Profile profile : timed.profiles()) {
      if (profile.name().equals(ALL) || profile.name().equals(UNFREED)) {
        first = Math.min(first, profile.time());
        end = Math.max(end, profile.time() + profile.duration());
      }
    }
    if (end == Long.MIN_VALUE) {
      throw new NothingLeft("there are no allocations of native memory (profiler.Malloc)");
    }
    last = end - (long) ((end - first) * tail);
  }

  @Override
  public boolean keeps(Profile profile) {
    return !profile.name().equals(ALL);
  }

  @Override
  public boolean keeps(Profile profile, int sample, long time) {
    return !profile.name().equals(UNFREED) || time <= last;
  }
}
