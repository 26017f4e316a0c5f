package org.buftrail.profile;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The samples of one kind, in one unit. {@code Profile}. Kinds that have a count and bytes are two
 * profiles over the same {@link Samples}. Belongs to one thread.
 */
public final class Profile {
  private final String name;
  private final ValueType sampleType;
  private final Samples samples;
  private final int column;
  private ValueType periodType = ValueType.NONE;
  private long period;
  private long time;
  private long duration;
  private int attributeSet;
  private @Nullable Payload payload;

  /**
   * @param name the kind, such as {@code cpu}; written as the profile attribute {@link
   *     Profiles#KIND} when it is not empty
   * @param sampleType what the values are
   * @param samples the samples
   * @param column which of their values, 0 or 1
   */
  public Profile(String name, ValueType sampleType, Samples samples, int column) {
    if (column < 0 || column >= samples.columns()) {
      throw new IllegalArgumentException(
          "column " + column + " of samples with values for each: " + samples.columns());
    }
    this.name = Objects.requireNonNull(name, "name");
    this.sampleType = Objects.requireNonNull(sampleType, "sampleType");
    this.samples = samples;
    this.column = column;
  }

  /**
   * Says how often was sampled.
   *
   * @param type of the period
   * @param value in the type's unit; backends drop profiles whose period is 0
   */
  public Profile period(ValueType type, long value) {
    this.periodType = Objects.requireNonNull(type, "type");
    this.period = value;
    return this;
  }

  /**
   * Says when it was recorded. Every time stamp must lie in [time, time + duration).
   *
   * @param newTime nanoseconds since 1970-01-01T00:00Z
   * @param newDuration nanoseconds
   */
  public Profile range(long newTime, long newDuration) {
    this.time = newTime;
    this.duration = newDuration;
    return this;
  }

  /**
   * The same profile of other samples.
   *
   * @param others with as many values each
   */
  public Profile with(Samples others) {
    return new Profile(name, sampleType, others, column)
        .period(periodType, period)
        .range(time, duration)
        .attributes(attributeSet)
        .payload(payload);
  }

  /** Gives the profile attributes: an index in the attribute-set table. */
  public Profile attributes(int newAttributeSet) {
    this.attributeSet = newAttributeSet;
    return this;
  }

  /** Lets the profile carry the recording that it was made from. */
  public Profile payload(@Nullable Payload newPayload) {
    this.payload = newPayload;
    return this;
  }

  /** The kind, such as {@code cpu}, or empty. */
  public String name() {
    return name;
  }

  /** The type of the values. */
  public ValueType sampleType() {
    return sampleType;
  }

  /** The samples, possibly shared with another profile. */
  public Samples samples() {
    return samples;
  }

  /** Which value of the samples is this profile's. */
  public int column() {
    return column;
  }

  /** The type of the period. */
  public ValueType periodType() {
    return periodType;
  }

  /** The distance between two samples, in the unit of {@link #periodType}. */
  public long period() {
    return period;
  }

  /** When it began: nanoseconds since 1970-01-01T00:00Z. */
  public long time() {
    return time;
  }

  /** How long it lasted, in nanoseconds. */
  public long duration() {
    return duration;
  }

  /** Index in the attribute-set table. */
  public int attributeSet() {
    return attributeSet;
  }

  /** The recording that it was made from, if it is carried along. */
  public @Nullable Payload payload() {
    return payload;
  }

  /** The value of a sample. */
  public long value(int sample) {
    return samples.sum(sample, column);
  }

  /**
   * Whether its samples are counted, and the period says how long each of them stands for: their
   * time is then worth a second value, in the unit of the period.
   */
  public boolean isSampledTime() {
    return period > 0
        && sampleType.unit().equals("count")
        && periodType.unit().equals("nanoseconds");
  }

  /**
   * The time that a sample stands for: its value times the period, up to the ends of the {@code
   * long} range. Of profiles that are {@linkplain #isSampledTime sampled time}.
   */
  public long sampledNanos(int sample) {
    long value = value(sample);
    long high = Math.multiplyHigh(value, period);
    long low = value * period;
    return high == low >> 63 ? low : high < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  /** The sum of all values. */
  public long total() {
    return samples.total(column);
  }
}
