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
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
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
      return Recordings.resource(name);
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
    "own, jdk.ObjectAllocationSample, eventThread, alloc_sampled, alloc_objects",
    "own, jdk.JavaMonitorEnter, eventThread, lock_enter, contentions",
    "own, jdk.ThreadPark, eventThread, lock_park, contentions",
    "own, jdk.SocketRead, eventThread, socket_read, operations",
    "own, jdk.SocketWrite, eventThread, socket_write, operations",
    "own, jdk.JavaExceptionThrow, eventThread, exceptions, exceptions",
    "jdk-50-10-100.jfr, jdk.ExecutionSample, sampledThread, cpu, samples",
    "jdk-500-50-100.jfr, jdk.ExecutionSample, sampledThread, cpu, samples",
    "dd-500-50-100.jfr, datadog.ExecutionSample, sampledThread, cpu, samples",
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
    "jdk.ObjectAllocationSample, weight, alloc_sampled, alloc_space",
    "jdk.ObjectAllocationOutsideTLAB, allocationSize, alloc, alloc_space",
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

  @Test
  void statsCountEveryEvent() throws Exception {
    Conversion conversion = convert("own");
    Map<String, Long> found = new TreeMap<>();
    for (Stats.Row row : conversion.stats().rows()) {
      found.put(row.event(), row.found());
    }
    Map<String, Long> counts = new TreeMap<>();
    events("own").forEach(e -> counts.merge(e.getEventType().getName(), 1L, Long::sum));
    assertThat(found).isEqualTo(counts);
    assertThat(conversion.stats().bytes()).isEqualTo(Files.size(file("own")));
  }

  @Test
  void samplesCarryTheirSpan() throws Exception {
    Conversion conversion = convert("dd-50-10-100.jfr");
    Map<String, Long> expected = new TreeMap<>();
    for (RecordedEvent event : events("dd-50-10-100.jfr")) {
      expected.merge(
          event.getLong("localRootSpanId") + "/" + event.getLong("spanId"), 1L, Long::sum);
    }
    var profiles = conversion.profiles();
    var samples = profiles.profiles().get(0).samples();
    Map<String, Long> found = new TreeMap<>();
    for (int i = 0; i < samples.size(); i++) {
      int link = samples.link(i);
      var links = profiles.dictionary().links();
      assertThat(links.traceHigh(link)).isZero();
      found.merge(links.traceLow(link) + "/" + links.span(link), samples.sum(i, 0), Long::sum);
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void manyRecordingsBecomeOne() throws Exception {
    Path file = Recordings.resource("jdk-50-10-100.jfr");
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
        .hasMessage(file + ": not a flight recording");
  }

  @Test
  void namesAMissingFile() {
    Path file = directory.resolve("missing.jfr");
    assertThatThrownBy(() -> new Converter(Options.DEFAULT).convert(List.of(file)))
        .isInstanceOf(RecordingException.class)
        .hasMessage(file + ": no such file");
  }
}
