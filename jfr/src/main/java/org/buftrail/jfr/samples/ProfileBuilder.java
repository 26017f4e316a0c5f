package org.buftrail.jfr.samples;

import java.util.LinkedHashMap;
import java.util.Map;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * The samples of one profile type over all recordings. Samples that stand for periods of different
 * lengths cannot be added: each length has a profile of its own.
 */
public final class ProfileBuilder {
  /** More periods than that nobody has chosen: what is left is added to the last. */
  private static final int MOST_PERIODS = 100;

  private final ProfileType type;
  private final boolean observed;
  private final boolean paired;
  private final Map<Long, Samples> byPeriod = new LinkedHashMap<>();

  /** The current period. */
  private Samples samples;

  private final Gauges last = new Gauges();
  private long period;
  private @Nullable String unit;
  private boolean secondMissing;
  private boolean secondKnown;

  /** Whether the events that are being added have the field that the second value is of. */
  private boolean isSecondKnown = true;

  private final @Nullable SampleTaker taker;

  public ProfileBuilder(ProfileType type, boolean observed) {
    this(type, observed, null);
  }

  /**
   * @param taker takes the samples; null to keep them
   */
  public ProfileBuilder(ProfileType type, boolean observed, @Nullable SampleTaker taker) {
    this.taker = taker;
    this.type = type;
    this.paired = type.second() != null;
    this.observed = observed;
    this.samples = create();
    this.period = type.period();
    byPeriod.put(period, samples);
  }

  private Samples create() {
    int columns = paired ? 2 : 1;
    return observed ? Samples.observed(columns) : Samples.summed(columns);
  }

  /** Forgets all samples. */
  public void clear() {
    samples.clear();
    last.clear();
    unit = null;
    secondMissing = false;
    secondKnown = false;
    isSecondKnown = true;
    period = type.period();
    byPeriod.clear();
    byPeriod.put(period, samples);
  }

  public ProfileType type() {
    return type;
  }

  /**
   * Sets the period of what is added from now on.
   *
   * @param length in the unit of the type's period
   */
  public void period(long length) {
    if (length == period) {
      return;
    }
    Samples known = byPeriod.get(length);
    if (known == null && byPeriod.size() == MOST_PERIODS) {
      return;
    }
    if (known == null && samples.isEmpty()) {
      byPeriod.remove(period);
      known = samples;
    }
    samples = known == null ? create() : known;
    period = length;
    byPeriod.put(period, samples);
  }

  /**
   * Says in which unit the first value is; null where the recording knows no better than its type.
   */
  public void unit(@Nullable String name) {
    unit = unit == null ? name : unit;
  }

  /** Says whether events to come have the field that the second value is of. */
  public void second(boolean known) {
    secondKnown |= known;
    secondMissing |= !known;
    isSecondKnown = known;
  }

  /**
   * Adds to a sample.
   *
   * @param time nanoseconds since the epoch, kept if the samples keep times
   * @param second passed over if the profile type has one value
   */
  public void put(int stack, int attributes, int link, long time, long first, long second) {
    put(stack, attributes, link, time, first, second, 0, secondKnown || !secondMissing);
  }

  /**
   * Adds to a sample.
   *
   * @param place where in the file the event ends; 0 if the sample is of no single event
   */
  public void put(
      int stack, int attributes, int link, long time, long first, long second, long place) {
    put(stack, attributes, link, time, first, second, place, isSecondKnown);
  }

  private void put(
      int stack,
      int attributes,
      int link,
      long time,
      long first,
      long second,
      long place,
      boolean hasSecond) {
    SampleTaker other = taker;
    if (other != null) {
      long known = paired && hasSecond ? second : SampleBatch.UNKNOWN;
      other.take(type, stack, attributes, link, time, first, known, place);
    } else if (samples.isObserved()) {
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
  public Gauges last() {
    return last;
  }

  /** Adds the profiles of the samples, unless there are none. */
  public void addTo(Profiles profiles, long start, long duration) {
    for (Map.Entry<Long, Samples> added : byPeriod.entrySet()) {
      if (!added.getValue().isEmpty()) {
        profiles.add(profile(first(), 0, added, start, duration));
        ValueType second = type.second();
        if (second != null && (secondKnown || !secondMissing)) {
          profiles.add(profile(second, 1, added, start, duration));
        }
      }
    }
  }

  private ValueType first() {
    String known = unit;
    return known == null ? type.first() : ValueType.of(type.first().type(), known);
  }

  private Profile profile(
      ValueType value, int column, Map.Entry<Long, Samples> added, long start, long duration) {
    return new Profile(type.name(), value, added.getValue(), column)
        .period(type.periodType(), added.getKey())
        .range(start, duration);
  }
}
