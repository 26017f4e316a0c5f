package org.buftrail.it.states;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The snapshot file, read by a JSON library that is not ours. */
final class JsonReader {
  private static final List<String> ENDS = List.of("released", "leaked", "held", "dropped", "live");

  private JsonReader() {}

  static Told read(byte[] json) throws IOException {
    JsonNode root = new ObjectMapper().readTree(json);
    Told told = new Told();
    told.put("sampling", root.path("sampling").asLong());
    root.path("totals")
        .properties()
        .forEach(
            total -> {
              String name = total.getKey().replace("suppressedErrors", "errors");
              told.put(name, total.getValue().asLong());
            });
    for (JsonNode path : root.path("paths")) {
      path(path, told);
    }
    for (JsonNode misuse : root.path("misuses")) {
      String kind = misuse.path("kind").asText().startsWith("double") ? "releases" : "uses";
      told.row(misuse.at("/site/method").asText(), kind, misuse.path("count").asLong());
      told.add("misuses", misuse.path("count").asLong());
    }
    tracker(root.path("tracker"), told);
    return told;
  }

  private static void path(JsonNode path, Told told) {
    List<String> hops = new ArrayList<>();
    path.path("sites").forEach(site -> hops.add(hop(site)));
    boolean isBuffer = path.path("resource").isMissingNode();
    String memory = !isBuffer ? "resource" : path.path("direct").asBoolean() ? "direct" : "heap";
    for (String end : ENDS) {
      told.path(hops, memory, end, path.path(end).asLong(), path.path(end + "Bytes").asLong());
    }
    long live = path.path("live").asLong();
    if (live > 0) {
      told.add(Words.place(hops) + ".rows", 1);
    }
    if (path.has("suspect")) {
      told.add("suspects", 1);
      told.row(Words.place(hops), "suspect", live);
    }
    if (path.path("sites").findValues("overflow").size() > 0) {
      told.add("overflow rows", 1);
    }
  }

  static String hop(JsonNode site) {
    return site.path("class").asText() + "." + site.path("method").asText();
  }

  private static void tracker(JsonNode tracker, Told told) {
    if (tracker.has("stopReason")) {
      told.put("stopped", 1).put("stopped: " + tracker.path("stopReason").asText(), 1);
    }
    if (tracker.has("undecided")) {
      told.put("undecided", tracker.path("undecided").asLong());
    }
  }
}
