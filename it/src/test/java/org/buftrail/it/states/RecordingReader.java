package org.buftrail.it.states;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** The agent's events in a flight recording, by the JDK's own reader. */
final class RecordingReader {
  /** Events of one round are nearer to each other than those of two. */
  private static final int ROUND_MILLIS = 500;

  private RecordingReader() {}

  static Told read(Path recording) throws IOException {
    Told told = new Told();
    Map<String, RecordedEvent> newest = new TreeMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
      switch (event.getEventType().getName()) {
        case "buftrail.Leak" -> {
          String place = Words.place(event.getString("lastHop"));
          told.row(place, "leaked", event.getLong("count"), event.getLong("bytes"));
        }
        case "buftrail.DoubleRelease" -> {
          String kind = event.getString("kind").startsWith("double") ? "releases" : "uses";
          told.row(Words.place(event.getString("place")), kind, event.getLong("count"));
          told.add("misuses", event.getLong("count"));
        }
        case "buftrail.LiveFlows" -> newest(event, event.getString("path"), newest);
        case "buftrail.FlowStatistics" -> newest(event, "", newest);
        default -> {}
      }
    }
    RecordedEvent totals = newest.remove("");
    if (totals != null) {
      totals.getFields().stream()
          .filter(field -> field.getTypeName().equals("long") || field.getTypeName().equals("int"))
          .filter(field -> !field.getName().matches("startTime|duration"))
          .forEach(field -> told.put(name(field.getName()), totals.getLong(field.getName())));
    }
    Instant last =
        newest.values().stream()
            .map(RecordedEvent::getStartTime)
            .max(Instant::compareTo)
            .orElse(Instant.MIN);
    newest.values().stream()
        .filter(live -> live.getStartTime().isAfter(last.minusMillis(ROUND_MILLIS)))
        .forEach(live -> live(live, told));
    return told;
  }

  private static String name(String field) {
    return switch (field) {
      case "liveDirectBytes" -> "direct.liveBytes";
      case "suspectPaths" -> "suspects";
      default -> field;
    };
  }

  private static void live(RecordedEvent event, Told told) {
    String place = Words.place(event.getString("lastHop"));
    told.row(place, "live", event.getLong("count"), event.getLong("bytes"));
    told.add(place + ".rows", 1);
  }

  private static void newest(RecordedEvent event, String key, Map<String, RecordedEvent> newest) {
    Instant start = event.getStartTime();
    newest.merge(key, event, (one, other) -> start.isBefore(one.getStartTime()) ? one : other);
  }
}
