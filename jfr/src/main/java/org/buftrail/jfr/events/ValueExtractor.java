package org.buftrail.jfr.events;

import java.util.List;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.kinds.Value;
import org.buftrail.jfr.schema.FieldDescriptor;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.TypeDescriptor;
import org.buftrail.jfr.table.SaturatingMath;
import org.jspecify.annotations.Nullable;

/**
 * How much one event adds to one value of a profile, from the slots that its fields were read to;
 * in fractions, where there are any, until the rows of a chunk become samples.
 */
public class ValueExtractor {
  private static final int NO_SLOT = -1;

  /** Beyond, a {@code double} has no fractions. */
  private static final double WHOLE = 1L << 53;

  /** More than any event adds. */
  private static final double MOST = 0x1p63;

  private final int slot;
  private final int factorSlot;
  private final boolean real;
  private final boolean factorReal;
  private final long constant;
  private final String unit;

  /** What rounding has left of the amounts that were converted. */
  private double rest;

  /** An extractor of one field. */
  public ValueExtractor(int slot, boolean real, String unit) {
    this(slot, real, NO_SLOT, false, 0, unit);
  }

  private ValueExtractor(
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
  public static ValueExtractor bind(
      Value value, TypeDescriptor event, Metadata metadata, List<String> fields) {
    String name = value.field();
    if (name == null) {
      return new ValueExtractor(NO_SLOT, false, NO_SLOT, false, 1, "");
    }
    FieldDescriptor field = number(event, name, metadata);
    if (field == null) {
      return new ValueExtractor(NO_SLOT, false, NO_SLOT, false, value.isWeight() ? 1 : 0, "");
    }
    String unit = field.unit == null ? "" : field.unit;
    boolean real = isReal(metadata.name(field.typeId));
    String factorName = value.factor();
    if (factorName == null) {
      return new ValueExtractor(Layout.slotOf(name, fields), real, NO_SLOT, false, 0, unit);
    }
    FieldDescriptor factor = number(event, factorName, metadata);
    if (factor == null) {
      return new ValueExtractor(Layout.slotOf(name, fields), real, NO_SLOT, false, 0, unit);
    }
    unit = factor.unit == null || factor.unit.equals("BYTES") ? unit : factor.unit;
    return new ValueExtractor(
        Layout.slotOf(name, fields),
        real,
        Layout.slotOf(factorName, fields),
        isReal(metadata.name(factor.typeId)),
        0,
        unit);
  }

  public static @Nullable FieldDescriptor number(
      TypeDescriptor event, String name, Metadata metadata) {
    FieldDescriptor field = event.field(name);
    if (field == null || field.array || field.constantPool) {
      return null;
    }
    return Layout.isNumber(String.valueOf(metadata.name(field.typeId))) ? field : null;
  }

  /** Whether values of a type may have fractions. */
  public static boolean isReal(@Nullable String type) {
    return "float".equals(type) || "double".equals(type);
  }

  /**
   * What the event adds, in the unit of its field; never negative. With fractions, the bits of a
   * {@code double}.
   */
  public long amount(long[] slots) {
    if (slot < 0) {
      return constant;
    }
    long value = slots[slot];
    long factor = factorSlot < 0 ? 1 : slots[factorSlot];
    if (!hasFractions()) {
      return Math.max(0, SaturatingMath.times(value, factor));
    }
    double a = real ? Double.longBitsToDouble(value) : value;
    double b = factorReal ? Double.longBitsToDouble(factor) : factor;
    double product = a * b;
    return Double.doubleToRawLongBits(product > 0 && product < MOST ? product : 0);
  }

  /** Whether it is computed from a slot below one. */
  final boolean reads(int below) {
    return (slot >= 0 && slot < below) || (factorSlot >= 0 && factorSlot < below);
  }

  /** Whether it would be the value of a field that the events do not have. */
  public boolean isMissing() {
    return slot < 0 && constant == 0;
  }

  /** The sum of two amounts. */
  public final long sum(long a, long b) {
    return hasFractions()
        ? Double.doubleToRawLongBits(Double.longBitsToDouble(a) + Double.longBitsToDouble(b))
        : SaturatingMath.plus(a, b);
  }

  /** Whether amounts are the bits of a {@code double}. */
  public final boolean hasFractions() {
    return real || factorReal;
  }

  /** What {@link #convert} converts to, if that is not what the profile type says. */
  public @Nullable String label() {
    return null;
  }

  /** By what converted amounts are divided. */
  public long divisor() {
    return 1;
  }

  /** Forgets what was converted. */
  public final void clear() {
    rest = 0;
  }

  /**
   * Converts an amount, or a sum of amounts, of a time span to nanoseconds; leaves others. What
   * rounding takes from one sample, the next is given, so that their sum is right.
   */
  public final long convert(long amount, ChunkHeader header) {
    if (!hasFractions() && divisor() == 1) {
      return inNanoseconds(amount, header);
    }
    double base =
        hasFractions()
            ? Double.longBitsToDouble(amount) * factor(header)
            : (double) inNanoseconds(amount, header);
    double exact = base / divisor() + rest;
    long rounded = Math.round(exact);
    rest = Math.abs(exact) < WHOLE ? exact - rounded : 0;
    return rounded;
  }

  private double factor(ChunkHeader header) {
    return unit.equals("TICKS") ? 1e9 / header.ticksPerSecond : inNanoseconds(1, header);
  }

  private long inNanoseconds(long amount, ChunkHeader header) {
    return switch (unit) {
      case "TICKS" -> header.span(amount);
      case "MICROSECONDS" -> SaturatingMath.times(amount, 1_000);
      case "MILLISECONDS" -> SaturatingMath.times(amount, 1_000_000);
      case "SECONDS" -> SaturatingMath.times(amount, 1_000_000_000);
      default -> amount;
    };
  }
}
