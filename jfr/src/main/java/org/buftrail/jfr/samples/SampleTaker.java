package org.buftrail.jfr.samples;

import org.buftrail.jfr.kinds.ProfileType;

/** Takes samples one by one, in place of profiles that hold them all. */
public interface SampleTaker {
  /**
   * Takes a sample.
   *
   * @param stack index in the dictionary, as with the others
   * @param time nanoseconds since the epoch
   * @param second of no meaning if the profile type has one value
   */
  void take(
      ProfileType type, int stack, int attributes, int link, long time, long first, long second);
}
