package org.buftrail.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads an instant: milliseconds since the epoch, or ISO 8601 such as {@code 2026-01-31T12:00:00Z}.
 */
final class TimeOption implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    try {
      return text.matches("[0-9]{1,16}")
          ? Instant.ofEpochMilli(Long.parseLong(text))
          : Instant.parse(text);
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "'" + text + "' is no time: give milliseconds since the epoch, or 2026-01-31T12:00:00Z");
    }
  }

  /** Nanoseconds since the epoch. */
  static long nanos(Instant instant) {
    return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
  }
}
