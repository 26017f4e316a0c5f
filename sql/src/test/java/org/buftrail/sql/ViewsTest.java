package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The views against what the JDK's own reader finds in the same recordings. */
final class ViewsTest {
  @TempDir private static Path directory;

  private static String top(RecordedEvent event) {
    RecordedFrame frame = event.getStackTrace().getFrames().get(0);
    return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdk11", "jdk21", "jdk25"})
  void hotMethodsAreTheTopsOfTheStacks(String name) throws IOException {
    Map<String, Long> self = new TreeMap<>();
    Map<String, Long> total = new HashMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(Answer.unpacked(name, directory))) {
      if (event.getEventType().getName().equals("jdk.ExecutionSample")
          && event.getStackTrace() != null) {
        self.merge(top(event), 1L, Long::sum);
        Set<String> methods = new HashSet<>();
        event
            .getStackTrace()
            .getFrames()
            .forEach(
                frame ->
                    methods.add(
                        frame.getMethod().getType().getName() + "." + frame.getMethod().getName()));
        methods.forEach(method -> total.merge(method, 1L, Long::sum));
      }
    }
    Answer answer =
        Answer.to(
            "select method, self, total from hot_methods where kind = 'cpu' and self > 0",
            Answer.recording(name));

    assertThat(answer.exit()).as(answer.err()).isZero();
    Map<String, Long> found = new TreeMap<>();
    answer.rows().forEach(row -> found.put(row.get(0), Long.valueOf(row.get(1))));
    assertThat(found).isEqualTo(self).isNotEmpty();
    answer
        .rows()
        .forEach(row -> assertThat(Long.valueOf(row.get(2))).isEqualTo(total.get(row.get(0))));
  }

  @Test
  void allocationByClassIsTheSumOfTheWeights() throws IOException {
    Map<String, Long> bytes = new TreeMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(Answer.unpacked("jdk21", directory))) {
      if (event.getEventType().getName().equals("jdk.ObjectAllocationSample")) {
        bytes.merge(event.getClass("objectClass").getName(), event.getLong("weight"), Long::sum);
      }
    }
    Answer answer =
        Answer.to(
            "select class, bytes from allocation_by_class where kind = 'alloc_sampled'",
            Answer.recording("jdk21"));

    Map<String, Long> found = new TreeMap<>();
    answer.rows().forEach(row -> found.put(row.get(0), Long.valueOf(row.get(1))));
    assertThat(found).isEqualTo(bytes).hasSizeGreaterThan(2);
    Answer sum =
        Answer.to(
            "select sum(bytes)::bigint from allocation_by_class where kind = 'alloc_sampled'",
            Answer.recording("jdk21"));
    assertThat(sum.rows().get(0))
        .containsExactly(String.valueOf(bytes.values().stream().mapToLong(Long::longValue).sum()));
  }

  private static Map<String, LongSummaryStatistics> durations(Path file, Set<String> types)
      throws IOException {
    Map<String, LongSummaryStatistics> found = new HashMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (types.contains(event.getEventType().getName())) {
        found
            .computeIfAbsent(event.getEventType().getName(), any -> new LongSummaryStatistics())
            .accept(event.getDuration().toNanos());
      }
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdk11", "jdk21", "jdk25"})
  void gcPausesAndLocksAreAsManyAndAsLong(String name) throws IOException {
    Map<String, LongSummaryStatistics> expected =
        durations(
            Answer.unpacked(name, directory),
            Set.of("jdk.GCPhasePause", "jdk.ThreadPark", "jdk.JavaMonitorWait"));
    LongSummaryStatistics pauses = expected.get("jdk.GCPhasePause");
    assertThat(pauses).isNotNull();

    Answer answer =
        Answer.to(
            "select count(*), sum(nanos)::bigint, max(nanos) from gc_pauses",
            Answer.recording(name));
    assertThat(answer.rows().get(0))
        .containsExactly(
            String.valueOf(pauses.getCount()),
            String.valueOf(pauses.getSum()),
            String.valueOf(pauses.getMax()));

    Answer locks =
        Answer.to(
            "select kind, sum(times)::bigint, sum(nanos)::bigint, max(longest) from lock_contention"
                + " where kind in ('lock_park', 'lock_wait') group by kind",
            Answer.recording(name));
    locks
        .rows()
        .forEach(
            row -> {
              String type =
                  row.get(0).equals("lock_park") ? "jdk.ThreadPark" : "jdk.JavaMonitorWait";
              LongSummaryStatistics all = expected.get(type);
              assertThat(all).as(type).isNotNull();
              assertThat(row.subList(1, 4))
                  .containsExactly(
                      String.valueOf(all.getCount()),
                      String.valueOf(all.getSum()),
                      String.valueOf(all.getMax()));
            });
    assertThat(locks.rows())
        .hasSize((int) expected.keySet().stream().filter(k -> !k.contains("GC")).count());
  }

  /** As the agent declares it. */
  @Name("buftrail.Leak")
  static final class Leak extends Event {
    String path = "";
    long count;
    long bytes;
    boolean direct;
  }

  /** As async-profiler writes it. */
  @Name("profiler.Span")
  static final class Span extends Event {
    String tag = "";
  }

  @Test
  void leaksAndSpansAreThoseThatWereRecorded() throws IOException {
    Path file = directory.resolve("own.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      for (int i = 1; i <= 3; i++) {
        Leak leak = new Leak();
        leak.path = "Allocator.buffer -> Handler.read";
        leak.count = i;
        leak.bytes = 100L * i;
        leak.direct = true;
        leak.commit();
      }
      for (int i = 0; i < 4; i++) {
        Span span = new Span();
        span.tag = i < 3 ? "checkout" : "search";
        span.begin();
        span.commit();
      }
      recording.stop();
      recording.dump(file);
    }
    long nanos =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("profiler.Span"))
            .filter(event -> event.getString("tag").equals("checkout"))
            .mapToLong(event -> event.getDuration().toNanos())
            .sum();

    Answer leaks = Answer.to("select memory, leaked, bytes from buffer_leaks", file);
    assertThat(leaks.rows()).as(leaks.err()).hasSize(1);
    assertThat(leaks.rows().get(0)).containsExactly("direct", "6", "600");
    Answer path = Answer.to("select path from buffer_leaks", file);
    assertThat(path.out()).contains("Allocator.buffer").contains("Handler.read");
    Answer spans =
        Answer.to("select span_name, spans, nanos from span_time order by span_name", file);
    assertThat(spans.rows()).hasSize(2);
    assertThat(spans.rows().get(0)).containsExactly("checkout", "3", String.valueOf(nanos));
    assertThat(spans.rows().get(1).get(1)).isEqualTo("1");
  }

  @Test
  void twoSetsOfRecordingsAreCompared() throws IOException {
    Answer answer =
        Answer.to(
            "select method, before, after from diff('*jdk21*', '*jdk25*') where before > 0 and"
                + " kind = 'cpu'",
            Answer.recording("jdk21"),
            Answer.recording("jdk25"));
    Map<String, Long> self = new HashMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(Answer.unpacked("jdk21", directory))) {
      if (event.getEventType().getName().equals("jdk.ExecutionSample")
          && event.getStackTrace() != null) {
        self.merge(top(event), 1L, Long::sum);
      }
    }
    Map<String, Long> before = new HashMap<>();
    answer.rows().forEach(row -> before.put(row.get(0), Long.valueOf(row.get(1))));
    assertThat(before).isEqualTo(self).isNotEmpty();

    Answer top =
        Answer.to(
            "select method, self from top_by_service where kind = 'cpu'",
            Answer.recording("jdk21"));
    long most = self.values().stream().max(Comparator.naturalOrder()).orElse(0L);
    assertThat(top.rows().get(0).get(1)).isEqualTo(String.valueOf(most));
    assertThat(top.rows()).hasSizeLessThanOrEqualTo(10);
  }

  private static void add(Database database, String service, int hour, int olds, int news)
      throws SQLException {
    database.execute(
        "INSERT INTO samples (service, kind, time, value, stack_id) SELECT "
            + service
            + ", 'cpu', TIMESTAMP_NS '2026-11-20 "
            + hour
            + ":30:00', 1, CASE WHEN range < "
            + olds
            + " THEN 1 ELSE 2 END FROM range("
            + (olds + news)
            + ")");
  }

  @Test
  void hoursWithEnoughSamplesAreComparedWithTheLastOnesBeforeThem() throws Exception {
    List<String> rows = new ArrayList<>();
    try (Database database = new Database(List.of())) {
      database.execute(
          "INSERT INTO frames (stack_id, depth, function)"
              + " VALUES (1, 0, 'old'), (1, 1, 'main'), (2, 0, 'new')");
      add(database, "NULL", 10, 100, 0);
      // Too few.
      add(database, "NULL", 11, 0, 99);
      add(database, "NULL", 13, 60, 40);
      add(database, "'shop'", 10, 50, 50);
      add(database, "'shop'", 11, 100, 0);
      add(database, "'quiet'", 10, 99, 0);
      add(database, "'quiet'", 11, 0, 99);
      // These have no shares.
      database.execute(
          "INSERT INTO samples (service, kind, time, value, stack_id) SELECT 'idle', 'cpu_time',"
              + " TIMESTAMP_NS '2026-11-20 10:00:00' + INTERVAL 1 HOUR * (range % 2), 0, 1"
              + " FROM range(200)");
      try (Statement statement = database.connection().createStatement();
          ResultSet found =
              statement.executeQuery(
                  "SELECT concat_ws(' ', coalesce(service, '-'), hour(before), hour(hour), method,"
                      + " self, percent_before, percent, change) FROM changes_by_hour")) {
        while (found.next()) {
          rows.add(found.getString(1));
        }
      }
    }
    assertThat(rows)
        .containsExactly(
            "shop 10 11 old 100 50.0 100.0 50.0",
            "- 10 13 new 40 0.0 40.0 40.0",
            "idle 10 11 old 0 0.0 0.0 0.0",
            "- 10 13 old 60 100.0 60.0 -40.0",
            "shop 10 11 new 0 50.0 0.0 -50.0");
  }
}
