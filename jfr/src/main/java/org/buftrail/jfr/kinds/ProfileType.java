package org.buftrail.jfr.kinds;

import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * One profile, or two that share their samples, that events are added up in. Events of several
 * types may go to one; what must not be added together has a profile type of its own.
 *
 * <p>Receivers tell profiles apart by sample type and period type alone, and some add up what is
 * equal in both. So no two profile types may be equal in the types and units of both. The time that
 * counted samples stand for counts too: messages have it beside them, in the period's type.
 */
public final class ProfileType {
  private final String name;
  private final Kind kind;
  private final ValueType first;
  private final @Nullable ValueType second;
  private final ValueType periodType;
  private final long period;

  ProfileType(
      String name,
      Kind kind,
      ValueType first,
      @Nullable ValueType second,
      ValueType periodType,
      long period) {
    this.name = name;
    this.kind = kind;
    this.first = first;
    this.second = second;
    this.periodType = periodType;
    this.period = period;
  }

  /** Unique name, such as {@code cpu}. */
  public String name() {
    return name;
  }

  /** The group it is selected with. */
  public Kind kind() {
    return kind;
  }

  /** What its value is, or the first of its two values. */
  public ValueType first() {
    return first;
  }

  public @Nullable ValueType second() {
    return second;
  }

  /** The unit of a period. */
  public ValueType periodType() {
    return periodType;
  }

  /** The period unless the recording says another. */
  public long period() {
    return period;
  }
}
