package org.buftrail.it.states;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code /metrics}, and the meters of Micrometer and OpenTelemetry. */
final class MetricsReader {
  private static final Pattern SAMPLE =
      Pattern.compile("buftrail_(\\w+)(?:\\{(\\w+)=\"(.*)\"})? (\\S+)");

  /** Labels of figures that other surfaces have no sum of. */
  private static final Set<String> APART =
      Set.of("root", "pool", "call", "account", "le", "holder", "owner");

  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("buffers_allocated", "buffers"),
          Map.entry("allocated", "buffers"),
          Map.entry("buffers_released", "released"),
          Map.entry("buffers_leaked", "leaked"),
          Map.entry("leaked_bytes", "leakedBytes"),
          Map.entry("buffers_held", "held"),
          Map.entry("buffers_dropped", "dropped"),
          Map.entry("dropped_bytes", "droppedBytes"),
          Map.entry("buffers_live", "live"),
          Map.entry("live_bytes", "liveBytes"),
          Map.entry("suspect_paths", "suspects"),
          Map.entry("suppressed_errors", "errors"),
          Map.entry("resources_closed", "resource.released"),
          Map.entry("resources_leaked", "resource.leaked"),
          Map.entry("resources_live", "resource.live"));

  private MetricsReader() {}

  static Told prometheus(String text) {
    Told told = new Told();
    for (String line : text.lines().toList()) {
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches()) {
        String name = sample.group(1).replaceAll("_total$", "");
        if (name.equals("tracking_stopped_seconds")) {
          told.put("stopped: " + sample.group(3), 1);
        } else if (name.equals("tracking")) {
          put(told, "stopped", null, 1 - Long.parseLong(sample.group(4)));
        } else if (!APART.contains(String.valueOf(sample.group(2))) && !name.endsWith("_seconds")) {
          String memory = "memory".equals(sample.group(2)) ? sample.group(3) : null;
          put(told, NAMES.getOrDefault(name, name), memory, Long.parseLong(sample.group(4)));
        }
      }
    }
    return told;
  }

  /** Lines of {@code Meters}. */
  static Told meters(String text) {
    Told told = new Told();
    for (String line : text.lines().toList()) {
      String[] parts = line.split(" ", -1);
      String name = parts[0].replaceAll("^buftrail\\.", "").replace('.', '_');
      boolean isInBytes = parts[2].equals("bytes") || parts[2].equals("By");
      if (isInBytes != name.endsWith("_bytes")) {
        throw new AssertionError(line);
      }
      String memory = parts[1].equals("null") ? null : parts[1];
      put(told, NAMES.getOrDefault(name, name), memory, Long.parseLong(parts[3]));
    }
    return told;
  }

  private static void put(Told told, String name, @Nullable String memory, long value) {
    told.put(memory == null ? name : memory + "." + name, value);
  }
}
