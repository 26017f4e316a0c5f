package org.buftrail.profile.push;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How long a receiver asks to wait: seconds or an HTTP date, as RFC 9110, 10.2.3 has it. */
final class RetryAfter {
  static final String NAME = "Retry-After";

  private RetryAfter() {}

  /**
   * Seconds from now, 0 for a date that has passed; -1 if it does not ask.
   *
   * @param after what the header says, null if there is none
   * @param nowMillis since 1970
   */
  static long seconds(@Nullable String after, long nowMillis) {
    if (after == null) {
      return -1;
    }
    String text = after.trim();
    if (text.matches("[0-9]+")) {
      return text.length() > 9 ? Integer.MAX_VALUE : Long.parseLong(text);
    }
    try {
      OffsetDateTime date = OffsetDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
      // Rounded up: a moment too late is not too early.
      long millis = Math.max(0, date.toInstant().toEpochMilli() - nowMillis);
      return TimeUnit.MILLISECONDS.toSeconds(millis + 999);
    } catch (DateTimeException | ArithmeticException e) {
      return -1;
    }
  }
}
