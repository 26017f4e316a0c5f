package org.buftrail.sql;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  private static final Path PAGE = Path.of("../docs/evidence/fleet.md");
  private static final Pattern ROW = Pattern.compile("\\| ([A-Z].*\\?) \\| `(.*)` \\|");

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
      recording.enable("jdk.CPULoad").with("period", "everyChunk");
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

  /** The statement of a question in the documents. */
  private static String question(String words) throws IOException {
    for (String line : Files.readAllLines(PAGE)) {
      Matcher row = ROW.matcher(line);
      if (row.matches() && row.group(1).equals(words)) {
        return row.group(2);
      }
    }
    throw new AssertionError(PAGE + " does not ask " + words);
  }

  /** The last column of an answer by the others. */
  private static Map<String, String> answer(String query, Path... inputs) throws IOException {
    Answer answer = Answer.to(query, inputs);
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
    RecordedThread thread = event.getThread();
    return thread == null ? "NULL" : name(thread);
  }

  private static String name(RecordedThread thread) {
    return thread == null ? "nobody" : thread.getJavaName();
  }

  private static String top(RecordedEvent event) {
    RecordedFrame frame = event.getStackTrace().getFrames().get(0);
    return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
  }

  @Test
  void howManyEventsThereAreOfEachType() throws IOException {
    String question = question("How many events are there of each type?");
    check(question, counts(own.stream(), event -> event.getEventType().getName()));
    checkOther(question, counts(others.stream(), event -> event.getEventType().getName()));
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
        question("Which host is slow?"),
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
        question("Which file is slow?"),
        sums(
            own("jdk.FileRead", "jdk.FileWrite").filter(event -> event.getString("path") != null),
            event -> event.getString("path"),
            QuestionsTest::nanos));
    check(
        question("How much is read of each file?"),
        sums(
            own("jdk.FileRead").filter(event -> event.getString("path") != null),
            event -> event.getString("path"),
            event -> event.getLong("bytesRead")));
  }

  @Test
  void whoHeldTheLock() throws IOException {
    check(
        question("Who held the lock?"),
        sums(
            own("jdk.JavaMonitorEnter"),
            event ->
                event.getClass("monitorClass").getName()
                    + " "
                    + name(event.getThread("previousOwner")),
            QuestionsTest::nanos));
  }

  @Test
  void whoNotifiedAndWhoseTimeWasOver() throws IOException {
    check(
        question("Who notified, and whose time was over?"),
        counts(
            own("jdk.JavaMonitorWait"),
            event -> name(event.getThread("notifier")) + " " + event.getBoolean("timedOut")));
  }

  @Test
  void whichMessagesExceptionsHave() throws IOException {
    check(
        question("Which exceptions are thrown, with which messages?"),
        counts(
            own("jdk.JavaExceptionThrow")
                .filter(event -> String.valueOf(event.getString("message")).startsWith("guest")),
            event -> event.getClass("thrownClass").getName() + " " + event.getString("message")));
  }

  @Test
  void howMuchIsCommittedWhenTheCollectorRuns() throws IOException {
    check(
        question("How much of the heap is committed then?"),
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
        question("Who waits for monitors?"),
        sums(
            own("jdk.JavaMonitorEnter", "jdk.JavaMonitorWait"),
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
  void whichMethodsAreOnTop() throws IOException {
    checkOther(
        question("Which methods are on top of the samples of the CPU?"),
        counts(sampled(), QuestionsTest::top));
    Instant since = Instant.parse("2026-11-20T11:59:55Z");
    checkOther(
        question("Which are, in one part of the time?"),
        counts(
            sampled()
                .filter(
                    event ->
                        !event.getStartTime().isBefore(since)
                            && event.getStartTime().isBefore(since.plusSeconds(1))),
            QuestionsTest::top));
    checkOther(
        question("Which are, in one thread?"),
        counts(
            sampled().filter(event -> name(event.getThread("sampledThread")).equals("worker-1")),
            QuestionsTest::top));
    checkOther(
        question("Which threads take the CPU?"),
        counts(sampled(), event -> name(event.getThread("sampledThread"))));
  }

  private static Stream<RecordedEvent> sampled() {
    return others("jdk.ExecutionSample").filter(event -> event.getStackTrace() != null);
  }

  @Test
  void whichMethodsTakeMoreThanBefore() throws IOException {
    Map<String, String> before = counts(sampled(), QuestionsTest::top);
    Map<String, String> after =
        counts(
            RecordingFile.readAllEvents(Answer.unpacked("jdk25", directory)).stream()
                .filter(event -> event.getEventType().getName().equals("jdk.ExecutionSample"))
                .filter(event -> event.getStackTrace() != null),
            QuestionsTest::top);
    Map<String, String> both = new TreeMap<>();
    for (String method : before.keySet()) {
      both.put(method + " " + before.get(method), after.getOrDefault(method, "0"));
    }
    for (String method : after.keySet()) {
      if (!before.containsKey(method)) {
        both.put(method + " 0", after.get(method));
      }
    }
    assertThat(
            answer(
                question("Which methods take more of it than before?"),
                Answer.recording("jdk21"),
                Answer.recording("jdk25")))
        .isEqualTo(both)
        .hasSizeGreaterThan(1);
  }

  @Test
  void howBusyTheMachineIs() throws IOException {
    check(
        question("How busy is the machine, moment by moment?"),
        texts(
            own("jdk.CPULoad")
                .collect(
                    toMap(
                        event -> String.valueOf(epochNanos(event.getStartTime())),
                        event -> (double) event.getFloat("machineTotal")))));
  }

  private static long epochNanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000 + time.getNano();
  }

  @Test
  void whatIsAllocatedByWhichThread() throws IOException {
    checkOther(
        question("Which threads allocate?"),
        sums(
            others("jdk.ObjectAllocationSample"),
            QuestionsTest::thread,
            event -> event.getLong("weight")));
    checkOther(
        question("Which classes are allocated?"),
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
        question("How long does the collector stop the program?"),
        Map.of("p99", String.valueOf(pauses.get((int) Math.ceil(0.99 * pauses.size()) - 1))));
  }

  @Test
  void whyTheCollectorRan() throws IOException {
    check(
        question("Why does it run?"),
        counts(own("jdk.GarbageCollection"), event -> event.getString("cause")));
  }

  @Test
  void whichThreadsBegan() throws IOException {
    check(
        question("Which threads began, and by whom?"),
        counts(
            own("jdk.ThreadStart").filter(event -> event.getThread("parentThread") != null),
            event -> thread(event) + " " + name(event.getThread("parentThread"))));
  }

  @Test
  void allOfThePageAreAskedHere() throws IOException {
    String source = Files.readString(Path.of("src/test/java/org/buftrail/sql/QuestionsTest.java"));
    List<String> questions = new ArrayList<>();
    for (String line : Files.readAllLines(PAGE)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        questions.add(row.group(1));
      }
    }
    assertThat(questions).hasSize(20).allSatisfy(each -> assertThat(source).contains('"' + each));
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
