package org.buftrail.jfr;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the periods that settings state: {@code 20 ms}, {@code 10ms}, {@code 1000000}. */
final class Period {
  private static final Pattern FORM = Pattern.compile("(\\d{1,18}) ?(ns|us|ms|s|m|h|d|k|b)?");

  private Period() {}

  /** Nanoseconds or bytes; 0 if the text states no period. */
  static long parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return 0;
    }
    long number = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2) == null ? "" : matcher.group(2);
    long factor =
        switch (unit) {
          case "us" -> 1_000L;
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m" -> 60_000_000_000L;
          case "h" -> 3_600_000_000_000L;
          case "d" -> 86_400_000_000_000L;
          case "k" -> 1024L;
          default -> 1L;
        };
    return number > Long.MAX_VALUE / factor ? 0 : number * factor;
  }
}
