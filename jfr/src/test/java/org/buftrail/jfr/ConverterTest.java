package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.buftrail.profile.Profile;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Profiles hold what the JDK's own reader finds in the same file. */
@TestInstance(Lifecycle.PER_CLASS)
final class ConverterTest {
  private Path directory;
  private final Map<String, Conversion> conversions = new TreeMap<>();
  private final Map<String, List<RecordedEvent>> events = new TreeMap<>();

  @BeforeAll
  void prepare(@TempDir Path temporary) {
    directory = temporary;
  }

  private List<RecordedEvent> events(String file) {
    return events.getOrDefault(file, List.of());
  }

  private Path file(String name) throws Exception {
    if (!name.equals("own")) {
      return Recordings.unpack(name, directory);
    }
    Path file = directory.resolve("own.jfr");
    return Files.exists(file) ? file : Recordings.record(directory);
  }

  private Conversion convert(String name) throws Exception {
    Conversion known = conversions.get(name);
    if (known == null) {
      Path file = file(name);
      known = new Converter(Options.DEFAULT).convert(List.of(file));
      conversions.put(name, known);
      events.put(name, RecordingFile.readAllEvents(file));
    }
    return known;
  }

  private Map<String, Long> expected(
      String file, String event, String thread, ToLongFunction<RecordedEvent> value) {
    Map<String, Long> sums = new TreeMap<>();
    for (RecordedEvent recorded : events(file)) {
      if (recorded.getEventType().getName().equals(event)) {
        sums.merge(Flattened.key(recorded, thread), value.applyAsLong(recorded), Long::sum);
      }
    }
    return sums;
  }

  @ParameterizedTest
  @CsvSource({
    "own, jdk.ExecutionSample, sampledThread, cpu, samples",
    "own, jdk.NativeMethodSample, sampledThread, native, samples",
    "own, jdk.ObjectAllocationSample, eventThread, alloc_sampled, allocated_objects",
    "own, jdk.JavaMonitorEnter, eventThread, lock_enter, contentions",
    "own, jdk.ThreadPark, eventThread, lock_park, contentions",
    "own, jdk.SocketRead, eventThread, socket_read, operations",
    "own, jdk.SocketWrite, eventThread, socket_write, operations",
    "own, jdk.JavaExceptionThrow, eventThread, exceptions, exceptions",
    "jdk-50-10-100, jdk.ExecutionSample, sampledThread, cpu, samples",
    "jdk-500-50-100, jdk.ExecutionSample, sampledThread, cpu, samples",
    "jdk11, jdk.ExecutionSample, sampledThread, cpu, samples",
    "jdk11, jdk.JavaMonitorEnter, eventThread, lock_enter, contentions",
    "jdk21, jdk.ExecutionSample, sampledThread, cpu, samples",
    "jdk21, jdk.ObjectAllocationSample, eventThread, alloc_sampled, allocated_objects",
    "jdk25, jdk.ExecutionSample, sampledThread, cpu, samples",
    "jdk25, jdk.ObjectAllocationSample, eventThread, alloc_sampled, allocated_objects",
    "dd-500-50-100, datadog.ExecutionSample, sampledThread, cpu_datadog, samples",
  })
  void countsByThreadAndFrames(
      String file, String event, String thread, String profile, String type) throws Exception {
    Conversion conversion = convert(file);
    assertThat(conversion.damages()).isEmpty();
    Map<String, Long> counts = expected(file, event, thread, e -> 1);
    assertThat(counts).isNotEmpty();
    assertThat(Flattened.of(conversion.profiles(), profile, type)).isEqualTo(counts);
  }

  @ParameterizedTest
  @CsvSource({
    "jdk.ObjectAllocationSample, weight, alloc_sampled, allocated_space",
    "jdk.ObjectAllocationOutsideTLAB, allocationSize, alloc, allocated_space",
    "jdk.SocketRead, bytesRead, socket_read, transferred",
    "jdk.SocketWrite, bytesWritten, socket_write, transferred",
  })
  void bytesByThreadAndFrames(String event, String field, String profile, String type)
      throws Exception {
    Conversion conversion = convert("own");
    Map<String, Long> sums =
        expected("own", event, "eventThread", recorded -> recorded.getLong(field));
    if (event.endsWith("TLAB")) {
      expected("own", "jdk.ObjectAllocationInNewTLAB", "eventThread", e -> e.getLong("tlabSize"))
          .forEach((key, value) -> sums.merge(key, value, Long::sum));
    }
    assertThat(sums).isNotEmpty();
    assertThat(Flattened.of(conversion.profiles(), profile, type)).isEqualTo(sums);
  }

  @ParameterizedTest
  @CsvSource({
    "jdk.JavaMonitorEnter, lock_enter, delay",
    "jdk.ThreadPark, lock_park, delay",
    "jdk.SocketRead, socket_read_time, io_time",
  })
  void nanosecondsByThreadAndFrames(String event, String profile, String type) throws Exception {
    Conversion conversion = convert("own");
    Map<String, Long> sums =
        expected("own", event, "eventThread", recorded -> recorded.getDuration().toNanos());
    Map<String, Long> found = Flattened.of(conversion.profiles(), profile, type);
    assertThat(found.keySet()).isNotEmpty().isEqualTo(sums.keySet());
    // The JDK rounds every event down; here the ticks are added up and rounded once.
    sums.forEach((key, value) -> assertThat(found.get(key)).isCloseTo(value, within(20_000L)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"own", "async-profiler", "jdk11", "jdk21", "jdk25", "dd-50-10-100"})
  void statsCountEveryEvent(String name) throws Exception {
    Conversion conversion = convert(name);
    assertThat(conversion.damages()).isEmpty();
    Map<String, Long> found = new TreeMap<>();
    for (Stats.Row row : conversion.stats().rows()) {
      found.put(row.event(), row.found());
    }
    Map<String, Long> counts = new TreeMap<>();
    events(name).forEach(e -> counts.merge(e.getEventType().getName(), 1L, Long::sum));
    assertThat(found).isEqualTo(counts);
    assertThat(conversion.stats().bytes()).isEqualTo(Files.size(file(name)));
  }

  @Test
  void sumsProcessorTimeOfJdk25() throws Exception {
    Conversion conversion = convert("jdk25");
    Map<String, Long> sums =
        expected(
            "jdk25",
            "jdk.CPUTimeSample",
            "eventThread",
            event -> event.getDuration("samplingPeriod").toNanos());
    assertThat(sums).isNotEmpty();
    assertThat(Flattened.of(conversion.profiles(), "cpu_time", "cpu")).isEqualTo(sums);
  }

  @Test
  void takesTheLastOfCumulativeCounts() throws Exception {
    Path file = file("jdk25");
    Conversion conversion = new Converter(Options.DEFAULT).convert(List.of(file));
    RecordedEvent timing =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.MethodTiming"))
            .findFirst()
            .orElseThrow();
    assertThat(Flattened.of(conversion.profiles(), "method_timing", "calls"))
        .isEqualTo(Map.of("null#null [Load.locked(I)V:0]", timing.getLong("invocations")));
  }

  @Test
  void aTracedMethodIsOnTopOfItsCallers() throws Exception {
    Conversion conversion = convert("jdk25");
    Map<String, Long> calls = new TreeMap<>();
    for (RecordedEvent event : events("jdk25")) {
      if (event.getEventType().getName().equals("jdk.MethodTrace")) {
        RecordedMethod method = event.getValue("method");
        String leaf =
            method.getType().getName() + "." + method.getName() + method.getDescriptor() + ":0";
        calls.merge(
            Flattened.key(event, "eventThread").replaceFirst(" \\[", " [" + leaf + ", "),
            1L,
            Long::sum);
      }
    }
    assertThat(calls).isNotEmpty();
    assertThat(Flattened.of(conversion.profiles(), "method_trace", "calls")).isEqualTo(calls);
    Options traced = Options.DEFAULT.include(Pattern.compile("Load.allocate"));
    Conversion included = new Converter(traced).convert(List.of(file("jdk25")));
    assertThat(Flattened.of(included.profiles(), "method_trace", "calls")).isEqualTo(calls);
  }

  @Test
  void tellsAsyncProfilersProcessorSamplesFromItsWallSamples() throws Exception {
    Conversion conversion = convert("async-profiler");
    Map<String, Long> cpu = new TreeMap<>();
    Map<String, Long> wall = new TreeMap<>();
    for (RecordedEvent event : events("async-profiler")) {
      String thread =
          event.hasField("sampledThread") ? event.getThread("sampledThread").getJavaName() : "";
      switch (event.getEventType().getName()) {
        case "jdk.ExecutionSample" -> cpu.merge(String.valueOf(thread), 1L, Long::sum);
        case "profiler.WallClockSample" ->
            wall.merge(String.valueOf(thread), event.getLong("samples"), Long::sum);
        default -> {}
      }
    }
    assertThat(byThread(conversion, "cpu")).containsAllEntriesOf(javaThreads(cpu));
    assertThat(byThread(conversion, "wall")).containsAllEntriesOf(javaThreads(wall));
    assertThat(total(conversion, "cpu")).isEqualTo(sum(cpu));
    assertThat(total(conversion, "wall")).isEqualTo(sum(wall));
  }

  private static Map<String, Long> javaThreads(Map<String, Long> sums) {
    Map<String, Long> named = new TreeMap<>(sums);
    named.remove("null");
    assertThat(named).isNotEmpty();
    return named;
  }

  private static long sum(Map<String, Long> sums) {
    return sums.values().stream().mapToLong(Long::longValue).sum();
  }

  private static long total(Conversion conversion, String profile) {
    return sum(byThread(conversion, profile));
  }

  private static Map<String, Long> byThread(Conversion conversion, String name) {
    Map<String, Long> sums = new TreeMap<>();
    for (Profile profile : conversion.profiles().profiles()) {
      if (profile.name().equals(name) && profile.column() == 0) {
        for (int i = 0; i < profile.samples().size(); i++) {
          int set = profile.samples().attributeSet(i);
          sums.merge(
              Flattened.attribute(conversion.profiles().dictionary(), set, "thread.name"),
              profile.value(i),
              Long::sum);
        }
      }
    }
    return sums;
  }

  @Test
  void pairsNativeMemoryInTheOrderOfTime() throws Exception {
    Conversion conversion = convert("async-profiler");
    Map<Long, RecordedEvent> last = new TreeMap<>();
    long allocated = 0;
    long mallocs = 0;
    for (RecordedEvent event : events("async-profiler")) {
      String type = event.getEventType().getName();
      if (type.equals("profiler.Malloc") || type.equals("profiler.Free")) {
        RecordedEvent known = last.get(event.getLong("address"));
        if (known == null || !known.getStartTime().isAfter(event.getStartTime())) {
          last.put(event.getLong("address"), event);
        }
        mallocs += type.equals("profiler.Malloc") ? 1 : 0;
        allocated += type.equals("profiler.Malloc") ? event.getLong("size") : 0;
      }
    }
    last.values().removeIf(event -> event.getEventType().getName().equals("profiler.Free"));
    long unfreed = last.values().stream().mapToLong(event -> event.getLong("size")).sum();
    assertThat(last).isNotEmpty();
    assertThat(profileTotal(conversion, "nativemem", 0)).isEqualTo(mallocs);
    assertThat(profileTotal(conversion, "nativemem", 1)).isEqualTo(allocated);
    assertThat(profileTotal(conversion, "nativemem_unfreed", 0)).isEqualTo(last.size());
    assertThat(profileTotal(conversion, "nativemem_unfreed", 1)).isEqualTo(unfreed);
  }

  private static long profileTotal(Conversion conversion, String name, int column) {
    return conversion.profiles().profiles().stream()
        .filter(profile -> profile.name().equals(name) && profile.column() == column)
        .mapToLong(Profile::total)
        .sum();
  }

  /** Datadog does not record which trace a span is of: the local root span stands for it. */
  @Test
  void samplesAreLinkedToTheirSpan() throws Exception {
    Conversion conversion = convert("dd-50-10-100");
    Map<String, Long> expected = new TreeMap<>();
    for (RecordedEvent event : events("dd-50-10-100")) {
      long root = event.getLong("localRootSpanId");
      long span = event.getLong("spanId");
      expected.merge(String.format("%016x/%016x", root, span), 1L, Long::sum);
    }
    var profiles = conversion.profiles();
    var samples = profiles.profiles().get(0).samples();
    Map<String, Long> found = new TreeMap<>();
    for (int i = 0; i < samples.size(); i++) {
      int link = samples.link(i);
      var links = profiles.dictionary().links();
      assertThat(links.traceHigh(link)).isZero();
      assertThat(
              Flattened.attribute(
                  profiles.dictionary(), samples.attributeSet(i), "datadog.span.id"))
          .isEqualTo("null");
      found.merge(
          String.format("%016x/%016x", links.traceLow(link), links.span(link)),
          samples.sum(i, 0),
          Long::sum);
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void isUsedAgainWithoutATraceOfWhatItConvertedBefore() throws Exception {
    Converter reused = new Converter(Options.DEFAULT);
    for (String name :
        List.of("async-profiler", "jdk25", "jdk-500-50-100", "jdk11", "jdk25", "dd-50-10-100")) {
      List<Path> input = List.of(file(name));
      byte[] again = new OtlpWriter().toByteArray(reused.convert(input).profiles());
      byte[] first =
          new OtlpWriter().toByteArray(new Converter(Options.DEFAULT).convert(input).profiles());
      assertThat(again).as(name).isEqualTo(first);
    }
  }

  @Test
  void manyRecordingsBecomeOne() throws Exception {
    Path file = file("jdk-50-10-100");
    Conversion conversion = new Converter(Options.DEFAULT).convert(List.of(file, file, file));
    assertThat(conversion.profiles().profiles()).hasSize(1);
    assertThat(conversion.profiles().profiles().get(0).samples().size()).isEqualTo(50);
    assertThat(conversion.profiles().profiles().get(0).total()).isEqualTo(150);
    assertThat(conversion.stats().chunks()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "FLR", "hello world, this is long enough to hold a whole chunk header, is it"})
  void namesAFileThatIsNoRecording(String content) throws IOException {
    Path file = Files.writeString(directory.resolve("no.jfr"), content);
    assertThatThrownBy(() -> new Converter(Options.DEFAULT).convert(List.of(file)))
        .isInstanceOf(RecordingException.class)
        .hasMessage(file + (content.isEmpty() ? ": is empty" : ": not a flight recording"));
  }

  @Test
  void oneOfSeveralThatIsNoRecordingIsADamage() throws Exception {
    Path good = file("jdk-50-10-100");
    Path notes = Files.writeString(directory.resolve("no.jfr"), "these are notes");
    Path missing = directory.resolve("missing.jfr");
    Converter converter = new Converter(Options.DEFAULT);
    Conversion conversion = converter.convert(List.of(notes, good, missing, good));
    assertThat(conversion.profiles().profiles().get(0).total()).isEqualTo(100);
    assertThat(conversion.profiles().resource().asMap())
        .containsEntry("buftrail.recording.partial", true);
    assertThat(conversion.damages())
        .map(Damage::toString)
        .containsExactly(notes + ": not a flight recording", missing + ": no such file");
    assertThat(converter.convert(List.of(good)).isPartial()).isFalse();
  }

  @Test
  void severalThatAreNoRecordingsAreAllNamed() throws IOException {
    Path notes = Files.writeString(directory.resolve("no.jfr"), "these are notes");
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThatThrownBy(
            () -> new Converter(Options.DEFAULT).convert(Recording.matching(List.of(notes, empty))))
        .isInstanceOf(RecordingException.class)
        .hasMessage(notes + ": not a flight recording")
        .satisfies(
            failure ->
                assertThat(failure.getSuppressed())
                    .singleElement()
                    .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                    .hasMessage(empty + ": no recordings in this directory"));
  }

  @Test
  void whoIsInterruptedGetsNoPartOfTheRecordings() throws Exception {
    Path file = file("jdk-50-10-100");
    Converter converter =
        new Converter(Options.DEFAULT).progress(bytes -> Thread.currentThread().interrupt());
    assertThatThrownBy(() -> converter.convert(List.of(file, file)))
        .isInstanceOf(RecordingException.class)
        .hasMessage(file + ": cannot be read: interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void namesAMissingFile() {
    Path file = directory.resolve("missing.jfr");
    assertThatThrownBy(() -> new Converter(Options.DEFAULT).convert(List.of(file)))
        .isInstanceOf(RecordingException.class)
        .hasMessage(file + ": no such file");
  }
}
