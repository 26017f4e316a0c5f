package org.buftrail.cli.live;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.buftrail.flow.Path;
import org.buftrail.flow.Snapshot;
import org.buftrail.flow.TrackerStatus;

/** What {@code top} shows, as lines of plain text that fit the terminal. */
public final class TopView {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final int WIDE = 100;
  private static final String WIDE_ROW = "%10s %9s %10s %8s %9s %9s  %s";

  /** Of the same figures, those that matter most: the path needs the room. */
  private static final String NARROW_ROW = "%1$10s %3$10s %5$9s  %7$s";

  private static final int HEAD_LINES = 5;

  /** The reference count of a release. */
  private static final String RELEASED = "0";

  private final PathRates rates = new PathRates();
  private final String title;
  private PathRates.Order order = PathRates.Order.LIVE;
  private long allocatedBefore = -1;
  private long millisBefore;

  /**
   * @param title what is looked at, such as {@code process 123}
   */
  public TopView(String title) {
    this.title = title;
  }

  /** Sorts by live bytes, then by leaked bytes, then by rate, in turn. */
  public void nextOrder() {
    order = order.next();
  }

  /**
   * The lines, none longer than {@code width}.
   *
   * @param now the newest snapshot; rates are against the one before
   * @param width in characters
   * @param height in lines
   */
  public List<String> lines(Snapshot now, int width, int height) {
    List<String> lines = new ArrayList<>();
    String time =
        TIME.format(Instant.ofEpochMilli(now.takenAtMillis()).atZone(ZoneId.systemDefault()));
    lines.add("buftrail " + title + "  " + time + "  by " + order.name().toLowerCase(Locale.ROOT));
    lines.add(
        "live "
            + flows(now.live())
            + "   leaked "
            + flows(now.leaked())
            + (now.dropped().count() > 0 ? "   dropped " + flows(now.dropped()) : "")
            + "   direct live "
            + bytes(directLive(now)));
    lines.add(
        "allocated "
            + count(now.allocated())
            + allocationRate(now)
            + "   paths "
            + count(now.paths().size())
            + notes(now));
    lines.add(stopped(now));
    String form = width < WIDE ? NARROW_ROW : WIDE_ROW;
    String head =
        String.format(form, "LIVE", "COUNT", "LEAKED", "COUNT", "NEW/S", "OLDEST", "PATH");
    lines.add(head);
    List<PathRates.Row> rows = rates.next(now, order);
    int room = Math.max(1, height - HEAD_LINES);
    int shown = rows.size() <= room ? rows.size() : room - 1;
    for (PathRates.Row row : rows.subList(0, shown)) {
      lines.add(line(form, row, Math.max(10, width - head.length() + "PATH".length())));
    }
    if (shown < rows.size()) {
      lines.add("... " + count(rows.size() - shown) + " more paths");
    }
    lines.replaceAll(line -> line.length() > width ? line.substring(0, width) : line);
    return lines.subList(0, Math.min(height, lines.size()));
  }

  private String allocationRate(Snapshot now) {
    String text = "";
    double seconds = (now.takenAtMillis() - millisBefore) / 1e3;
    if (allocatedBefore >= 0 && seconds > 0) {
      text = " (" + rate(Math.max(0, now.allocated() - allocatedBefore) / seconds) + "/s)";
    }
    allocatedBefore = now.allocated();
    millisBefore = now.takenAtMillis();
    return text;
  }

  private static String notes(Snapshot now) {
    return (now.sampling() > 1 ? "   1 in " + now.sampling() + " followed" : "")
        + (now.overflowed() > 0 ? "   overflowed " + count(now.overflowed()) : "")
        + (now.suppressedErrors() > 0 ? "   errors " + count(now.suppressedErrors()) : "");
  }

  /** Empty while new buffers are followed. */
  private static String stopped(Snapshot now) {
    TrackerStatus.Stop stop = now.status().stop();
    return stop == null
        ? ""
        : "NOT FOLLOWING new buffers since "
            + TIME.format(Instant.ofEpochMilli(stop.sinceMillis()).atZone(ZoneId.systemDefault()))
            + ": "
            + printable(stop.reason());
  }

  private static String line(String form, PathRates.Row row, int room) {
    Path path = row.path();
    return String.format(
        form,
        path.live().count() == 0 ? "-" : bytes(path.live().bytes()),
        path.live().count() == 0 ? "-" : count(path.live().count()),
        path.leaked().count() == 0 ? "-" : bytes(path.leaked().bytes()),
        path.leaked().count() == 0 ? "-" : count(path.leaked().count()),
        row.rate() < 0 ? "" : rate(row.rate()),
        path.oldestMillis() < 0 ? "-" : age(path.oldestMillis()),
        place(path, room));
  }

  /**
   * The last hop, and before it as many others as there is room for. A release, where all paths of
   * released buffers end alike, is left out.
   */
  private static String place(Path path, int room) {
    String text = "";
    int last = path.hops().size() - 1;
    if (last > 0 && path.hops().get(last).refs().equals(RELEASED)) {
      last--;
    }
    for (int i = last; i >= 0; i--) {
      Path.Hop hop = path.hops().get(i);
      String name =
          printable(hop.site().hop() + (hop.site().line() > 0 ? ":" + hop.site().line() : ""));
      String longer = text.isEmpty() ? name : text + " < " + name;
      if (longer.length() > room) {
        return text.isEmpty() ? longer.substring(0, room) : text;
      }
      text = longer;
    }
    return text;
  }

  /** A name may hold anything, a terminal may do anything with it. */
  private static String printable(String name) {
    return name.replaceAll("[^ -~]", "?");
  }

  private static long directLive(Snapshot now) {
    return now.paths().stream().filter(Path::isDirect).mapToLong(p -> p.live().bytes()).sum();
  }

  private static String flows(Path.Flows flows) {
    return bytes(flows.bytes()) + " in " + count(flows.count());
  }

  private static String count(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  private static String rate(double perSecond) {
    return perSecond < 10 && perSecond > 0
        ? String.format(Locale.ROOT, "%.1f", perSecond)
        : count(Math.round(perSecond));
  }

  private static String bytes(long n) {
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

  private static String age(long millis) {
    long seconds = millis / 1000;
    if (seconds < 60) {
      return seconds + "." + millis % 1000 / 100 + "s";
    }
    if (seconds < 3600) {
      return seconds / 60 + "m" + seconds % 60 + "s";
    }
    return seconds / 3600 + "h" + seconds / 60 % 60 + "m";
  }
}
