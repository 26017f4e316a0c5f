package org.buftrail.benchmarks.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.netty.util.Version;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Everything about one run that somebody would need to believe or to repeat it, as JSON. */
final class ResultFile {
  static final String FORMAT = "buftrail.benchmarks";
  static final int VERSION = 1;

  private final Map<String, Object> root = new LinkedHashMap<>();

  ResultFile(List<String> command, Instant startedAt, Request request) {
    root.put("format", FORMAT);
    root.put("version", VERSION);
    root.put("command", withoutPlaces(command));
    root.put("startedAt", startedAt.toString());
    root.put("machine", machine());
    root.put("netty", nettyVersion());
    root.put("threads", request.nettyThreads() ? "FastThreadLocal" : "plain");
    root.put("note", request.note());
  }

  /** Where this machine keeps its files is nothing that others could repeat. */
  private static List<String> withoutPlaces(List<String> command) {
    List<String> kept = new ArrayList<>(command);
    for (String option : List.of("--output", "--agent", "--other")) {
      int at = kept.indexOf(option);
      if (at >= 0) {
        kept.subList(at, Math.min(at + 2, kept.size())).clear();
      }
    }
    return kept;
  }

  private static Map<String, Object> machine() {
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("arch", System.getProperty("os.arch"));
    machine.put("processors", Runtime.getRuntime().availableProcessors());
    machine.put("model", processorModel());
    machine.put(
        "loadAverageAtEnd", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    return machine;
  }

  private static String processorModel() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String nettyVersion() {
    Version version = Version.identify().get("netty-buffer");
    return version == null ? "unknown" : version.artifactVersion();
  }

  void add(Comparison comparison) {
    List<Object> measured = new ArrayList<>();
    for (Measurement m : comparison.all()) {
      root.putIfAbsent("jdk", m.jdk);
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("benchmark", m.benchmark);
      one.put("arm", m.arm.label());
      one.put("unit", m.unit);
      one.put("threads", m.threads);
      putSpread(one, "score", m.scores());
      putSpread(one, "workerCpuNanos", m.cpu());
      putSpread(one, "processCpuNanos", m.process());
      putSpread(one, "bytesPerOperation", m.bytes());
      putSpread(one, "p99", m.tail());
      putSpread(one, "worstPauseMicros", m.pauses());
      Measurement base = comparison.get(m.benchmark, Arm.NONE);
      if (base != null && base != m) {
        putSpread(one, "ratioToNone", m.ratioTo(base));
      }
      one.put("rounds", m.rounds.stream().map(ResultFile::round).toList());
      measured.add(one);
    }
    root.put("measured", measured);
    root.put("floors", floors(comparison));
  }

  private static Map<String, Object> round(Measurement.Round round) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("scores", round.scores());
    if (!round.cpu().isEmpty()) {
      one.put("workerCpuNanos", round.cpu());
    }
    if (!round.process().isEmpty()) {
      one.put("processCpuNanos", round.process());
    }
    if (!Double.isNaN(round.bytes())) {
      one.put("bytesPerOperation", round.bytes());
    }
    if (!Double.isNaN(round.tail())) {
      one.put("p99", round.tail());
    }
    if (!round.pauses().isEmpty()) {
      one.put("worstPauseMicros", round.pauses());
    }
    if (!round.counted().isEmpty()) {
      one.put("counted", round.counted());
    }
    return one;
  }

  private static void putSpread(Map<String, Object> to, String name, Spread spread) {
    if (spread.isKnown()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("median", spread.median());
      one.put("least", spread.least());
      one.put("greatest", spread.greatest());
      one.put("lowerQuartile", spread.lower());
      one.put("upperQuartile", spread.upper());
      to.put(name, one);
    }
  }

  private static List<Object> floors(Comparison comparison) {
    List<Object> floors = new ArrayList<>();
    for (Floor.Verdict v : comparison.verdicts()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("benchmark", v.floor().benchmark());
      one.put("arm", v.floor().arm().label());
      one.put("against", v.floor().against().label());
      one.put("atMost", v.floor().text());
      putSpread(one, "ratio", v.ratio());
      one.put("bytesMore", v.bytes());
      one.put("met", v.isMet());
      floors.add(one);
    }
    for (Comparison.Derived d : comparison.derived()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", d.name());
      one.put("value", d.value());
      one.put("met", d.isMet());
      floors.add(one);
    }
    return floors;
  }

  void add(List<Startup.Result> results) {
    List<Object> startup = new ArrayList<>();
    for (Startup.Result r : results) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("program", r.program());
      r.millis()
          .forEach(
              (arm, millis) -> {
                Map<String, Object> measured = new LinkedHashMap<>();
                putSpread(measured, "millis", millis);
                putSpread(measured, "cpuMillis", r.cpuMillis().getOrDefault(arm, Spread.NONE));
                measured.put("addedMillis", r.added(r.millis(), arm));
                measured.put("addedCpuMillis", r.added(r.cpuMillis(), arm));
                one.put(arm.label(), measured);
              });
      startup.add(one);
    }
    root.put("startup", startup);
  }

  /** Replaces what is at {@code file}, whole. */
  void write(Path file) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(temporary.toFile(), root);
    Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
  }
}
