package org.buftrail.report;

import java.time.Instant;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.profile.text.Printable;

/**
 * How figures and places are worded for people, the same in every text.
 *
 * <p>Without the JDK's formatter, which loads a hundred classes: that would be at the start of each
 * JVM, when the report is tried out, and at its end.
 */
final class Wording {
  private static final String[] BYTE_UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Wording() {}

  /** {@code 12,345}. */
  static String count(long n) {
    StringBuilder grouped = new StringBuilder(20).append(n);
    for (int at = grouped.length() - 3; at > (n < 0 ? 1 : 0); at -= 3) {
      grouped.insert(at, ',');
    }
    return grouped.toString();
  }

  /** {@code 1 flow}, {@code 12,345 flows}. */
  static String flows(long n) {
    return count(n) + (n == 1 ? " flow" : " flows");
  }

  /** {@code 1 path}, {@code 2 paths}. */
  static String paths(long n) {
    return count(n) + (n == 1 ? " path" : " paths");
  }

  /** {@code 512 B}, {@code 1.8 KiB}; the unit keeps the figure below 1,024. */
  static String bytes(long n) {
    if (n < 1024) {
      return n + " B";
    }
    double value = n;
    int unit = -1;
    do {
      value /= 1024;
      unit++;
      // 1,023.95 would be printed as 1024.0.
    } while (value >= 1023.95 && unit < BYTE_UNITS.length - 1);
    return tenths(value) + ' ' + BYTE_UNITS[unit];
  }

  /** {@code 7 flows, 1.8 KiB}. */
  static String flowsAndBytes(Path.Flows flows) {
    return flows(flows.count()) + ", " + bytes(flows.bytes());
  }

  /** {@code holding 3 more}: what leaked within others. */
  static String holding(long n) {
    return "holding " + count(n) + " more";
  }

  /** {@code , 40 of them parts of composites}; empty where none is. */
  static String parts(Path path) {
    long parts = path.liveParts();
    return parts == 0 ? "" : ", " + count(parts) + " of them parts of composites";
  }

  /** {@code 850 ms}, {@code 12.5 s}, {@code 3 min 5 s}, {@code 2 h 0 min}, {@code 4 d 7 h}. */
  static String age(long millis) {
    long seconds = millis / 1000;
    if (millis < 1000) {
      return millis + " ms";
    }
    if (seconds < 60) {
      return seconds + "." + millis % 1000 / 100 + " s";
    }
    if (seconds < 3600) {
      return seconds / 60 + " min " + seconds % 60 + " s";
    }
    if (seconds < 86_400) {
      return seconds / 3600 + " h " + seconds / 60 % 60 + " min";
    }
    return seconds / 86_400 + " d " + seconds / 3600 % 24 + " h";
  }

  /** {@code 2026-01-31T12:00:00.250Z}. */
  static String time(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).toString();
  }

  /** {@code 83.3 %}; 0 of 0 is 0. */
  static String share(long part, long whole) {
    return tenths(whole == 0 ? 0 : 100.0 * part / whole) + " %";
  }

  /** {@code 12.3}, halves rounded up; of what is not negative. */
  private static String tenths(double value) {
    long tenths = Math.round(value * 10);
    return tenths / 10 + "." + tenths % 10;
  }

  /** With blanks before it up to a width. */
  static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  /** With blanks behind it up to a width. */
  static String left(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  /** {@code SimpleClass.method:31}, without the suffix of returns. */
  static String shortPlace(Path.Hop hop) {
    return place(hop.site(), hop.site().hop());
  }

  /** {@code com.example.SimpleClass.method:31}, without the suffix of returns. */
  static String fullPlace(Path.Hop hop) {
    return fullPlace(hop.site());
  }

  /** {@code com.example.SimpleClass.method:31}, without the suffix of returns. */
  static String fullPlace(Site site) {
    return place(site, site.qualifiedName());
  }

  /** What stands behind a hop that gave its buffers back to the caller; empty for others. */
  static String returned(Path.Hop hop) {
    return ShownHops.isReturn(hop.site()) ? " (returned)" : "";
  }

  /** {@code direct} or {@code heap}, or the type of a resource that is no buffer. */
  static String memory(Path path) {
    String resource = path.resource();
    return resource != null ? ascii(resource) : path.isDirect() ? "direct" : "heap";
  }

  /** Direct memory that leaks is never given back; heap memory is, though its pool runs dry. */
  static String severity(boolean direct) {
    return direct ? "CRITICAL" : "moderate";
  }

  static Path.Hop last(Path path) {
    return path.hops().get(path.hops().size() - 1);
  }

  private static String place(Site site, String name) {
    String place = ascii(ShownHops.bare(name));
    return site.line() > 0 ? place + ':' + site.line() : place;
  }

  /** A name may hold anything, a terminal may do anything with it: only printable ASCII stays. */
  static String ascii(String s) {
    return Printable.ascii(s);
  }
}
