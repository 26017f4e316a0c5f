package org.buftrail.agent.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.flow.Path;
import org.buftrail.flow.Snapshot;
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

  /** Adds a point. */
  public synchronized void look(Snapshot now) {
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
    followed.values().forEach(series -> series.clear(at, before, reset));
    follow(now, at);
    forget();
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
    keeping.sort(Comparator.comparingLong(path -> -kept(path)));
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
    followed.values().removeIf(series -> series.peak() == 0);
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
   * @throws IOException when {@code json} does
   */
  public synchronized void write(JsonOut json) throws IOException {
    json.beginObject();
    json.name("stepMillis").value(STEP_MILLIS);
    array(json, "times", times);
    array(json, "liveDirect", liveDirect);
    array(json, "liveHeap", liveHeap);
    array(json, "leaked", leaked);
    array(json, "allocated", allocated);
    json.name("paths").beginArray();
    List<Series> worst = new ArrayList<>(followed.values());
    worst.sort(Comparator.comparingLong(Series::peak).reversed().thenComparing(s -> s.hops));
    for (Series series : worst.subList(0, Math.min(SHOWN, worst.size()))) {
      json.beginObject().name("hops").value(series.hops).name("memory").value(series.memory);
      array(json, "live", series.live);
      array(json, "leaked", series.leaked);
      array(json, "allocated", series.allocated);
      json.endObject();
    }
    json.endArray().endObject();
  }

  private void array(JsonOut json, String name, long[] ring) throws IOException {
    json.name(name).beginArray();
    for (int i = 0; i < size; i++) {
      json.value(ring[(next - size + i + POINTS) % POINTS]);
    }
    json.endArray();
  }
}
