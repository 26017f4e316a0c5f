package org.buftrail.it.states;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines for language models: {@code key=value}. */
final class LlmReader {
  private static final Pattern PAIR = Pattern.compile("(\\w+)=(\"[^\"]*\"|\\S+)");
  private static final List<String> ENDS = List.of("released", "leaked", "held", "dropped", "live");

  private LlmReader() {}

  static Told read(String text) {
    Told told = new Told();
    Told leaks = new Told();
    for (String line : text.lines().toList()) {
      Map<String, String> pairs = pairs(line);
      if (line.startsWith("format=")) {
        metadata(pairs, told);
      } else if (line.startsWith("flow ")) {
        flow(line, pairs, told);
      } else if (line.startsWith("leak ")) {
        String place = Words.place(hops(line));
        leaks.row(place, "leaked", number(pairs, "leaked"), number(pairs, "leaked_bytes"));
        leaks.row(place, "held", number(pairs, "held"));
      } else if (line.startsWith("suspect ")) {
        told.row(Words.place(hops(line)), "suspect", number(pairs, "live"));
      } else if (line.startsWith("misuse ")) {
        String kind = pairs.getOrDefault("kind", "").contains("double") ? "releases" : "uses";
        told.row(Words.place(pairs.getOrDefault("at", "")), kind, number(pairs, "times"));
      }
    }
    return told.alsoIn(leaks);
  }

  private static void metadata(Map<String, String> pairs, Told told) {
    told.put("allocated", number(pairs, "allocated"));
    for (String end : ENDS) {
      if (pairs.containsKey(end)) {
        told.put(end, number(pairs, end));
      }
      if (pairs.containsKey(end + "_bytes")) {
        told.put(end + "Bytes", number(pairs, end + "_bytes"));
      }
    }
    told.put("sampling", number(pairs, "sampling"));
    told.put("overflowed", number(pairs, "overflowed"));
    told.put("errors", number(pairs, "suppressed_errors"));
    for (String more : List.of("suspect_paths", "misuses", "undecided")) {
      if (pairs.containsKey(more)) {
        told.put(more.replace("suspect_paths", "suspects"), number(pairs, more));
      }
    }
    String reason = pairs.get("because");
    if (reason != null) {
      told.put("stopped", 1).put("stopped: " + reason.replace("\"", ""), 1);
    }
    if (pairs.getOrDefault("advice", "").contains("include=")) {
      told.put("no hops", 1);
    }
  }

  private static void flow(String line, Map<String, String> pairs, Told told) {
    String memory = pairs.getOrDefault("memory", "");
    String kind = memory.endsWith("Lease") ? "resource" : memory;
    for (String end : ENDS) {
      told.path(hops(line), kind, end, number(pairs, end), number(pairs, end + "_bytes"));
    }
    if (number(pairs, "live") > 0) {
      told.add(Words.place(hops(line)) + ".rows", 1);
    }
  }

  private static List<String> hops(String line) {
    String path = line.substring(line.indexOf(" path=") + " path=".length());
    return Arrays.asList(path.split(" > ", -1));
  }

  private static Map<String, String> pairs(String line) {
    Map<String, String> pairs = new HashMap<>();
    Matcher pair = PAIR.matcher(line);
    while (pair.find()) {
      pairs.putIfAbsent(pair.group(1), pair.group(2));
    }
    return pairs;
  }

  private static long number(Map<String, String> pairs, String key) {
    return Long.parseLong(pairs.getOrDefault(key, "0"));
  }
}
