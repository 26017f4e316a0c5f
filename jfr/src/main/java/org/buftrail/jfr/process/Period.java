package org.buftrail.jfr.process;

/** Reads the periods that settings state: {@code 20 ms}, {@code 10ms}, {@code 1000000}. */
public final class Period {
  private static final int MOST_DIGITS = 18;

  private Period() {}

  /** Nanoseconds or bytes; 0 if the text states no period. */
  public static long parse(String text) {
    int digits = 0;
    while (digits < text.length() && ProcessTexts.isDigit(text.charAt(digits))) {
      digits++;
    }
    if (digits == 0 || digits > MOST_DIGITS) {
      return 0;
    }
    long number = Long.parseLong(text.substring(0, digits));
    long factor =
        switch (text.substring(text.startsWith(" ", digits) ? digits + 1 : digits)) {
          case "", "ns", "b" -> 1L;
          case "us" -> 1_000L;
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m" -> 60_000_000_000L;
          case "h" -> 3_600_000_000_000L;
          case "d" -> 86_400_000_000_000L;
          case "k" -> 1024L;
          default -> 0L;
        };
    return factor != 0 && number <= Long.MAX_VALUE / factor ? number * factor : 0;
  }
}
