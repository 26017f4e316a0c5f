package org.buftrail.cli.options;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;

/**
 * Reads a time: milliseconds, with the meaning that {@link org.buftrail.jfr.Options#window} gives
 * them, {@code 12:00:00} of today, {@code 2026-01-31T12:00:00} here, or with {@code Z}.
 */
public final class TimeOption extends CommandOption {
  /**
   * A time.
   *
   * @param millis counted from the recording's start or end, or since the epoch
   * @param absolute whether it is since the epoch, however small
   */
  public record Time(long millis, boolean absolute) {
    boolean isSet() {
      return absolute || millis != 0;
    }

    /** The milliseconds if their size says what they are counted from, or 0. */
    long relative() {
      return absolute ? 0 : millis;
    }

    /** Nanoseconds since the epoch, or what stands for no bound. */
    long nanos(long unset) {
      return absolute ? TimeUnit.MILLISECONDS.toNanos(millis) : unset;
    }
  }

  private Time value = new Time(0, false);

  public TimeOption(String names, String... description) {
    super(names, "TIME", description);
  }

  /** The given value, or the default. */
  public Time value() {
    return value;
  }

  @Override
  void accept(String text) {
    try {
      if (text.matches("-?[0-9]{1,15}")) {
        value = new Time(Long.parseLong(text), false);
      } else {
        value = new Time(instant(text).toEpochMilli(), true);
      }
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is no time: give milliseconds, 12:00:00, 2026-01-31T12:00:00 or"
              + " 2026-01-31T12:00:00Z");
    }
  }

  private static Instant instant(String text) {
    if (text.endsWith("Z")) {
      return Instant.parse(text);
    }
    LocalDateTime local =
        text.indexOf('T') > 0
            ? LocalDateTime.parse(text)
            : LocalDate.now(ZoneId.systemDefault()).atTime(LocalTime.parse(text));
    return local.atZone(ZoneId.systemDefault()).toInstant();
  }
}
