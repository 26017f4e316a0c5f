package org.buftrail.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the JDK's {@code jfr print} says of the events of a recording. */
final class PrintedEvents {
  private static final Pattern CONTEXT = Pattern.compile("  Context: (\\S+) = (.*)");
  private static final Pattern START = Pattern.compile("  startTime = (\\S+) \\((\\S+)\\)");
  private static final Pattern DURATION = Pattern.compile("  duration = (\\S+) s");
  private static final Pattern THREAD =
      Pattern.compile("  eventThread = .*\\(javaThreadId = (\\d+).*");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSSSSS", Locale.ROOT);

  private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

  private PrintedEvents() {}

  /**
   * One event.
   *
   * @param type name of its type
   * @param thread number of its thread; empty if it has none
   * @param start nanoseconds since the epoch, of the clock of that place
   * @param nanos its duration
   * @param contexts the innermost value of each contextual field
   */
  record Event(String type, String thread, long start, long nanos, Map<String, String> contexts) {}

  /** All events of these types. */
  static List<Event> of(Path javaHome, Path recording, List<String> types)
      throws IOException, InterruptedException {
    Path tool = javaHome.resolve("bin").resolve("jfr");
    Process process =
        new ProcessBuilder(
                tool.toString(),
                "print",
                "--exact",
                "--stack-depth",
                "1",
                "--events",
                String.join(",", types),
                recording.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(printed);
    }
    List<Event> events = new ArrayList<>();
    for (String event : printed.split("\n}\n", -1)) {
      if (!event.isBlank()) {
        events.add(parse(event.strip()));
      }
    }
    return events;
  }

  private static Event parse(String printed) {
    String type = printed.substring(0, printed.indexOf(" {"));
    Map<String, String> contexts = new TreeMap<>();
    Map<String, Long> numbers = new HashMap<>();
    String thread = "";
    for (String line : printed.split("\n", -1)) {
      Matcher context = CONTEXT.matcher(line);
      Matcher start = START.matcher(line);
      Matcher duration = DURATION.matcher(line);
      Matcher of = THREAD.matcher(line);
      if (context.matches()) {
        // The last is the innermost.
        contexts.put(context.group(1), context.group(2).replaceAll("^\"|\"$", ""));
      } else if (start.matches()) {
        LocalDateTime time = LocalDateTime.parse(start.group(2) + " " + start.group(1), TIME);
        numbers.put("start", Duration.between(EPOCH, time).toNanos());
      } else if (duration.matches()) {
        numbers.put("duration", Math.round(Double.parseDouble(duration.group(1)) * 1e9));
      } else if (of.matches()) {
        thread = of.group(1);
      }
    }
    return new Event(
        type,
        thread,
        Objects.requireNonNull(numbers.get("start"), printed),
        numbers.getOrDefault("duration", 0L),
        contexts);
  }
}
