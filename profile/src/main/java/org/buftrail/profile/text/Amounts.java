package org.buftrail.profile.text;

import java.util.Locale;

/** How amounts are worded for people. */
public final class Amounts {
  private static final String[] BYTE_UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Amounts() {}

  /** {@code 12,345}. */
  public static String count(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  /** {@code 1 chunk}, {@code 12345 chunks}. */
  public static String counted(long n, String one, String others) {
    return n + " " + (n == 1 ? one : others);
  }

  /**
   * {@code 12,345}, {@code 1.8 KiB}, {@code 1.250 s}.
   *
   * @param unit as profiles have it, such as {@code bytes}
   */
  public static String of(long n, String unit) {
    switch (unit) {
      case "bytes":
        return bytes(n);
      case "nanoseconds":
        return String.format(Locale.ROOT, "%,.3f s", n / 1e9);
      default:
        return count(n);
    }
  }

  private static String bytes(long n) {
    if (n < 1024) {
      return n + " B";
    }
    double value = n;
    int unit = -1;
    do {
      value /= 1024;
      unit++;
    } while (value >= 1023.95 && unit < BYTE_UNITS.length - 1);
    return String.format(Locale.ROOT, "%.1f %s", value, BYTE_UNITS[unit]);
  }
}
