package org.buftrail.jfr;

import java.util.List;
import org.buftrail.jfr.kinds.Value;
import org.jspecify.annotations.Nullable;

/**
 * How much one event adds to one value of a profile, from the slots that its fields were read to.
 */
class Measure {
  private static final int NO_SLOT = -1;

  private final int slot;
  private final int factorSlot;
  private final boolean real;
  private final boolean factorReal;
  private final long constant;
  private final String unit;

  /** Of one field, an integer. */
  Measure(int slot, String unit) {
    this(slot, false, NO_SLOT, false, 0, unit);
  }

  private Measure(
      int slot, boolean real, int factorSlot, boolean factorReal, long constant, String unit) {
    this.slot = slot;
    this.real = real;
    this.factorSlot = factorSlot;
    this.factorReal = factorReal;
    this.constant = constant;
    this.unit = unit;
  }

  /**
   * Binds a declared value to the fields of an event type.
   *
   * @param fields those that are read to slots; the value's are added
   */
  static Measure bind(Value value, TypeDescriptor event, Metadata metadata, List<String> fields) {
    String name = value.field();
    if (name == null) {
      return new Measure(NO_SLOT, false, NO_SLOT, false, 1, "");
    }
    FieldDescriptor field = number(event, name, metadata);
    if (field == null) {
      return new Measure(NO_SLOT, false, NO_SLOT, false, value.isWeight() ? 1 : 0, "");
    }
    String unit = field.unit == null ? "" : field.unit;
    boolean real = isReal(metadata.name(field.typeId));
    String factorName = value.factor();
    if (factorName == null) {
      return new Measure(Layout.slotOf(name, fields), real, NO_SLOT, false, 0, unit);
    }
    FieldDescriptor factor = number(event, factorName, metadata);
    if (factor == null) {
      return new Measure(Layout.slotOf(name, fields), real, NO_SLOT, false, 0, unit);
    }
    unit = factor.unit == null || factor.unit.equals("BYTES") ? unit : factor.unit;
    return new Measure(
        Layout.slotOf(name, fields),
        real,
        Layout.slotOf(factorName, fields),
        isReal(metadata.name(factor.typeId)),
        0,
        unit);
  }

  /** The field of that name, if it is a number. */
  static @Nullable FieldDescriptor number(TypeDescriptor event, String name, Metadata metadata) {
    FieldDescriptor field = event.field(name);
    if (field == null || field.array || field.constantPool) {
      return null;
    }
    String type = String.valueOf(metadata.name(field.typeId));
    return switch (type) {
      case "byte", "short", "char", "int", "long", "float", "double", "boolean" -> field;
      default -> null;
    };
  }

  /** Whether values of a type may have fractions. */
  static boolean isReal(@Nullable String type) {
    return "float".equals(type) || "double".equals(type);
  }

  /** What the event adds, in the unit of its field; never negative. */
  long amount(long[] slots) {
    if (slot < 0) {
      return constant;
    }
    long value = slots[slot];
    if (factorSlot < 0) {
      return Math.max(0, real ? Math.round(Double.longBitsToDouble(value)) : value);
    }
    long factor = slots[factorSlot];
    if (!real && !factorReal) {
      return Math.max(0, value * factor);
    }
    double a = real ? Double.longBitsToDouble(value) : value;
    double b = factorReal ? Double.longBitsToDouble(factor) : factor;
    return Math.max(0, Math.round(a * b));
  }

  /** Whether it would be the value of a field that the events do not have. */
  boolean isMissing() {
    return slot < 0 && constant == 0;
  }

  /** The sum of two amounts. */
  long sum(long a, long b) {
    return a + b;
  }

  /** Whether amounts are not integers. */
  boolean hasFractions() {
    return false;
  }

  /** What {@link #convert} converts to, if that is not what the profile type says. */
  @Nullable String label() {
    return null;
  }

  /** Forgets what was converted. */
  void clear() {
    // Nothing is remembered.
  }

  /** Converts an amount, or a sum of amounts, of a time span to nanoseconds; leaves others. */
  long convert(long amount, ChunkHeader header) {
    return switch (unit) {
      case "TICKS" -> header.span(amount);
      case "MICROSECONDS" -> amount * 1_000;
      case "MILLISECONDS" -> amount * 1_000_000;
      case "SECONDS" -> amount * 1_000_000_000;
      default -> amount;
    };
  }
}
