package org.buftrail.jfr.kinds;

import org.jspecify.annotations.Nullable;

/** Where the value that an event adds to a profile comes from. */
public final class Value {
  /** Each event counts 1. */
  public static final Value ONE = new Value(null, null, false, null);

  /** How long the event lasted, in nanoseconds. */
  public static final Value DURATION = field("duration");

  private final @Nullable String field;
  private final @Nullable String factor;

  private final boolean weight;
  private final @Nullable Named named;

  /** What a user asks for. */
  private record Named(@Nullable String unit) {}

  private Value(
      @Nullable String field, @Nullable String factor, boolean weight, @Nullable Named named) {
    this.named = named;
    this.field = field;
    this.factor = factor;
    this.weight = weight;
  }

  /** The value of a field; time spans are converted to nanoseconds. */
  public static Value field(String name) {
    return new Value(name, null, false, null);
  }

  /** The value of a field that says how many an event stands for: 1 where it is not recorded. */
  public static Value weight(String name) {
    return new Value(name, null, true, null);
  }

  /**
   * The value of a field that a user named, signed and with fractions.
   *
   * @param unit what time spans are converted to, and what others are taken for; null for what the
   *     recording says
   */
  static Value named(String name, @Nullable String unit) {
    return new Value(name, null, false, new Named(unit));
  }

  /** The product of two fields, rounded. */
  public static Value product(String name, String factor) {
    return new Value(name, factor, false, null);
  }

  /** The field, or null if each event counts 1. */
  public @Nullable String field() {
    return field;
  }

  /** The field to multiply with, or null. */
  public @Nullable String factor() {
    return factor;
  }

  /** Whether a user named the field. */
  public boolean isNamed() {
    return named != null;
  }

  /** The unit that a user asked for, if any. */
  public @Nullable String unit() {
    return named == null ? null : named.unit();
  }

  /** Whether an event without the field counts 1. */
  public boolean isWeight() {
    return weight;
  }
}
