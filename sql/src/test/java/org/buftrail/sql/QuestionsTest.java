package org.buftrail.sql;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.console.engine.Dataset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a platform engineer asks of recordings, each in one statement, with the answers of the JDK's
 * own reader. The answers of a dataset are the same.
 */
final class QuestionsTest {
  private static final List<String> EVENTS =
      List.of(
          "jdk.SocketRead",
          "jdk.SocketWrite",
          "jdk.FileRead",
          "jdk.FileWrite",
          "jdk.JavaMonitorEnter",
          "jdk.JavaMonitorWait",
          "jdk.ThreadPark");

  @TempDir private static Path directory;
  private static Path recorded = Path.of("");
  private static Path dataset = Path.of("");
  private static List<RecordedEvent> own = List.of();
  private static List<RecordedEvent> others = List.of();

  @BeforeAll
  static void record() throws Exception {
    recorded = directory.resolve("own.jfr");
    try (Recording recording = new Recording()) {
      EVENTS.forEach(event -> recording.enable(event).withoutThreshold().withStackTrace());
      recording.enable("jdk.JavaExceptionThrow");
      recording.enable("jdk.GCHeapSummary");
      recording.enable("jdk.GarbageCollection");
      recording.enable("jdk.ThreadStart");
      recording.start();
      new RecordedProgram(directory).run();
      recording.stop();
      recording.dump(recorded);
    }
    own = RecordingFile.readAllEvents(recorded);
    others = RecordingFile.readAllEvents(Answer.unpacked("jdk21", directory));
    dataset = directory.resolve("dataset");
    try (Dataset made = new DuckDbEngine().dataset(dataset, true)) {
      made.add(recorded);
    }
  }

  private static Stream<RecordedEvent> own(String... types) {
    return own.stream().filter(event -> List.of(types).contains(event.getEventType().getName()));
  }

  private static Stream<RecordedEvent> others(String type) {
    return others.stream().filter(event -> event.getEventType().getName().equals(type));
  }

  private static long nanos(RecordedEvent event) {
    return event.getDuration().toNanos();
  }

  private static Map<String, String> texts(Map<String, ?> values) {
    Map<String, String> texts = new TreeMap<>();
    values.forEach((key, value) -> texts.put(key, String.valueOf(value)));
    return texts;
  }

  private static Map<String, String> counts(
      Stream<RecordedEvent> events, Function<RecordedEvent, String> by) {
    return texts(events.collect(groupingBy(by, counting())));
  }

  private static Map<String, String> sums(
      Stream<RecordedEvent> events,
      Function<RecordedEvent, String> by,
      ToLongFunction<RecordedEvent> of) {
    return texts(events.collect(groupingBy(by, summingLong(of))));
  }

  /** The first column of an answer by the others. */
  private static Map<String, String> answer(String query, Path input) throws IOException {
    Answer answer = Answer.to(query, input);
    assertThat(answer.exit()).as(answer.err()).isZero();
    Map<String, String> rows = new TreeMap<>();
    for (List<String> row : answer.rows()) {
      rows.put(String.join(" ", row.subList(0, row.size() - 1)), row.get(row.size() - 1));
    }
    return rows;
  }

  /** Asks the recording, and the dataset that holds it. */
  private static void check(String query, Map<String, String> expected) throws IOException {
    assertThat(answer(query, recorded)).isEqualTo(expected).isNotEmpty();
    assertThat(answer(query, dataset)).as("dataset").isEqualTo(expected);
  }

  private static void checkOther(String query, Map<String, String> expected) throws IOException {
    assertThat(answer(query, Answer.recording("jdk21"))).isEqualTo(expected).isNotEmpty();
  }

  private static String thread(RecordedEvent event) {
    return name(event.getThread());
  }

  private static String name(RecordedThread thread) {
    return thread == null ? "NULL" : thread.getJavaName();
  }

  private static String top(RecordedEvent event) {
    RecordedFrame frame = event.getStackTrace().getFrames().get(0);
    return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
  }

  @Test
  void howManyEventsThereAreOfEachType() throws IOException {
    check(
        "select event, count(*) from events group by all",
        counts(own.stream(), event -> event.getEventType().getName()));
    checkOther(
        "select event, count(*) from events group by all",
        counts(others.stream(), event -> event.getEventType().getName()));
  }

  /** One of input has two rows in samples: how much, and how long. */
  @Test
  void howManyEventsTheSamplesAreOf() throws IOException {
    check(
        "select event, count(distinct event_id) from samples where event in ('jdk.FileRead',"
            + " 'jdk.SocketRead', 'jdk.JavaExceptionThrow') group by all",
        counts(
            own("jdk.FileRead", "jdk.SocketRead", "jdk.JavaExceptionThrow"),
            event -> event.getEventType().getName()));
    check(
        "select s.event, count(distinct (recording, event_id)) from samples s join events e using"
            + " (recording, event_id) where s.event = e.event and s.time = e.time and s.event ="
            + " 'jdk.FileWrite' group by all",
        counts(own("jdk.FileWrite"), event -> event.getEventType().getName()));
  }

  @Test
  void whichHostIsSlow() throws IOException {
    check(
        "select remote_host, port, nanos from slow_hosts",
        sums(
            own("jdk.SocketRead", "jdk.SocketWrite"),
            event ->
                (event.getString("host").isEmpty()
                        ? event.getString("address")
                        : event.getString("host"))
                    + " "
                    + event.getInt("port"),
            QuestionsTest::nanos));
  }

  @Test
  void whichFileIsSlowAndHowMuchIsReadOfIt() throws IOException {
    check(
        "select path, nanos from slow_files where path like '%part-%'",
        sums(
            own("jdk.FileRead", "jdk.FileWrite")
                .filter(event -> String.valueOf(event.getString("path")).contains("part-")),
            event -> event.getString("path"),
            QuestionsTest::nanos));
    check(
        "select path, sum(bytes)::bigint from io_events where event = 'jdk.FileRead' and path like"
            + " '%part-%' group by path",
        sums(
            own("jdk.FileRead")
                .filter(event -> String.valueOf(event.getString("path")).contains("part-")),
            event -> event.getString("path"),
            event -> event.getLong("bytesRead")));
  }

  @Test
  void whoHeldTheLock() throws IOException {
    check(
        "select class, coalesce(holder, 'NULL'), nanos from lock_holders where event ="
            + " 'jdk.JavaMonitorEnter' and class like '%Door'",
        sums(
            own("jdk.JavaMonitorEnter").filter(QuestionsTest::isOfDoor),
            event ->
                event.getClass("monitorClass").getName()
                    + " "
                    + name(event.getThread("previousOwner")),
            QuestionsTest::nanos));
  }

  private static boolean isOfDoor(RecordedEvent event) {
    return event.getClass("monitorClass").getName().endsWith("Door");
  }

  @Test
  void whoNotifiedAndWhoseTimeWasOver() throws IOException {
    check(
        "select coalesce(notifier, 'NULL'), timed_out, count(*) from lock_events where event ="
            + " 'jdk.JavaMonitorWait' and class like '%Door' group by all",
        counts(
            own("jdk.JavaMonitorWait").filter(QuestionsTest::isOfDoor),
            event -> name(event.getThread("notifier")) + " " + event.getBoolean("timedOut")));
  }

  @Test
  void whichMessagesExceptionsHave() throws IOException {
    check(
        "select class, message, times from exception_messages where class like '%Refused'",
        counts(
            own("jdk.JavaExceptionThrow")
                .filter(event -> event.getClass("thrownClass").getName().endsWith("Refused")),
            event -> event.getClass("thrownClass").getName() + " " + event.getString("message")));
  }

  @Test
  void howMuchIsCommittedWhenTheCollectorRuns() throws IOException {
    check(
        "select fields['when'], max(fields['heapSpace.committedSize']::bigint) from events where"
            + " event = 'jdk.GCHeapSummary' group by 1",
        texts(
            own("jdk.GCHeapSummary")
                .collect(
                    groupingBy(
                        event -> event.getString("when"),
                        collectingAndThen(
                            toList(),
                            all ->
                                all.stream()
                                    .mapToLong(e -> e.getLong("heapSpace.committedSize"))
                                    .max()
                                    .orElseThrow())))));
  }

  @Test
  void whoWaitsLongest() throws IOException {
    check(
        "select thread, sum(nanos)::bigint from lock_events where class like '%Door' group by"
            + " thread",
        sums(
            own("jdk.JavaMonitorEnter", "jdk.JavaMonitorWait").filter(QuestionsTest::isOfDoor),
            QuestionsTest::thread,
            QuestionsTest::nanos));
  }

  @Test
  void whatOneThreadDid() throws IOException {
    check(
        "select event, count(*) from events_of(thread := 'answering') group by all",
        counts(
            own.stream().filter(e -> "answering".equals(thread(e))),
            event -> event.getEventType().getName()));
    check(
        "select path, reads from slow_files(thread := 'no*') union all select 'none', 1",
        Map.of("none", "1"));
  }

  @Test
  void whereAPartOfTheTimeWent() throws IOException {
    List<RecordedEvent> samples =
        new ArrayList<>(
            others("jdk.ExecutionSample").filter(e -> e.getStackTrace() != null).toList());
    samples.sort((a, b) -> a.getStartTime().compareTo(b.getStartTime()));
    Instant middle = samples.get(samples.size() / 2).getStartTime();
    checkOther(
        "select method, self from hot_methods(until := '"
            + middle.toString().replace("T", " ").replace("Z", "")
            + "') where self > 0",
        counts(
            samples.stream().filter(e -> e.getStartTime().isBefore(middle)), QuestionsTest::top));
    checkOther(
        "select method, self from hot_methods(since := '"
            + middle.toString().replace("T", " ").replace("Z", "")
            + "') where self > 0",
        counts(
            samples.stream().filter(e -> !e.getStartTime().isBefore(middle)), QuestionsTest::top));
  }

  @Test
  void whereTheTimeOfAThreadWent() throws IOException {
    List<RecordedEvent> samples =
        others("jdk.ExecutionSample").filter(e -> e.getStackTrace() != null).toList();
    String thread = name(samples.get(0).getThread("sampledThread"));
    checkOther(
        "select method, self from hot_methods(thread := '" + thread + "') where self > 0",
        counts(
            samples.stream().filter(e -> name(e.getThread("sampledThread")).equals(thread)),
            QuestionsTest::top));
    checkOther(
        "select thread, sum(value)::bigint from samples where kind = 'cpu' and stack_id is not null"
            + " group by all",
        counts(samples.stream(), e -> name(e.getThread("sampledThread"))));
  }

  @Test
  void whatIsAllocatedByWhichThread() throws IOException {
    checkOther(
        "select thread, sum(second_value)::bigint from samples where kind = 'alloc_sampled' group"
            + " by all",
        sums(
            others("jdk.ObjectAllocationSample"),
            QuestionsTest::thread,
            event -> event.getLong("weight")));
    checkOther(
        "select class, bytes from allocation_by_class(service := 'Load') where kind ="
            + " 'alloc_sampled'",
        sums(
            others("jdk.ObjectAllocationSample"),
            event -> event.getClass("objectClass").getName(),
            event -> event.getLong("weight")));
  }

  @Test
  void howLongTheCollectorStopsTheProgram() throws IOException {
    List<Long> pauses = others("jdk.GCPhasePause").map(QuestionsTest::nanos).sorted().toList();
    checkOther(
        "select 'longest', max(nanos) from gc_pauses(service := 'Load')",
        Map.of("longest", String.valueOf(pauses.get(pauses.size() - 1))));
    checkOther(
        "select 'p99', quantile_disc(nanos, 0.99) from gc_pauses",
        Map.of("p99", String.valueOf(pauses.get((int) Math.ceil(0.99 * pauses.size()) - 1))));
  }

  @Test
  void whyTheCollectorRan() throws IOException {
    check(
        "select fields['cause'], count(*) from events where event = 'jdk.GarbageCollection' group"
            + " by 1",
        counts(own("jdk.GarbageCollection"), event -> event.getString("cause")));
  }

  @Test
  void whichThreadsBegan() throws IOException {
    check(
        "select thread, fields['parentThread'], count(*) from events where event ="
            + " 'jdk.ThreadStart' and fields['parentThread'] is not null group by all",
        counts(
            own("jdk.ThreadStart").filter(event -> event.getThread("parentThread") != null),
            event -> thread(event) + " " + name(event.getThread("parentThread"))));
  }

  @Test
  void messagesAreInADatasetOnlyIfTheyAreAskedFor() throws Exception {
    Path without = directory.resolve("without");
    try (Dataset made = new DuckDbEngine().dataset(without, false)) {
      made.add(recorded);
    }
    Answer answer = Answer.to("select count(*), count(message) from exception_messages", without);
    assertThat(answer.rows().get(0).get(1)).isEqualTo("0");
    assertThat(Integer.parseInt(answer.rows().get(0).get(0))).isPositive();
  }

  /** An event without a duration has none; one that took no time lasts 0. */
  @Test
  void whatIsNotKnownIsNull() throws IOException {
    check(
        "select event, duration is null, count(*) from events where event in"
            + " ('jdk.JavaExceptionThrow', 'jdk.GCHeapSummary', 'jdk.FileRead') group by all",
        counts(
            own("jdk.JavaExceptionThrow", "jdk.GCHeapSummary", "jdk.FileRead"),
            event ->
                event.getEventType().getName()
                    + " "
                    + (event.getEventType().getField("duration") == null)));
  }
}
