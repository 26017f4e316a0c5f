package org.buftrail.agent.options;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.buftrail.agent.page.PageAddress;
import org.buftrail.agent.watch.SnapshotFiles;
import org.buftrail.agent.watch.Threshold;
import org.buftrail.options.Option;
import org.buftrail.profile.push.PushTarget;
import org.jspecify.annotations.Nullable;

/** The user's options besides tracking: the {@link Option}s of services. Immutable. */
public final class ServiceOptions {
  private static final String DEFAULT_DIRECTORY = "buftrail-snapshots";

  private static final Map<String, String> HANDLERS_IN_THE_JAR =
      Map.of(
          "micrometer", "org.buftrail.metrics.FlowMeters",
          "opentelemetry", "org.buftrail.metrics.FlowInstruments");

  /** The text of each option as written. */
  private final Map<Option, String> written = new EnumMap<>(Option.class);

  /** The options as they may be shown, {@code key=value} each. */
  private final List<String> shown;

  public final boolean jmx;
  public final @Nullable Path snapshotDirectory;
  final int snapshotFiles;
  final long snapshotBytes;
  public final long everyMillis;
  public final List<Threshold> alerts;
  public final @Nullable PageAddress page;
  public final @Nullable PushTarget push;
  public final long pushMillis;
  public final List<String> metricsHandlers;
  public final long metricsMillis;

  ServiceOptions(Settings settings, Map<String, String> environment) {
    for (Option option : Option.values()) {
      String text = settings.written(option);
      if (option.isOfServices() && text != null) {
        written.put(option, text);
      }
    }
    shown = settings.written(true);
    jmx = settings.flag(Option.JMX);
    snapshotFiles = settings.number(Option.SNAPSHOT_FILES);
    snapshotBytes = settings.bytes(Option.SNAPSHOT_BYTES);
    everyMillis = settings.millis(Option.EVERY);
    alerts = settings.read(Option.ALERT, List.of(), Threshold::parse);
    push =
        settings.readIfGiven(
            Option.OTLP,
            to -> PushTarget.of(to.equals("on") ? null : to, "option 'otlp'", environment));
    pushMillis = settings.millis(Option.OTLP_EVERY);
    metricsHandlers = settings.read(Option.METRICS_HANDLERS, List.of(), ServiceOptions::classNames);
    metricsMillis = settings.millis(Option.METRICS_EVERY);
    boolean remote = settings.flag(Option.HTTP_REMOTE);
    String token = settings.get(Option.HTTP_TOKEN);
    page = settings.readIfGiven(Option.HTTP, at -> PageAddress.of(at, remote, token));
    List<Path> directories = settings.paths(Option.SNAPSHOT_DIR);
    if (!directories.isEmpty()) {
      snapshotDirectory = directories.get(0);
    } else if (everyMillis > 0 || !alerts.isEmpty()) {
      snapshotDirectory = Paths.get(DEFAULT_DIRECTORY).toAbsolutePath();
    } else {
      snapshotDirectory = null;
    }
  }

  /** Where snapshots go; only where there is a directory for them. */
  public SnapshotFiles snapshotFiles(Consumer<String> log) {
    return new SnapshotFiles(
        Objects.requireNonNull(snapshotDirectory), snapshotFiles, snapshotBytes, log);
  }

  /** The options as written, {@code key=value} each, without secrets. */
  List<String> shown() {
    return shown;
  }

  /** The options that say something else here than in {@code running}, in their order. */
  public List<String> differingFrom(ServiceOptions running) {
    List<String> differing = new ArrayList<>();
    written.forEach(
        (option, text) -> {
          if (!text.equals(running.written.get(option))) {
            differing.add(option.key());
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
}
