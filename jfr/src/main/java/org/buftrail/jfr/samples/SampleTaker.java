package org.buftrail.jfr.samples;

import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.jfr.rows.SampleBatch;

/** Takes samples one by one, in place of profiles that hold them all. */
public interface SampleTaker {
  /**
   * Takes a sample.
   *
   * @param stack index in the dictionary, as with the others
   * @param time nanoseconds since the epoch
   * @param second {@link SampleBatch#UNKNOWN} if there is none
   * @param place where in the file the event ends; 0 if the sample is of no single event
   */
  void take(
      ProfileType type,
      int stack,
      int attributes,
      int link,
      long time,
      long first,
      long second,
      long place);
}
