package org.buftrail.cli.live;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.buftrail.model.Path;
import org.buftrail.profile.text.Printable;
import org.buftrail.report.ShownHops;

/** Figures and places as {@code top} shows them: short. */
final class TopText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

  /** The reference count of a release. */
  private static final String RELEASED = "0";

  private static final String CUT = "..";

  private TopText() {}

  /** In the time zone of the user. */
  static String time(long millis) {
    return TIME.format(Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()));
  }

  static String flows(Path.Flows flows) {
    return bytes(flows.bytes()) + " in " + count(flows.count());
  }

  static String count(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  static String rate(double perSecond) {
    return perSecond < 10 && perSecond > 0
        ? String.format(Locale.ROOT, "%.1f", perSecond)
        : count(Math.round(perSecond));
  }

  static String bytes(long n) {
    String units = "KMGTPE";
    if (n < 1024) {
      return n + " B";
    }
    double value = n / 1024.0;
    int unit = 0;
    while (value >= 1023.95 && unit < units.length() - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %siB", value, units.charAt(unit));
  }

  static String age(long millis) {
    long seconds = millis / 1000;
    if (seconds < 60) {
      return seconds + "." + millis % 1000 / 100 + "s";
    }
    if (seconds < 3600) {
      return seconds / 60 + "m" + seconds % 60 + "s";
    }
    return seconds / 3600 + "h" + seconds / 60 % 60 + "m";
  }

  /**
   * The last hop, and before it as many others as there is room for. A release, where all paths of
   * released buffers end alike, is left out.
   */
  static String place(Path path, int room) {
    List<Path.Hop> hops = ShownHops.of(path.hops());
    int last = last(hops);
    String text = place(hops.get(last));
    if (text.length() > room) {
      return cut(text, room);
    }
    for (int i = last - 1; i >= 0; i--) {
      String longer = text + " < " + place(hops.get(i));
      if (longer.length() > room) {
        return text;
      }
      text = longer;
    }
    return text;
  }

  private static int last(List<Path.Hop> hops) {
    int last = hops.size() - 1;
    return last > 0 && hops.get(last).refs().equals(RELEASED) ? last - 1 : last;
  }

  /** The hop so many before the one that is named last; empty where there is none. */
  static String hopBefore(Path path, int back) {
    List<Path.Hop> hops = ShownHops.of(path.hops());
    int at = last(hops) - back;
    return at < 0 ? "" : place(hops.get(at));
  }

  private static String place(Path.Hop hop) {
    return ShownHops.shortPlace(hop);
  }

  /** The method and its line say most, the beginning of a class's name least. */
  static String cut(String place, int room) {
    if (place.length() <= room) {
      return place;
    }
    int dot = place.lastIndexOf('.');
    int from = place.length() - room + CUT.length();
    if (from < dot) {
      return CUT + place.substring(from);
    }
    String method = place.substring(dot + 1);
    return method.length() > room ? method.substring(0, room) : method;
  }

  /** A name may hold anything, a terminal may do anything with it. */
  static String printable(String name) {
    return Printable.ascii(name);
  }
}
