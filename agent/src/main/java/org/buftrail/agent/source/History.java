package org.buftrail.agent.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.model.Path;
import org.buftrail.model.PathKey;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.json.JsonOut;

/**
 * The last hour in steps of a few seconds: totals, and the paths that hold or have leaked most,
 * with the bytes that live, have leaked and were allocated. Bounded at a megabyte. Thread-safe.
 */
public final class History {
  /** The distance of two points. */
  public static final long STEP_MILLIS = 5_000;

  static final int POINTS = 720;

  /** Paths that are followed; the page shows {@link #SHOWN} of them. */
  private static final int FOLLOWED = 40;

  private static final int ENTERING = 12;
  private static final int SHOWN = 8;

  private final long[] times = new long[POINTS];
  private final long[] liveDirect = new long[POINTS];
  private final long[] liveHeap = new long[POINTS];
  private final long[] leaked = new long[POINTS];
  private final long[] allocated = new long[POINTS];
  private final Map<PathKey, Series> followed = new HashMap<>();
  private int next;
  private int size;

  private static final class Series {
    final String hops;
    final String memory;
    final long[] live = new long[POINTS];
    final long[] leaked = new long[POINTS];
    final long[] allocated = new long[POINTS];

    Series(Path path) {
      StringBuilder text = new StringBuilder();
      for (Path.Hop hop : path.hops()) {
        text.append(text.length() == 0 ? "" : " > ").append(hop.site());
      }
      this.hops = text.toString();
      this.memory = path.resource() != null ? "resource" : path.isDirect() ? "direct" : "heap";
    }

    void set(int at, Path path) {
      live[at] = path.live().bytes();
      leaked[at] = path.leaked().bytes();
      allocated[at] = History.allocated(path);
    }

    /** For a path of which nothing lives or leaked: what it allocated is not looked for. */
    void clear(int at, int before, boolean reset) {
      live[at] = 0;
      leaked[at] = 0;
      allocated[at] = reset ? 0 : allocated[before];
    }

    /** The most that it held or had leaked at a time. */
    long peak() {
      long peak = 0;
      for (int i = 0; i < POINTS; i++) {
        peak = Math.max(peak, live[i] + leaked[i]);
      }
      return peak;
    }
  }

  /** Adds a point, unless somebody has just added a younger one. */
  public synchronized void look(Snapshot now) {
    if (size > 0 && isJustBefore(now.takenAtMillis(), times[(next + POINTS - 1) % POINTS])) {
      return;
    }
    int at = next;
    next = (next + 1) % POINTS;
    size = Math.min(size + 1, POINTS);
    times[at] = now.takenAtMillis();
    allocated[at] = 0;
    leaked[at] = now.leaked().bytes();
    liveDirect[at] = 0;
    liveHeap[at] = 0;
    for (Path path : now.paths()) {
      if (path.resource() == null) {
        (path.isDirect() ? liveDirect : liveHeap)[at] += path.live().bytes();
        allocated[at] += allocated(path);
      }
    }
    int before = (at + POINTS - 1) % POINTS;
    boolean reset = allocated[at] < allocated[before];
    for (Series series : followed.values()) {
      series.clear(at, before, reset);
    }
    follow(now, at);
    forget();
  }

  /** By less than a step: after more than that, somebody has set the clock back. */
  private static boolean isJustBefore(long time, long last) {
    return time < last && last - time < STEP_MILLIS;
  }

  private static long allocated(Path path) {
    return path.released().bytes()
        + path.leaked().bytes()
        + path.dropped().bytes()
        + path.live().bytes();
  }

  private static long kept(Path path) {
    return path.live().bytes() + path.leaked().bytes();
  }

  private void follow(Snapshot now, int at) {
    List<Path> keeping = new ArrayList<>();
    for (Path path : now.paths()) {
      if (kept(path) > 0) {
        keeping.add(path);
      }
    }
    // Most starts have none yet, and would link the comparator for nothing.
    if (keeping.size() > 1) {
      keeping.sort(Comparator.comparingLong(path -> -kept(path)));
    }
    int rank = 0;
    for (Path path : keeping) {
      PathKey key = new PathKey(path);
      Series series = followed.get(key);
      if (series == null && rank < ENTERING) {
        series = new Series(path);
        followed.put(key, series);
      }
      if (series != null) {
        series.set(at, path);
      }
      rank++;
    }
  }

  private void forget() {
    for (Iterator<Series> all = followed.values().iterator(); all.hasNext(); ) {
      if (all.next().peak() == 0) {
        all.remove();
      }
    }
    if (followed.size() > FOLLOWED) {
      List<Map.Entry<PathKey, Series>> all = new ArrayList<>(followed.entrySet());
      all.sort(Comparator.comparingLong(entry -> entry.getValue().peak()));
      for (int i = 0; i < all.size() - FOLLOWED; i++) {
        followed.remove(all.get(i).getKey());
      }
    }
  }

  /**
   * Writes {@code {"times":[..],"liveDirect":[..],..,"paths":[{"hops":..,"live":[..]},..]}}, the
   * oldest point first, the path with the highest peak first.
   *
   * <p>A reader may be slow, or stop: {@link #look} does not wait for it.
   *
   * @throws IOException when {@code json} does
   */
  public void write(JsonOut json) throws IOException {
    shown().write(json);
  }

  private synchronized Shown shown() {
    Map<String, long[]> totals = new LinkedHashMap<>();
    totals.put("times", inOrder(times));
    totals.put("liveDirect", inOrder(liveDirect));
    totals.put("liveHeap", inOrder(liveHeap));
    totals.put("leaked", inOrder(leaked));
    totals.put("allocated", inOrder(allocated));
    List<Series> worst = new ArrayList<>(followed.values());
    if (worst.size() > 1) {
      worst.sort(Comparator.comparingLong(Series::peak).reversed().thenComparing(s -> s.hops));
    }
    List<ShownPath> paths = new ArrayList<>();
    for (Series series : worst.subList(0, Math.min(SHOWN, worst.size()))) {
      Map<String, long[]> amounts = new LinkedHashMap<>();
      amounts.put("live", inOrder(series.live));
      amounts.put("leaked", inOrder(series.leaked));
      amounts.put("allocated", inOrder(series.allocated));
      paths.add(new ShownPath(series.hops, series.memory, amounts));
    }
    return new Shown(totals, paths);
  }

  /** A copy of a ring, the oldest point first. */
  private long[] inOrder(long[] ring) {
    long[] points = new long[size];
    for (int i = 0; i < size; i++) {
      points[i] = ring[(next - size + i + POINTS) % POINTS];
    }
    return points;
  }

  /** A copy of what is written. */
  private static final class Shown {
    private final Map<String, long[]> totals;
    private final List<ShownPath> paths;

    Shown(Map<String, long[]> totals, List<ShownPath> paths) {
      this.totals = totals;
      this.paths = paths;
    }

    void write(JsonOut json) throws IOException {
      json.beginObject();
      json.name("stepMillis").value(STEP_MILLIS);
      arrays(json, totals);
      json.name("paths").beginArray();
      for (ShownPath path : paths) {
        json.beginObject().name("hops").value(path.hops).name("memory").value(path.memory);
        arrays(json, path.amounts);
        json.endObject();
      }
      json.endArray().endObject();
    }

    private static void arrays(JsonOut json, Map<String, long[]> all) throws IOException {
      for (Map.Entry<String, long[]> each : all.entrySet()) {
        json.name(each.getKey()).beginArray();
        for (long value : each.getValue()) {
          json.value(value);
        }
        json.endArray();
      }
    }
  }

  private static final class ShownPath {
    final String hops;
    final String memory;
    final Map<String, long[]> amounts;

    ShownPath(String hops, String memory, Map<String, long[]> amounts) {
      this.hops = hops;
      this.memory = memory;
      this.amounts = amounts;
    }
  }
}
