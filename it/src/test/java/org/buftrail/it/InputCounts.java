package org.buftrail.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What the JDK's own reader finds in recordings: how many events, and who wrote them. */
final class InputCounts {
  /** Events that a sum counts, each once. */
  private static final Map<String, List<String>> COUNTED =
      Map.of(
          "pauses/count", List.of("jdk.GCPhasePause", "jdk.ExecuteVMOperation"),
          "exceptions/count", List.of("jdk.JavaExceptionThrow", "jdk.JavaErrorThrow"),
          "contentions/count",
              List.of(
                  "jdk.JavaMonitorEnter",
                  "jdk.JavaMonitorWait",
                  "jdk.ThreadPark",
                  "profiler.NativeLock"),
          "operations/count",
              List.of(
                  "jdk.SocketRead",
                  "jdk.SocketWrite",
                  "jdk.FileRead",
                  "jdk.FileWrite",
                  "jdk.FileForce"));

  private InputCounts() {}

  private static Map<String, Long> events(Path recording) throws IOException {
    Path plain = Files.createTempFile("judges", ".jfr");
    try {
      try (var in = Files.newInputStream(recording);
          var unpacked = recording.toString().endsWith(".gz") ? new GZIPInputStream(in) : in) {
        Files.copy(unpacked, plain, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      }
      Map<String, Long> events = new HashMap<>();
      try (RecordingFile file = new RecordingFile(plain)) {
        while (file.hasMoreEvents()) {
          RecordedEvent event = file.readEvent();
          String name = event.getEventType().getName();
          events.merge(name, 1L, Long::sum);
          if (name.equals("jdk.ActiveSetting") && "version".equals(event.getString("name"))) {
            events.put("async-profiler " + event.getString("value"), 1L);
          } else if (name.equals("jdk.JVMInformation")) {
            String version = event.getString("jvmVersion");
            events.put("JVM " + version.replaceAll(".*\\((\\d+)[^)]*\\).*", "$1"), 1L);
          }
        }
      }
      return events;
    } finally {
      Files.delete(plain);
    }
  }

  /** How the sums of an output differ from what was in; empty if not. */
  static String differences(Path recording, Map<String, Long> sums) {
    Map<String, Long> events;
    try {
      events = events(recording);
    } catch (IOException | RuntimeException | InternalError notReadable) {
      return "ok, but the JDK's reader does not read it";
    }
    StringBuilder wrong = new StringBuilder();
    COUNTED.forEach(
        (sum, names) -> {
          long in = names.stream().mapToLong(name -> events.getOrDefault(name, 0L)).sum();
          long out = sums.getOrDefault(sum, 0L);
          if (in != out) {
            wrong.append("refused: ").append(in).append(" in, ").append(out).append(" out: ");
            wrong.append(sum).append("; ");
          }
        });
    return wrong.toString();
  }

  /**
   * The writers of the recordings that were converted, with the number of each.
   *
   * @param outputs what came of them
   */
  static Map<String, Integer> writers(Path recordings, List<Path> outputs) throws IOException {
    Map<String, Integer> writers = new TreeMap<>();
    for (Path output : outputs) {
      String name = output.getFileName().toString().replaceAll("\\.otlp$", "");
      for (Path recording : Jury.files(recordings, ".jfr", ".jfr.gz", ".jfr.xz", ".jfr.zst")) {
        if (recording.getFileName().toString().startsWith(name + ".jfr")) {
          writers.merge(writer(recording), 1, Integer::sum);
        }
      }
    }
    return writers;
  }

  private static String writer(Path recording) {
    Map<String, Long> events;
    try {
      events = events(recording);
    } catch (IOException | RuntimeException | InternalError notReadable) {
      return "not read by the JDK's reader";
    }
    String profiler = "";
    String jvm = "no JVM named";
    for (String name : events.keySet()) {
      if (name.startsWith("async-profiler ")) {
        profiler = name + ", ";
      } else if (name.startsWith("datadog.")) {
        profiler = "Datadog, ";
      } else if (name.startsWith("JVM ")) {
        jvm = name.matches("JVM \\d+") ? "JDK" + name.substring(3) : "another JVM";
      }
    }
    return profiler + jvm;
  }
}
