package org.buftrail.jfr.events;

import java.util.List;
import java.util.Locale;
import org.buftrail.jfr.kinds.Value;
import org.buftrail.jfr.schema.FieldDescriptor;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.TypeDescriptor;
import org.jspecify.annotations.Nullable;

/** Extracts the value of a field that the user named, with its sign. */
public final class NamedValueExtractor extends ValueExtractor {
  private final int slot;

  /** Bits of a slot above the field's own. */
  private final int unused;

  private final boolean unsigned;

  /** The value that stands for none. */
  private final long none;

  private final String unit;
  private final @Nullable String label;
  private final long divisor;

  private NamedValueExtractor(
      int slot, FieldDescriptor field, String type, @Nullable String asked) {
    super(slot, isReal(type), field.unit == null ? "" : field.unit);
    this.slot = slot;
    this.unit = field.unit == null ? "" : field.unit;
    this.unused =
        switch (type) {
          case "byte" -> 56;
          case "short" -> 48;
          case "int" -> 32;
          default -> 0;
        };
    this.unsigned = field.unsigned;
    this.none = type.equals("int") ? Integer.MIN_VALUE : Long.MIN_VALUE;
    long length = isTime() && asked != null ? nanoseconds(asked) : 0;
    this.divisor = Math.max(1, length);
    this.label = length > 0 ? asked : label(asked);
  }

  /** Binds a named field of an event type; null if it is not there, or no number. */
  public static @Nullable ValueExtractor bind(
      Value value, TypeDescriptor event, Metadata metadata, List<String> fields) {
    String name = String.valueOf(value.field());
    FieldDescriptor field = number(event, name, metadata);
    if (field == null) {
      return null;
    }
    String type = String.valueOf(metadata.name(field.typeId));
    return new NamedValueExtractor(Layout.slotOf(name, fields), field, type, value.unit());
  }

  private boolean isTime() {
    return switch (unit) {
      case "TICKS", "NANOSECONDS", "MICROSECONDS", "MILLISECONDS", "SECONDS" -> true;
      default -> false;
    };
  }

  private @Nullable String label(@Nullable String asked) {
    if (isTime()) {
      return "nanoseconds";
    }
    return switch (unit) {
      case "BYTES", "BITS" -> unit.toLowerCase(Locale.ROOT);
      case Metadata.PERCENTAGE -> asked == null ? "ratio" : asked;
      case Metadata.FREQUENCY -> asked == null ? "hertz" : asked;
      default -> asked;
    };
  }

  /** Nanoseconds of a unit of time; 0 if it is none. */
  private static long nanoseconds(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "ns", "nanos", "nanosecond", "nanoseconds" -> 1;
      case "us", "\u00b5s", "micros", "microsecond", "microseconds" -> 1_000;
      case "ms", "millis", "millisecond", "milliseconds" -> 1_000_000;
      case "s", "sec", "second", "seconds" -> 1_000_000_000;
      case "min", "minute", "minutes" -> 60_000_000_000L;
      case "h", "hour", "hours" -> 3_600_000_000_000L;
      default -> 0;
    };
  }

  @Override
  public @Nullable String label() {
    return label;
  }

  /** The field's value; of one with fractions, the bits of a {@code double}. */
  @Override
  public long amount(long[] slots) {
    long value = slots[slot];
    if (hasFractions()) {
      return Double.isFinite(Double.longBitsToDouble(value)) ? value : 0;
    }
    if (unsigned) {
      return value << unused >>> unused;
    }
    long signed = value << unused >> unused;
    return signed == none ? 0 : signed;
  }

  @Override
  public long divisor() {
    return divisor;
  }
}
