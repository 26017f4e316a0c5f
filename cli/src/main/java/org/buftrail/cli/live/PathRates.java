package org.buftrail.cli.live;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.model.Path;
import org.buftrail.model.PathKey;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;

/** Paths up to the call site or last hop, with what happened on them between two snapshots. */
final class PathRates {
  /** By what the rows are sorted. */
  enum Order {
    LIVE,
    LEAKED,
    RATE;

    /** The one after it, in turn. */
    Order next() {
      return switch (this) {
        case LIVE -> LEAKED;
        case LEAKED -> RATE;
        case RATE -> LIVE;
      };
    }
  }

  /**
   * One path. Rates are for a second, negative before there is a second snapshot.
   *
   * @param index of the path in its snapshot
   */
  record Row(Path path, int index, double rate, double leakRate) {}

  private final Map<PathKey, Path> before = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();
  private long beforeMillis = Long.MIN_VALUE;

  /** Takes a snapshot; rates are against the one given before it. */
  void update(Snapshot now) {
    double seconds = (now.takenAtMillis() - beforeMillis) / 1e3;
    boolean first = beforeMillis == Long.MIN_VALUE || seconds <= 0;
    Map<PathKey, Path> seen = new HashMap<>();
    rows.clear();
    for (int i = 0; i < now.paths().size(); i++) {
      Path path = now.paths().get(i);
      PathKey key = new PathKey(path);
      seen.put(key, path);
      Path old = before.get(key);
      rows.add(
          first
              ? new Row(path, i, -1, -1)
              : new Row(
                  path,
                  i,
                  Math.max(0, total(path) - total(old)) / seconds,
                  Math.max(0, leaked(path) - leaked(old)) / seconds));
    }
    before.clear();
    before.putAll(seen);
    beforeMillis = now.takenAtMillis();
  }

  /** A row for each path of the snapshot taken last. A view. */
  List<Row> rows(Order order) {
    rows.sort(comparator(order));
    return rows;
  }

  private static Comparator<Row> comparator(Order order) {
    // Resources have no bytes, and yet are live.
    Comparator<Row> live =
        Comparator.comparing((Row row) -> row.path().live().count() == 0)
            .thenComparingLong(row -> -row.path().live().bytes())
            .thenComparingLong(row -> -row.path().live().count());
    Comparator<Row> leaked = Comparator.comparingLong(row -> -row.path().leaked().bytes());
    Comparator<Row> rate = Comparator.comparingDouble(row -> -row.rate());
    Comparator<Row> names = Comparator.comparing(row -> text(row.path()));
    return switch (order) {
      case LIVE -> live.thenComparing(leaked).thenComparing(names);
      case LEAKED -> leaked.thenComparing(live).thenComparing(names);
      case RATE -> rate.thenComparing(live).thenComparing(names);
    };
  }

  private static long total(@Nullable Path path) {
    return path == null ? 0 : path.flows();
  }

  private static long leaked(@Nullable Path path) {
    return path == null ? 0 : path.leaked().count();
  }

  private static String text(Path path) {
    StringBuilder text = new StringBuilder(path.isDirect() ? "d" : "h");
    for (Path.Hop hop : path.hops()) {
      text.append('>').append(hop.site()).append(hop.refs());
    }
    return text.toString();
  }
}
