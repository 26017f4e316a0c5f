package org.buftrail.cli.live;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/** What {@code top} shows, as lines that fit the terminal, and what its keys do. One thread. */
public final class TopView {
  private static final int WIDE = 100;
  private static final int NARROW = 60;
  private static final String WIDE_ROW = "%10s %9s %10s %8s %9s %9s %1s %s";

  /** The most important of these figures: the path needs the room. */
  private static final String NARROW_ROW = "%1$10s %3$10s %5$9s %7$1s %8$s";

  private static final String NARROWEST_ROW = "%1$10s %7$1s %8$s";

  private static final int HEAD_LINES = 5;
  private static final int LEAST_HEIGHT_FOR_KEYS = 10;
  private static final String LEAKS = "!";
  private static final String SUSPECT = "?";

  /** The first of them fit 80 columns. */
  private static final String KEYS =
      "q end  s sort  / filter  p pause  space refresh  arrows scroll  ! leak  ? suspect";

  private final PathRates rates = new PathRates();

  /** By the index of the path in the newest snapshot. */
  private final BitSet suspects = new BitSet();

  private final String title;
  private PathRates.Order order = PathRates.Order.LIVE;
  private @Nullable Snapshot now;
  private String allocationRate = "";
  private long allocatedBefore = -1;
  private long millisBefore;
  private boolean paused;
  private boolean filtering;
  private String filter = "";
  private int top;
  private int page = 1;

  /** The action of a key. */
  public enum Wish {
    /** Nothing is different. */
    NOTHING,
    /** The same figures are to be shown in another way. */
    DRAW,
    /** Newer figures. */
    REFRESH,
    END
  }

  /**
   * @param title what is looked at, such as {@code process 123}
   */
  public TopView(String title) {
    this.title = title;
  }

  /** Takes the newest snapshot; rates are against the one before. */
  public void update(Snapshot snapshot) {
    now = snapshot;
    allocationRate = "";
    double seconds = (snapshot.takenAtMillis() - millisBefore) / 1e3;
    if (allocatedBefore >= 0 && seconds > 0) {
      long more = Math.max(0, snapshot.allocated() - allocatedBefore);
      allocationRate = " (" + TopText.rate(more / seconds) + "/s)";
    }
    allocatedBefore = snapshot.allocated();
    millisBefore = snapshot.takenAtMillis();
    rates.update(snapshot);
    suspects.clear();
    for (Suspects.Suspect suspect : Suspects.of(snapshot.paths(), snapshot.sampling())) {
      suspects.set(suspect.index());
    }
  }

  /** Whether newer snapshots are to wait. */
  public boolean isPaused() {
    return paused;
  }

  /** Does what a key is for. Keys without a meaning do nothing. */
  public Wish press(int key) {
    if (filtering) {
      return type(key);
    }
    int before = top;
    switch (key) {
      case 'q', 'Q', Key.INTERRUPT, Key.END_OF_TEXT -> {
        return Wish.END;
      }
      case ' ' -> {
        return Wish.REFRESH;
      }
      case 's', 'S' -> order = order.next();
      case 'p', 'P' -> paused = !paused;
      case '/' -> filtering = true;
      case Key.ESCAPE -> filter = "";
      case Key.UP, 'k' -> top--;
      case Key.DOWN, 'j' -> top++;
      case Key.PAGE_UP -> top -= page;
      case Key.PAGE_DOWN -> top += page;
      case Key.HOME, 'g' -> top = 0;
      case Key.END, 'G' -> top = Integer.MAX_VALUE;
      default -> {
        return Wish.NOTHING;
      }
    }
    if (top == before) {
      top = 0;
    }
    return Wish.DRAW;
  }

  private Wish type(int key) {
    switch (key) {
      case Key.INTERRUPT, Key.END_OF_TEXT -> {
        return Wish.END;
      }
      case Key.ENTER, Key.RETURN -> filtering = false;
      case Key.ESCAPE -> {
        filtering = false;
        filter = "";
      }
      case Key.BACKSPACE, Key.DELETE ->
          filter = filter.substring(0, Math.max(0, filter.length() - 1));
      default -> {
        if (key < ' ' || key > '~') {
          return Wish.NOTHING;
        }
        filter += (char) key;
      }
    }
    top = 0;
    return Wish.DRAW;
  }

  /**
   * The lines, none longer than {@code width}.
   *
   * @param width in characters
   * @param height in lines
   * @param keys whether there are any, so that the last line is to name them
   */
  public List<Line> lines(int width, int height, boolean keys) {
    Snapshot shown = now;
    List<Line> lines = new ArrayList<>();
    if (shown == null) {
      return lines;
    }
    boolean keyLine = keys && (filtering || height >= LEAST_HEIGHT_FOR_KEYS);
    head(shown, lines);
    String form = width < NARROW ? NARROWEST_ROW : width < WIDE ? NARROW_ROW : WIDE_ROW;
    String head =
        String.format(form, "LIVE", "COUNT", "LEAKED", "COUNT", "NEW/S", "OLDEST", "", "PATH");
    lines.add(new Line(head, Line.Style.HEAD));
    List<PathRates.Row> rows = rows();
    int room = Math.max(1, height - HEAD_LINES - (keyLine ? 1 : 0));
    boolean more = !keyLine && rows.size() > room;
    page = more ? Math.max(1, room - 1) : room;
    top = Math.max(0, Math.min(top, rows.size() - page));
    int end = Math.min(rows.size(), top + page);
    List<PathRates.Row> seen = rows.subList(top, end);
    List<Path> paths = seen.stream().map(PathRates.Row::path).toList();
    List<String> places = Places.of(paths, Math.max(10, width - head.length() + "PATH".length()));
    for (int i = 0; i < seen.size(); i++) {
      lines.add(line(form, seen.get(i), places.get(i)));
    }
    if (more) {
      lines.add(Line.plain("... " + TopText.count(rows.size() - end) + " more paths"));
    }
    while (keyLine && lines.size() < height - 1) {
      lines.add(Line.plain(""));
    }
    if (keyLine) {
      lines.add(new Line(filtering ? "/" + filter + "_" : keys(rows.size(), end), Line.Style.HEAD));
    }
    lines.replaceAll(line -> fit(line, width));
    return lines.subList(0, Math.min(height, lines.size()));
  }

  /** A bar goes from edge to edge. */
  private static Line fit(Line line, int width) {
    String text = line.text();
    if (text.length() > width) {
      return new Line(text.substring(0, width), line.style());
    }
    return line.style() == Line.Style.HEAD
        ? new Line(text + " ".repeat(width - text.length()), line.style())
        : line;
  }

  private String keys(int rows, int end) {
    String range = rows == 0 ? "0" : TopText.count(top + 1) + "-" + TopText.count(end);
    return range + " of " + TopText.count(rows) + "  " + KEYS;
  }

  private void head(Snapshot shown, List<Line> lines) {
    lines.add(
        new Line(
            "buftrail "
                + title
                + "  "
                + TopText.time(shown.takenAtMillis())
                + "  by "
                + order.name().toLowerCase(Locale.ROOT)
                + (filter.isEmpty() ? "" : "  /" + filter)
                + (paused ? "  PAUSED" : ""),
            Line.Style.TITLE));
    lines.add(
        Line.plain(
            "live "
                + TopText.flows(shown.live())
                + "   leaked "
                + TopText.flows(shown.leaked())
                + (shown.dropped().count() > 0
                    ? "   dropped " + TopText.flows(shown.dropped())
                    : "")
                + "   direct live "
                + TopText.bytes(directLive(shown))));
    lines.add(
        Line.plain(
            "allocated "
                + TopText.count(shown.allocated())
                + allocationRate
                + "   paths "
                + TopText.count(shown.paths().size())
                + notes(shown)));
    lines.add(warning(shown));
  }

  private static String notes(Snapshot now) {
    return (now.sampling() > 1 ? "   1 in " + now.sampling() + " followed" : "")
        + (misuses(now) > 0 ? "   misuses " + TopText.count(misuses(now)) : "")
        + (now.overflowed() > 0 ? "   overflowed " + TopText.count(now.overflowed()) : "")
        + (now.suppressedErrors() > 0 ? "   errors " + TopText.count(now.suppressedErrors()) : "");
  }

  /** Empty while new buffers are followed and nothing is suspect. */
  private Line warning(Snapshot shown) {
    TrackerStatus.Stop stop = shown.status().stop();
    if (stop != null) {
      return new Line(
          "NOT FOLLOWING new buffers since "
              + TopText.time(stop.sinceMillis())
              + ": "
              + TopText.printable(stop.reason()),
          Line.Style.ALARM);
    }
    if (suspects.isEmpty()) {
      return Line.plain("");
    }
    long count = 0;
    long bytes = 0;
    for (int i = suspects.nextSetBit(0); i >= 0; i = suspects.nextSetBit(i + 1)) {
      Path.Flows live = shown.paths().get(i).live();
      count += live.count();
      bytes += live.bytes();
    }
    return new Line(
        TopText.flows(new Path.Flows(count, bytes))
            + " live on "
            + suspects.cardinality()
            + (suspects.cardinality() == 1 ? " suspect path" : " suspect paths")
            + ": growing and not released as others are",
        Line.Style.SUSPECT);
  }

  private List<PathRates.Row> rows() {
    List<PathRates.Row> rows = new ArrayList<>();
    String wanted = filter.toLowerCase(Locale.ROOT);
    for (PathRates.Row row : rates.rows(order)) {
      if (wanted.isEmpty() || names(row.path(), wanted)) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static boolean names(Path path, String wanted) {
    for (Path.Hop hop : path.hops()) {
      if (hop.site().toString().toLowerCase(Locale.ROOT).contains(wanted)) {
        return true;
      }
    }
    return false;
  }

  private Line line(String form, PathRates.Row row, String place) {
    Path path = row.path();
    boolean leaks = path.leaked().count() > 0;
    boolean suspect = suspects.get(row.index());
    String text =
        String.format(
            form,
            path.live().count() == 0 ? "-" : TopText.bytes(path.live().bytes()),
            path.live().count() == 0 ? "-" : TopText.count(path.live().count()),
            leaks ? TopText.bytes(path.leaked().bytes()) : "-",
            leaks ? TopText.count(path.leaked().count()) : "-",
            row.rate() < 0 ? "" : TopText.rate(row.rate()),
            path.oldestMillis() < 0 ? "-" : TopText.age(path.oldestMillis()),
            leaks ? LEAKS : suspect ? SUSPECT : "",
            place);
    if (leaks) {
      return new Line(text, Line.Style.LEAK);
    }
    boolean idle = path.live().count() == 0;
    return new Line(text, suspect ? Line.Style.SUSPECT : idle ? Line.Style.IDLE : Line.Style.PLAIN);
  }

  private static long misuses(Snapshot now) {
    return now.misuses().stream().mapToLong(Misuse::count).sum();
  }

  private static long directLive(Snapshot now) {
    return now.paths().stream().filter(Path::isDirect).mapToLong(p -> p.live().bytes()).sum();
  }
}
