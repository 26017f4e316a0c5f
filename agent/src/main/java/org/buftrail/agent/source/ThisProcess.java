package org.buftrail.agent.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackedProcess;
import org.buftrail.profile.push.OtelVariables;
import org.jspecify.annotations.Nullable;

/** Snapshots of this JVM that say whose they are. Asks no name service. Thread-safe. */
public final class ThisProcess implements Supplier<Snapshot> {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  /** What others could get in with, should it be in the value of any option. */
  private static final Pattern SECRET =
      Pattern.compile("(?i)([a-z]*(?:token|header|password|secret|key)[a-z]*=)[^;]*");

  /** A user and a password within an address. */
  private static final Pattern USER = Pattern.compile("(://)[^/@;\\s]*@");

  private final Supplier<@Nullable PoolMemory> pools;
  private final MinuteStore minutes =
      new MinuteStore(System.currentTimeMillis(), FlowTracker.INSTANCE::path);
  private String options;
  private @Nullable TrackedProcess known;

  /**
   * @param options as they may be shown, {@code key=value;key=value}
   */
  public ThisProcess(String options) {
    this(options, () -> null);
  }

  /**
   * @param options as they may be shown, {@code key=value;key=value}
   * @param pools asks the allocators what they keep
   */
  public ThisProcess(String options, Supplier<@Nullable PoolMemory> pools) {
    this.options = options;
    this.pools = pools;
  }

  /** Runs with other options from now on. */
  public synchronized void runWith(String others) {
    options = others;
    known = null;
    process();
  }

  /** Everything known now. */
  @Override
  public Snapshot get() {
    return FlowTracker.INSTANCE.snapshot().of(process());
  }

  /**
   * The memory that the allocators keep now, and the buffers that hold it; null if no allocator can
   * be asked.
   */
  public @Nullable PoolMemory pools() {
    try {
      return pools.get();
    } catch (RuntimeException | Error e) {
      // The rest is reported all the same.
      Suppressed.add(e);
      return null;
    }
  }

  /** What happened minute by minute. */
  public MinuteStore minutes() {
    return minutes;
  }

  /** Everything known now, with what allocators keep and what happened before. */
  public Snapshot whole() {
    Snapshot now = get();
    return now.with(pools()).with(minutes.upTo(now));
  }

  /** Found out once: later there may be no file to open. */
  public synchronized TrackedProcess process() {
    TrackedProcess process = known;
    if (process == null) {
      process =
          new TrackedProcess(
                  name(System.getenv(), System.getProperty("sun.java.command", "")),
                  ProcessHandle.current().pid(),
                  hostName(),
                  ProcessHandle.current()
                      .info()
                      .startInstant()
                      .map(Instant::toEpochMilli)
                      .orElse(org.buftrail.model.Path.NEVER),
                  System.getProperty("java.version", ""),
                  withoutSecrets(options))
              .withVersion(resource(System.getenv(), "service.version"));
      known = process;
    }
    return process;
  }

  static String withoutSecrets(String options) {
    return USER.matcher(SECRET.matcher(options).replaceAll("$1…")).replaceAll("$1…@");
  }

  /**
   * A resource attribute from the environment, as OpenTelemetry reads it; empty if there is none.
   */
  private static String resource(Map<String, String> environment, String key) {
    try {
      return OtelVariables.resource(environment).getOrDefault(key, "");
    } catch (IllegalArgumentException e) {
      // Said by who pushes.
      return "";
    }
  }

  /** The service as OpenTelemetry calls it, else the simple name of the main class or the jar. */
  static String name(Map<String, String> environment, String command) {
    String service = resource(environment, "service.name");
    if (!service.isEmpty()) {
      return service;
    }
    String main = command.split(" ", 2)[0];
    String last = main.substring(Math.max(main.lastIndexOf('/'), main.lastIndexOf('\\')) + 1);
    return last.endsWith(".jar") ? last : last.substring(last.lastIndexOf('.') + 1);
  }

  /** The host as it calls itself; empty where it does not. */
  public static String hostName() {
    try {
      return Files.readString(HOST_NAME, StandardCharsets.UTF_8).trim();
    } catch (IOException | RuntimeException e) {
      String name = System.getenv("COMPUTERNAME");
      return name == null ? "" : name;
    }
  }
}
