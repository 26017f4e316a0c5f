package org.buftrail.cli.shape;

import org.buftrail.profile.Profile;

/** Which samples stay. */
interface SampleTest {
  /** Whether anything of a profile can stay. */
  boolean keeps(Profile profile);

  /**
   * Whether a sample stays, or one of its observations.
   *
   * @param time nanoseconds since 1970-01-01T00:00Z; 0 if the samples have no times
   */
  boolean keeps(Profile profile, int sample, long time);
}
