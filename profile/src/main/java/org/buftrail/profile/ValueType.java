package org.buftrail.profile;

import java.util.Objects;

/** The meaning and unit of a number. {@code ValueType}. Immutable. */
public final class ValueType {
  /** Nothing: no type, no unit. */
  public static final ValueType NONE = new ValueType("", "");

  private final String type;
  private final String unit;

  private ValueType(String type, String unit) {
    this.type = Objects.requireNonNull(type, "type");
    this.unit = Objects.requireNonNull(unit, "unit");
  }

  /**
   * @param type what is counted, such as {@code allocated_space}
   * @param unit in which unit, such as {@code bytes}
   */
  public static ValueType of(String type, String unit) {
    return new ValueType(type, unit);
  }

  /** The name of what is counted. */
  public String type() {
    return type;
  }

  /** In which unit. */
  public String unit() {
    return unit;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueType
        && type.equals(((ValueType) other).type)
        && unit.equals(((ValueType) other).unit);
  }

  @Override
  public int hashCode() {
    return type.hashCode() * 31 + unit.hashCode();
  }

  @Override
  public String toString() {
    return type + "/" + unit;
  }
}
