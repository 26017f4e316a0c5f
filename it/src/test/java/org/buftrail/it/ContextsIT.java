package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.it.programs.Requests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every event has the contexts that the JDK's {@code jfr print} says it has: nested, over the
 * borders of chunks, on plain and on virtual threads. Needs Java 25.
 */
final class ContextsIT {
  /** The events that say what others are for, as {@code jfr print} names them. */
  private static final List<String> SAYING =
      List.of("io.opentelemetry.context.Scope", "shop.Order");

  /** Events by the kinds that they become. */
  private static final Map<String, String> KINDS =
      Map.of(
          "cpu_time", "jdk.CPUTimeSample",
          "lock_park", "jdk.ThreadPark",
          "alloc_sampled", "jdk.ObjectAllocationSample",
          "shop.Step", "shop.Step");

  /** The JDK reads all chunks by the clock of the first, and drifts from ours. */
  private static final long CLOSE = 5_000;

  @TempDir private Path directory;

  /** What was said of an event: at which time, and of which request it is. */
  private record Said(long time, Map<String, String> contexts) {}

  @Test
  void everyEventHasTheContextsThatTheJdkPrints() throws Exception {
    List<Path> homes =
        Setting.homes().stream().filter(home -> new Setting(home, "").javaVersion() >= 25).toList();
    assumeTrue(!homes.isEmpty(), "no Java 25: contexts were not compared");
    Path home = homes.get(0);
    ForkedJvm.Result ran =
        new ForkedJvm(directory)
            .java(new Setting(home, "").java())
            .run(Requests.class, "requests.jfr");
    assertThat(ran.exit()).as(ran.err()).isZero();
    Path recording = directory.resolve("requests.jfr");
    assertThat(chunks(Files.readAllBytes(recording))).isGreaterThan(6);

    List<String> types = new ArrayList<>(KINDS.values());
    types.addAll(SAYING);
    List<PrintedEvents.Event> printed = PrintedEvents.of(home, recording, types);
    Map<String, List<Said>> converted = convert(recording);
    Map<String, List<Said>> expected = new TreeMap<>();
    for (PrintedEvents.Event event : printed) {
      if (!SAYING.contains(event.type())) {
        expected
            .computeIfAbsent(event.type() + " of " + event.thread(), key -> new ArrayList<>())
            .add(new Said(event.start(), said(event.contexts())));
      }
    }
    expected.values().forEach(events -> events.sort(Comparator.comparingLong(Said::time)));
    assertThat(converted.keySet()).isEqualTo(expected.keySet());
    int steps = 0;
    for (Map.Entry<String, List<Said>> entry : expected.entrySet()) {
      List<Said> theirs = entry.getValue();
      List<Said> ours = converted.getOrDefault(entry.getKey(), List.of());
      assertThat(ours).as(entry.getKey()).hasSameSizeAs(theirs);
      String thread = entry.getKey().replaceAll(".* of ", "");
      for (int i = 0; i < theirs.size(); i++) {
        if (!isAtABorder(printed, thread, theirs.get(i).time())) {
          assertThat(ours.get(i).contexts())
              .as("event %s of %s", i, entry.getKey())
              .isEqualTo(theirs.get(i).contexts());
          steps += entry.getKey().startsWith("shop.Step") ? 1 : 0;
        }
      }
    }
    assertThat(steps).isEqualTo(2 * Requests.THREADS * Requests.STEPS);
  }

  /** Where a field has no value, a sample has no attribute. */
  private static Map<String, String> said(Map<String, String> contexts) {
    Map<String, String> said = new TreeMap<>(contexts);
    said.values().removeIf(value -> value.isEmpty() || value.equals("N/A"));
    return said;
  }

  private static int chunks(byte[] recording) {
    int count = 0;
    for (long at = 0; at < recording.length; count++) {
      at += ByteBuffer.wrap(recording).getLong((int) at + 8);
    }
    return count;
  }

  /** Whether a context begins or ends so near to a time that clocks may differ on the order. */
  private static boolean isAtABorder(List<PrintedEvents.Event> printed, String thread, long time) {
    for (PrintedEvents.Event event : printed) {
      if (SAYING.contains(event.type()) && event.thread().equals(thread)) {
        long end = event.start() + event.nanos();
        if (Math.abs(time - event.start()) < CLOSE || Math.abs(time - end) < CLOSE) {
          return true;
        }
      }
    }
    return false;
  }

  /** By type and thread, in the order of time. */
  private Map<String, List<Said>> convert(Path recording) throws Exception {
    Path output = directory.resolve("requests.otlp");
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .runJar(
                "convert",
                recording.toString(),
                "--timestamps",
                "--event",
                "shop.Step",
                "-o",
                output.toString());
    assertThat(result.exit()).as(result.err()).isZero();
    ProfilesData data = ProfilesData.parseFrom(Files.readAllBytes(output));
    ProfilesDictionary dictionary = data.getDictionary();
    Map<String, List<Said>> said = new TreeMap<>();
    for (Profile profile : data.getResourceProfiles(0).getScopeProfiles(0).getProfilesList()) {
      String kind =
          attributes(dictionary, profile.getAttributeIndicesList()).get("buftrail.profile.kind");
      String type = KINDS.get(String.valueOf(kind));
      // Each event is in the first profile of its kind; others have a second value of it.
      boolean isSecond = said.keySet().stream().anyMatch(key -> key.startsWith(type + " of "));
      if (type != null && !isSecond) {
        for (Sample sample : profile.getSamplesList()) {
          add(dictionary, type, sample, said);
        }
      }
    }
    said.values().forEach(events -> events.sort(Comparator.comparingLong(Said::time)));
    return said;
  }

  private static void add(
      ProfilesDictionary dictionary, String type, Sample sample, Map<String, List<Said>> said) {
    Map<String, String> attributes = attributes(dictionary, sample.getAttributeIndicesList());
    Map<String, String> contexts = new TreeMap<>();
    for (String field : List.of("tenant", "id")) {
      String value = attributes.get("shop.Order." + field);
      if (value != null) {
        contexts.put("Order." + field, value);
      }
    }
    if (sample.getLinkIndex() != 0) {
      Link link = dictionary.getLinkTable(sample.getLinkIndex());
      contexts.put("Scope.traceId", HexFormat.of().formatHex(link.getTraceId().toByteArray()));
      contexts.put("Scope.spanId", HexFormat.of().formatHex(link.getSpanId().toByteArray()));
    }
    for (long time : sample.getTimestampsUnixNanoList()) {
      said.computeIfAbsent(type + " of " + attributes.get("thread.id"), key -> new ArrayList<>())
          .add(new Said(time, contexts));
    }
  }

  private static Map<String, String> attributes(
      ProfilesDictionary dictionary, List<Integer> indices) {
    Map<String, String> attributes = new TreeMap<>();
    for (int index : indices) {
      KeyValueAndUnit attribute = dictionary.getAttributeTable(index);
      String value =
          attribute.getValue().hasIntValue()
              ? String.valueOf(attribute.getValue().getIntValue())
              : attribute.getValue().getStringValue();
      attributes.put(dictionary.getStringTable(attribute.getKeyStrindex()), value);
    }
    return attributes;
  }
}
