package org.buftrail.options;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads amounts as people write them. */
public final class AmountReader {
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,18})\\s*([a-z]*)");

  private AmountReader() {}

  /**
   * Reads {@code 1000}, {@code 64k}, {@code 512m}, {@code 2g}, also {@code 512MB} and {@code
   * 512MiB}; a k is 1,024.
   *
   * @throws IllegalArgumentException saying what would be right
   */
  public static long bytes(String text) {
    Matcher m = AMOUNT.matcher(text.toLowerCase(Locale.ROOT));
    if (m.matches()) {
      int shift = "bkmgt".indexOf(m.group(2).isEmpty() ? "b" : m.group(2).substring(0, 1)) * 10;
      if (shift >= 0 && m.group(2).matches("|b|[kmgt](i?b)?")) {
        return times(m, 1L << shift, text);
      }
    }
    throw new IllegalArgumentException("'" + text + "' is not a size such as 64k, 512m or 2g");
  }

  /**
   * Reads {@code 500ms}, {@code 30s}, {@code 10m}, {@code 2h}, {@code 1d} as milliseconds.
   *
   * @throws IllegalArgumentException saying what would be right
   */
  public static long millis(String text) {
    Matcher m = AMOUNT.matcher(text.toLowerCase(Locale.ROOT));
    if (m.matches()) {
      switch (m.group(2)) {
        case "ms":
          return times(m, 1, text);
        case "s":
          return times(m, 1_000, text);
        case "m":
        case "min":
          return times(m, 60_000, text);
        case "h":
          return times(m, 3_600_000, text);
        case "d":
          return times(m, 86_400_000, text);
        default:
          break;
      }
    }
    throw new IllegalArgumentException("'" + text + "' is not a time such as 30s, 10m or 2h");
  }

  /**
   * Reads a plain number.
   *
   * @throws IllegalArgumentException saying what would be right
   */
  public static long count(String text) {
    Matcher m = AMOUNT.matcher(text);
    if (m.matches() && m.group(2).isEmpty()) {
      return Long.parseLong(m.group(1));
    }
    throw new IllegalArgumentException("'" + text + "' is not a number");
  }

  private static long times(Matcher m, long unit, String text) {
    try {
      return Math.multiplyExact(Long.parseLong(m.group(1)), unit);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' is too large");
    }
  }
}
