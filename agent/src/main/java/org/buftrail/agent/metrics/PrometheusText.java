package org.buftrail.agent.metrics;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.buftrail.flow.LeakPaths;
import org.buftrail.flow.Path;
import org.buftrail.flow.Snapshot;
import org.buftrail.flow.Suspects;
import org.buftrail.flow.TrackerStatus;
import org.jspecify.annotations.Nullable;

/**
 * Totals in the text format that Prometheus scrapes, version 0.0.4.
 *
 * <p>Labels are the memory, the root and the type of a resource alone: a few dozen series however
 * many paths there are. Thread-safe.
 */
public final class PrometheusText {
  /** The content type. */
  public static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /**
   * The highest value told, by name and labels. What was counted may be taken off again, as a
   * buffer that is kept for ever, or a leak that turns out to be held by another; a counter must
   * not fall.
   */
  private final Map<String, Long> highest = new ConcurrentHashMap<>();

  /**
   * Writes all metrics.
   *
   * @param all everything since the start, whatever was reset
   * @throws IOException when {@code out} does
   */
  public void write(Snapshot all, Appendable out) throws IOException {
    Text text = new Text(out, highest);
    buffers(all, text);
    resources(all, text);
    tracker(all, text);
    threads(all.status(), text);
  }

  private static void threads(TrackerStatus status, Text text) throws IOException {
    if (status.threads().isEmpty()) {
      return;
    }
    text.head(
        "buftrail_thread_failures_total", "counter", "Rounds of the agent's threads that failed.");
    for (TrackerStatus.ThreadHealth thread : status.threads()) {
      text.value("{thread=\"" + Text.escape(thread.name()) + "\"}", thread.failures());
    }
    text.head(
        "buftrail_thread_last_round_seconds",
        "gauge",
        "When each of the agent's threads last did its work, since the epoch; 0 for never.");
    for (TrackerStatus.ThreadHealth thread : status.threads()) {
      long seconds = Math.max(0, thread.lastRoundMillis()) / 1_000;
      text.value("{thread=\"" + Text.escape(thread.name()) + "\"}", seconds);
    }
  }

  private static void buffers(Snapshot all, Text text) throws IOException {
    long others =
        all.paths().stream().filter(path -> path.resource() != null).mapToLong(Path::flows).sum();
    text.head("buftrail_buffers_allocated_total", "counter", "Netty buffers allocated.");
    text.value("", all.allocated() - others);
    text.byMemory(
        all,
        "buffers_released_total",
        "counter",
        "Netty buffers released.",
        path -> path.released().count());
    text.byMemory(
        all,
        "buffers_leaked_total",
        "counter",
        "Netty buffers that leaked: collected without the release that they needed.",
        path -> path.leaked().count());
    text.byMemory(
        all,
        "leaked_bytes_total",
        "counter",
        "Bytes of the leaked buffers and of what they held.",
        path -> path.leaked().bytes());
    text.byMemory(
        all,
        "buffers_held_total",
        "counter",
        "Netty buffers that leaked within others, which are counted as leaked.",
        Path::held);
    text.byMemory(
        all,
        "buffers_dropped_total",
        "counter",
        "Netty buffers collected without a release, with nothing lost: no leaks.",
        path -> path.dropped().count());
    text.byMemory(
        all,
        "dropped_bytes_total",
        "counter",
        "Bytes of the dropped buffers.",
        path -> path.dropped().bytes());
    text.byMemory(
        all, "buffers_live", "gauge", "Netty buffers that are alive.", path -> path.live().count());
    text.byMemory(
        all,
        "live_bytes",
        "gauge",
        "Bytes of the buffers that are alive.",
        path -> path.live().bytes());
    text.byRoot(
        all,
        "root_live_bytes",
        "gauge",
        "Bytes that are alive, by where they came from.",
        path -> path.live().bytes());
    text.byRoot(
        all,
        "root_leaked_bytes_total",
        "counter",
        "Bytes leaked, by where they came from.",
        path -> path.leaked().bytes());
  }

  /** What else is followed, where something is. */
  private static void resources(Snapshot all, Text text) throws IOException {
    text.byResource(
        all,
        "resources_closed_total",
        "counter",
        "Files, connections and the like that were closed.",
        path -> path.released().count());
    text.byResource(
        all,
        "resources_leaked_total",
        "counter",
        "Files, connections and the like that were collected without having been closed.",
        path -> path.leaked().count());
    text.byResource(
        all,
        "resources_live",
        "gauge",
        "Files, connections and the like that are open.",
        path -> path.live().count());
  }

  private static void tracker(Snapshot all, Text text) throws IOException {
    text.head("buftrail_oldest_live_seconds", "gauge", "Age of the oldest live flow.");
    text.seconds("", oldestMillis(all));
    text.head("buftrail_leak_paths", "gauge", "Paths on which something leaked.");
    text.value("", LeakPaths.of(all.paths()).size());
    text.head(
        "buftrail_suspect_paths", "gauge", "Paths that grow, are old, and are hardly released.");
    text.value("", Suspects.of(all).size());
    text.head("buftrail_paths", "gauge", "Paths on which flows ended or are.");
    text.value("", all.paths().size());
    text.head("buftrail_sampling", "gauge", "N where 1 in N allocations is followed.");
    text.value("", all.sampling());
    text.head("buftrail_overflowed_total", "counter", "Flows that went past a bound.");
    text.value("", all.overflowed());
    text.head("buftrail_suppressed_errors_total", "counter", "Errors inside the tracker.");
    text.value("", all.suppressedErrors());
    text.head("buftrail_lost_releases_total", "counter", "Releases counted later than they were.");
    text.value("", all.status().lostReleases());
    TrackerStatus.@Nullable Stop stop = all.status().stop();
    text.head("buftrail_tracking", "gauge", "Whether new buffers are followed: 1 or 0.");
    text.value("", stop == null ? 1 : 0);
    if (stop != null) {
      text.head(
          "buftrail_tracking_stopped_seconds",
          "gauge",
          "Since when and why not, as seconds since the epoch.");
      text.seconds("{reason=\"" + Text.escape(stop.reason()) + "\"}", stop.sinceMillis());
    }
  }

  private static long oldestMillis(Snapshot all) {
    return Math.max(0, all.paths().stream().mapToLong(Path::oldestMillis).max().orElse(0));
  }

  private static final class Text {
    private final Appendable out;
    private final Map<String, Long> highest;
    private String name = "";
    private boolean isCounter;

    Text(Appendable out, Map<String, Long> highest) {
      this.out = out;
      this.highest = highest;
    }

    void head(String metric, String type, String help) throws IOException {
      name = metric;
      isCounter = type.equals("counter");
      out.append("# HELP ").append(name).append(' ').append(help).append('\n');
      out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    void value(String labels, long value) throws IOException {
      long told = isCounter ? highest.merge(name + labels, value, Math::max) : value;
      out.append(name).append(labels).append(' ').append(Long.toString(told)).append('\n');
    }

    void seconds(String labels, long millis) throws IOException {
      String seconds = Double.toString(millis / 1e3);
      out.append(name).append(labels).append(' ').append(seconds).append('\n');
    }

    void byMemory(
        Snapshot all, String metric, String type, String help, ToLongFunction<Path> figure)
        throws IOException {
      Map<String, Long> sums = new LinkedHashMap<>();
      sums.put("direct", 0L);
      sums.put("heap", 0L);
      sum(all, Text::memory, figure, sums);
      series(metric, type, help, "memory", sums);
    }

    void byRoot(Snapshot all, String metric, String type, String help, ToLongFunction<Path> figure)
        throws IOException {
      Map<String, Long> sums = new TreeMap<>();
      sum(all, Text::root, figure, sums);
      series(metric, type, help, "root", sums);
    }

    void byResource(
        Snapshot all, String metric, String type, String help, ToLongFunction<Path> figure)
        throws IOException {
      Map<String, Long> sums = new TreeMap<>();
      sum(all, Path::resource, figure, sums);
      if (!sums.isEmpty()) {
        series(metric, type, help, "type", sums);
      }
    }

    private static @Nullable String memory(Path path) {
      return path.resource() != null ? null : path.isDirect() ? "direct" : "heap";
    }

    private static @Nullable String root(Path path) {
      return path.resource() != null ? null : path.hops().get(0).site().hop();
    }

    /** Adds up the paths that have a label. */
    private static void sum(
        Snapshot all,
        Function<Path, @Nullable String> label,
        ToLongFunction<Path> figure,
        Map<String, Long> sums) {
      for (Path path : all.paths()) {
        String key = label.apply(path);
        if (key != null) {
          sums.merge(key, figure.applyAsLong(path), Long::sum);
        }
      }
    }

    private void series(
        String metric, String type, String help, String label, Map<String, Long> sums)
        throws IOException {
      head("buftrail_" + metric, type, help);
      for (Map.Entry<String, Long> sum : sums.entrySet()) {
        value("{" + label + "=\"" + escape(sum.getKey()) + "\"}", sum.getValue());
      }
    }

    private static String escape(String text) {
      return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
  }
}
