package org.buftrail.profile.otlp.schema;

import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Samples;

/**
 * The time of counted samples as a profile beside theirs, such as {@code cpu/nanoseconds} beside
 * {@code samples/count}: most receivers show values as they are and do not look at the period.
 *
 * <p>Only messages have it. The model has samples and period, so readers leave it out again.
 */
public final class SampledTime {
  private SampledTime() {}

  /**
   * Whether the time of a profile's samples is written beside it: not if it is there already, or
   * nobody knows of what kind the profile is.
   *
   * @param all the profiles of its resource and scope
   */
  public static boolean isWritten(Profile profile, List<Profile> all) {
    if (!profile.isSampledTime() || profile.name().isEmpty()) {
      return false;
    }
    for (Profile other : all) {
      if (isOfTime(other, profile)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a profile is what the samples of another stand for, value by value.
   *
   * @param all profiles over the same dictionary
   */
  public static boolean isDerived(Profile profile, List<Profile> all) {
    for (Profile counted : all) {
      if (isOfTime(profile, counted)
          && counted.isSampledTime()
          && !counted.name().isEmpty()
          && hasTimeOf(profile, counted)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfTime(Profile profile, Profile counted) {
    return profile.name().equals(counted.name())
        && profile.sampleType().equals(counted.periodType())
        && profile.periodType().equals(counted.periodType())
        && profile.period() == counted.period();
  }

  private static boolean hasTimeOf(Profile profile, Profile counted) {
    Samples mine = profile.samples();
    Samples theirs = counted.samples();
    boolean isEqual = mine.size() == theirs.size() && !mine.isObserved();
    for (int i = 0; isEqual && i < mine.size(); i++) {
      isEqual =
          mine.stack(i) == theirs.stack(i)
              && mine.attributeSet(i) == theirs.attributeSet(i)
              && mine.link(i) == theirs.link(i)
              && profile.value(i) == counted.sampledNanos(i);
    }
    return isEqual;
  }
}
