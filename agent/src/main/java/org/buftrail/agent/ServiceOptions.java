package org.buftrail.agent;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.buftrail.agent.page.PageAddress;
import org.buftrail.agent.watch.Amounts;
import org.buftrail.agent.watch.SnapshotFiles;
import org.buftrail.agent.watch.Threshold;
import org.buftrail.profile.push.PushTarget;
import org.jspecify.annotations.Nullable;

/**
 * What the user asked for besides tracking. Immutable.
 *
 * <ul>
 *   <li>{@code jmx}: whether the management bean is registered; {@code true}
 *   <li>{@code snapshotDir}: where snapshots go by themselves: when memory runs out, when a
 *       threshold is passed, at intervals, at shutdown; {@code buftrail-snapshots} when one of the
 *       next two is given, else none are written
 *   <li>{@code every}: interval of snapshots, such as {@code 10m}
 *   <li>{@code alert}: thresholds, such as {@code liveBytes>512m,leaked>10}; of {@code liveBytes},
 *       {@code directBytes}, {@code leakedBytes}, {@code droppedBytes}, {@code live}, {@code
 *       leaked}, {@code dropped}, {@code oldest}
 *   <li>{@code snapshotFiles}, {@code snapshotBytes}: bounds of the directory; 100 and 256m
 *   <li>{@code http}: {@code PORT} or {@code HOST:PORT} of the live page, which is off without; the
 *       host is 127.0.0.1
 *   <li>{@code httpRemote}: whether the page may be reached from other hosts; {@code false}
 *   <li>{@code httpToken}: what requests must present, {@code off} for nothing (then only this host
 *       may ask); made anew at each start and printed when it is not given
 *   <li>{@code otlp}: URL of an OpenTelemetry receiver that flows are pushed to, or {@code on} for
 *       the one that {@code OTEL_EXPORTER_OTLP_ENDPOINT} names; see {@link PushTarget}
 *   <li>{@code metricsHandlers}: classes of the application that get figures, see {@link
 *       org.buftrail.flow.MetricsHandler}; {@code micrometer} and {@code opentelemetry} name those
 *       that are in the jar
 *   <li>{@code metricsEvery}: the interval of that; {@code 60s}
 *   <li>{@code otlpEvery}: interval of the pushes; {@code 60s}
 * </ul>
 */
final class ServiceOptions {
  private static final String DEFAULT_DIRECTORY = "buftrail-snapshots";
  private static final int DEFAULT_FILES = 100;
  private static final long DEFAULT_BYTES = 256L << 20;
  private static final long SHORTEST_MILLIS = 1_000;
  private static final long DEFAULT_REPORT_MILLIS = 60_000;

  private static final Map<String, String> HANDLERS_IN_THE_JAR =
      Map.of(
          "micrometer", "org.buftrail.metrics.FlowMeters",
          "opentelemetry", "org.buftrail.metrics.FlowInstruments");

  private static final List<String> KEYS =
      List.of(
          "jmx",
          "snapshotDir",
          "snapshotFiles",
          "snapshotBytes",
          "every",
          "alert",
          "http",
          "httpRemote",
          "httpToken",
          "otlp",
          "otlpEvery",
          "metricsHandlers",
          "metricsEvery");

  /** What was written, by option. */
  private final Map<String, String> written = new LinkedHashMap<>();

  final boolean jmx;
  final @Nullable Path snapshotDirectory;
  final int snapshotFiles;
  final long snapshotBytes;
  final long everyMillis;
  final List<Threshold> alerts;
  final @Nullable PageAddress page;
  final @Nullable PushTarget push;
  final long pushMillis;
  final List<String> metricsHandlers;
  final long metricsMillis;

  ServiceOptions(Settings settings, Map<String, String> environment) {
    for (String key : KEYS) {
      String text = settings.get(key);
      if (text != null) {
        written.put(key, text);
      }
    }
    jmx = settings.flag("jmx", true);
    snapshotFiles = settings.number("snapshotFiles", DEFAULT_FILES, 1, 1_000_000);
    snapshotBytes = settings.read("snapshotBytes", DEFAULT_BYTES, Amounts::bytes);
    everyMillis = interval(settings, "every", 0);
    alerts = settings.read("alert", List.of(), Threshold::parse);
    push =
        settings.readIfGiven(
            "otlp", to -> PushTarget.of(to.equals("on") ? null : to, "option 'otlp'", environment));
    pushMillis = interval(settings, "otlpEvery", DEFAULT_REPORT_MILLIS);
    metricsHandlers = settings.read("metricsHandlers", List.of(), ServiceOptions::classNames);
    metricsMillis = interval(settings, "metricsEvery", DEFAULT_REPORT_MILLIS);
    boolean remote = settings.flag("httpRemote", false);
    String token = settings.get("httpToken");
    page = settings.readIfGiven("http", at -> PageAddress.of(at, remote, token));
    List<Path> directories = settings.paths("snapshotDir");
    if (!directories.isEmpty()) {
      snapshotDirectory = directories.get(0);
    } else if (everyMillis > 0 || !alerts.isEmpty()) {
      snapshotDirectory = Paths.get(DEFAULT_DIRECTORY).toAbsolutePath();
    } else {
      snapshotDirectory = null;
    }
  }

  /** Where snapshots go; only where there is a directory for them. */
  SnapshotFiles snapshotFiles(Consumer<String> log) {
    return new SnapshotFiles(
        Objects.requireNonNull(snapshotDirectory), snapshotFiles, snapshotBytes, log);
  }

  /** The options that say something else here than in {@code running}, in their order. */
  List<String> differingFrom(ServiceOptions running) {
    List<String> differing = new ArrayList<>();
    written.forEach(
        (key, text) -> {
          if (!text.equals(running.written.get(key))) {
            differing.add(key);
          }
        });
    return differing;
  }

  static List<String> classNames(String text) {
    List<String> names = new ArrayList<>();
    for (String name : text.split(",", -1)) {
      if (!name.trim().isEmpty()) {
        names.add(HANDLERS_IN_THE_JAR.getOrDefault(name.trim(), name.trim()));
      }
    }
    return names;
  }

  private static long interval(Settings settings, String key, long absent) {
    long millis = settings.read(key, absent, Amounts::millis);
    if (millis < SHORTEST_MILLIS && millis != absent) {
      throw new IllegalArgumentException(
          settings.name(key) + " is '" + settings.get(key) + "': it must be 1s or more");
    }
    return millis;
  }
}
