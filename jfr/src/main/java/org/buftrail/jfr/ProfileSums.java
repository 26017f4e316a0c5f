package org.buftrail.jfr;

import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;

/** The samples of one profile type over all recordings. */
final class ProfileSums {
  private final ProfileType type;
  private final Samples samples;
  private final boolean paired;
  private final LastValues last = new LastValues();
  private long period;

  ProfileSums(ProfileType type, boolean observed) {
    this.type = type;
    this.paired = type.second() != null;
    int columns = paired ? 2 : 1;
    this.samples = observed ? Samples.observed(columns) : Samples.summed(columns);
    this.period = type.period();
  }

  /** Forgets all samples. */
  void clear() {
    samples.clear();
    last.clear();
    period = type.period();
  }

  ProfileType type() {
    return type;
  }

  /** Sets the period that the recording states. */
  void period(long nanos) {
    period = nanos;
  }

  /**
   * Adds to a sample.
   *
   * @param time nanoseconds since the epoch, kept if the samples keep times
   * @param second passed over if the profile type has one value
   */
  void put(int stack, int attributes, int link, long time, long first, long second) {
    if (samples.isObserved()) {
      if (paired) {
        samples.observe(stack, attributes, link, time, first, second);
      } else {
        samples.observe(stack, attributes, link, time, first);
      }
    } else if (paired) {
      samples.add(stack, attributes, link, first, second);
    } else {
      samples.add(stack, attributes, link, first);
    }
  }

  /** Cumulative values, to be added when the process has ended. */
  LastValues last() {
    return last;
  }

  /** Adds the profiles of the samples, unless there are none. */
  void addTo(Profiles profiles, long start, long duration) {
    if (samples.isEmpty()) {
      return;
    }
    profiles.add(profile(type.first(), 0, start, duration));
    ValueType second = type.second();
    if (second != null) {
      profiles.add(profile(second, 1, start, duration));
    }
  }

  private Profile profile(ValueType value, int column, long start, long duration) {
    return new Profile(type.name(), value, samples, column)
        .period(type.periodType(), period)
        .range(start, duration);
  }
}
