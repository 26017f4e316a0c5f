package org.buftrail.it.states;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Figures and places as surfaces word them for people. */
final class Words {
  private static final Map<String, Long> UNITS =
      Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
  private static final String IN_TRANSIT = "in transit";
  private static final Pattern AMOUNT = Pattern.compile("([\\d,.]+) (B|KiB|MiB|GiB)");
  private static final Pattern PLACE = Pattern.compile("([\\w.$()]+)\\.([\\w$<>]+)(?::\\d+)?");

  private Words() {}

  /** {@code 12,345}; nothing for a dash. */
  static long count(String text) {
    String digits = text.strip().replace(",", "");
    return digits.matches("\\d+") ? Long.parseLong(digits) : 0;
  }

  /** {@code 18.5 KiB}; nothing for a dash. */
  static long bytes(String text) {
    Matcher amount = AMOUNT.matcher(text.strip());
    if (!amount.matches()) {
      return 0;
    }
    double value = Double.parseDouble(amount.group(1).replace(",", ""));
    return Math.round(value * UNITS.getOrDefault(amount.group(2), 0L));
  }

  /** {@code lose} for {@code com.example.Everything.lose:31}, {@code resource} for a lease's. */
  static String place(String hop) {
    if (hop.replace("(", "").startsWith(IN_TRANSIT)) {
      return IN_TRANSIT;
    }
    Matcher place = PLACE.matcher(hop.strip());
    if (!place.lookingAt()) {
      throw new AssertionError("no place: " + hop);
    }
    return place.group(1).endsWith("Lease") ? "resource" : place.group(2);
  }

  /** Where a path ends, the hop before where it ends in the release itself. */
  static String place(List<String> hops) {
    String last = hops.get(hops.size() - 1);
    boolean isRelease = isRelease(last) && hops.size() > 1;
    return place(isRelease ? hops.get(hops.size() - 2) : last);
  }

  static boolean isRelease(String hop) {
    return hop.contains("ByteBuf.release") || hop.contains("Lease.close");
  }

  /** The number before a phrase, nothing where the text does not have it. */
  static long before(String phrase, String text) {
    Matcher found = Pattern.compile("([\\d,]+) " + phrase).matcher(text);
    return found.find() ? count(found.group(1)) : 0;
  }
}
