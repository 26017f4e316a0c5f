package org.buftrail.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A snapshot file, read by a JSON library that is not ours. */
record FlowsFile(JsonNode totals, JsonNode tracker, List<FlowPath> paths, List<String> misuses) {
  /**
   * One path.
   *
   * @param hops as {@code Class.method} joined by {@code " > "}
   * @param lines line number of each hop, 0 where there is none
   * @param resource type of what is no buffer, else empty
   * @param severity of a leak, empty where nothing leaked
   * @param firstSeen when the first leak was found, empty where nothing leaked
   * @param lastSeen when the last one was, empty where nothing leaked
   */
  record FlowPath(
      String hops,
      List<Integer> lines,
      List<String> refs,
      boolean direct,
      String resource,
      long released,
      long leaked,
      long live,
      long held,
      long dropped,
      long releasedBytes,
      long leakedBytes,
      long liveBytes,
      String severity,
      String firstSeen,
      String lastSeen) {
    /** {@code released/leaked/live}, and {@code +held}, {@code dropped n} where there are any. */
    String counts() {
      return released
          + "/"
          + leaked
          + (held > 0 ? "+" + held : "")
          + "/"
          + live
          + (dropped > 0 ? " dropped " + dropped : "");
    }

    /** Hops and counts in one line, to compare whole snapshots. */
    String summary() {
      return hops + " " + counts();
    }
  }

  /** Fails when an error inside the tracker was kept from the application. */
  static FlowsFile read(Path file) throws IOException {
    FlowsFile flows = readWithErrors(file);
    if (flows.total("suppressedErrors") != 0) {
      throw new AssertionError("errors inside the tracker: " + flows.totals());
    }
    return flows;
  }

  static FlowsFile readWithErrors(Path file) throws IOException {
    JsonNode root = new ObjectMapper().readTree(file.toFile());
    if (!root.path("format").asText().equals("buftrail.flows")
        || root.path("version").asInt() != 1) {
      throw new IOException(file + " is no flow snapshot of version 1");
    }
    List<FlowPath> paths = new ArrayList<>();
    for (JsonNode path : root.path("paths")) {
      paths.add(path(path));
    }
    List<String> misuses = new ArrayList<>();
    for (JsonNode misuse : root.path("misuses")) {
      misuses.add(misuse(misuse));
    }
    return new FlowsFile(root.path("totals"), root.path("tracker"), paths, misuses);
  }

  /** {@code 2 double release at method: path of the first release, before: earlier life}. */
  private static String misuse(JsonNode misuse) {
    return misuse.path("count").asText()
        + " "
        + misuse.path("kind").asText()
        + " at "
        + misuse.path("site").path("method").asText()
        + ": "
        + String.join(" > ", texts(misuse.path("path").path("hops")))
        + (misuse.has("earlier")
            ? ", before: " + String.join(" > ", texts(misuse.path("earlier").path("hops")))
            : "");
  }

  private static FlowPath path(JsonNode path) {
    List<Integer> lines = new ArrayList<>();
    path.path("sites").forEach(site -> lines.add(site.path("line").asInt()));
    return new FlowPath(
        texts(path.path("hops")).stream().collect(Collectors.joining(" > ")),
        lines,
        texts(path.path("refs")),
        path.path("direct").asBoolean(),
        path.path("resource").asText(),
        path.path("released").asLong(),
        path.path("leaked").asLong(),
        path.path("live").asLong(),
        path.path("held").asLong(),
        path.path("dropped").asLong(),
        path.path("releasedBytes").asLong(),
        path.path("leakedBytes").asLong(),
        path.path("liveBytes").asLong(),
        path.path("severity").asText(),
        path.path("firstSeen").asText(),
        path.path("lastSeen").asText());
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  long total(String name) {
    return totals.path(name).asLong(-1);
  }

  /** What the tracker says of itself; empty when it says nothing of that. */
  String tracker(String name) {
    return tracker.path(name).asText();
  }

  /** Every path with its counts, sorted. */
  List<String> summaries() {
    return paths.stream().map(FlowPath::summary).sorted().toList();
  }

  /** {@code allocated = released + leaked + held + dropped + live}. */
  boolean isBalanced() {
    return total("allocated")
        == total("released") + total("leaked") + total("held") + total("dropped") + total("live");
  }
}
