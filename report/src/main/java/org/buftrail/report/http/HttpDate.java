package org.buftrail.report.http;

import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * A moment as HTTP writes it. Uses nothing of the JDK that opens a file when it is first used: one
 * that fails then, for want of a descriptor, would fail for the application for ever.
 */
final class HttpDate {
  private static final String DAYS = "MonTueWedThuFriSatSun";
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  private HttpDate() {}

  /** Formats milliseconds since the epoch as {@code Sun, 06 Nov 1994 08:49:37 GMT}. */
  static String format(long millis) {
    LocalDateTime at =
        LocalDateTime.ofEpochSecond(Math.floorDiv(millis, 1_000L), 0, ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(29);
    text.append(name(DAYS, at.getDayOfWeek().getValue())).append(", ");
    two(text, at.getDayOfMonth()).append(' ').append(name(MONTHS, at.getMonthValue()));
    text.append(' ').append(at.getYear()).append(' ');
    two(text, at.getHour()).append(':');
    two(text, at.getMinute()).append(':');
    return two(text, at.getSecond()).append(" GMT").toString();
  }

  private static String name(String names, int number) {
    return names.substring(3 * number - 3, 3 * number);
  }

  private static StringBuilder two(StringBuilder text, int number) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }
}
