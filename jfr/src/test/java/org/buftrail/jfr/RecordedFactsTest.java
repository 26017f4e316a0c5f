package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Profiles say what a recording says, and no more. */
final class RecordedFactsTest {
  private static final String SAMPLE = "jdk.ExecutionSample";
  private static final String MALLOC = "profiler.Malloc";
  private static final String JVM = "jdk.JVMInformation";

  @TempDir private Path directory;

  private interface Content {
    void write(ChunkFile chunk) throws IOException;
  }

  private byte[] chunk(Content content) throws IOException {
    Path path = Files.createTempFile(directory, "chunk", ".jfr");
    try (ChunkFile chunk = new ChunkFile(path, true)) {
      content.write(chunk);
    }
    return Files.readAllBytes(path);
  }

  private Path write(byte[]... chunks) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] chunk : chunks) {
      all.writeBytes(chunk);
    }
    return Files.write(directory.resolve("made.jfr"), all.toByteArray());
  }

  private Conversion convert(Options options, byte[]... chunks) throws IOException {
    return new Converter(options).convert(List.of(write(chunks)));
  }

  private static Map<String, Long> totals(Profiles profiles) {
    Map<String, Long> totals = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      totals.put(profile.sampleType().type(), profile.total());
    }
    return totals;
  }

  /** A recording may have lost its settings; then those hold that a JDK comes with. */
  @Test
  void withoutASettingThePeriodIsThatOfTheJdk() throws Exception {
    String event = "jdk.NativeMethodSample";
    byte[] chunk = chunk(made -> made.type(event).event(event, made.at(1)));
    Profile profile = convert(Options.DEFAULT, chunk).profiles().profiles().get(0);
    assertThat(profile.periodType()).hasToString("native/nanoseconds");
    assertThat(profile.period()).isEqualTo(20_000_000);
    assertThat(Configuration.getConfiguration("default").getSettings())
        .containsEntry(event + "#period", "20 ms");
  }

  /** As its versions do. */
  @ParameterizedTest
  @ValueSource(strings = {"io.netty.%s", "io.netty.%sEvent", "%sEvent"})
  void nettyNamesItsEventsInThreeWays(String form) throws IOException {
    String allocates = form.replace("%s", "AllocateBuffer");
    String frees = form.replace("%s", "FreeBuffer");
    byte[] chunk =
        chunk(
            made ->
                made.type(allocates, "int size", "boolean direct", "long address")
                    .type(frees, "long address", "boolean direct")
                    .event(allocates, made.at(1).i4(64).flag(true).i8(0x10))
                    .event(allocates, made.at(2).i4(32).flag(true).i8(0x20))
                    .event(frees, made.at(3).i8(0x10).flag(true)));
    assertThat(totals(convert(Options.DEFAULT, chunk).profiles()))
        .containsEntry("allocated_space", 96L)
        .containsEntry("live_space", 32L);
  }

  /** Fields as those who write the events call them; of the JDK's own it is asked for the name. */
  @ParameterizedTest
  @CsvSource({
    "jdk.ExecutionSample, state, thread.state",
    "jdk.NativeMethodSample, state, thread.state",
    "datadog.ExecutionSample, state, thread.state",
    "datadog.MethodSample, state, thread.state",
    "profiler.WallClockSample, state, thread.state",
    "jdk.JavaMonitorEnter, monitorClass, jvm.lock.class.name",
    "jdk.JavaMonitorWait, monitorClass, jvm.lock.class.name",
    "jdk.ThreadPark, parkedClass, jvm.lock.class.name",
    "jdk.ObjectAllocationInNewTLAB, objectClass, jvm.class.name",
    "jdk.ObjectAllocationOutsideTLAB, objectClass, jvm.class.name",
    "jdk.ObjectAllocationSample, objectClass, jvm.class.name",
    "jdk.OldObjectSample, object, jvm.class.name",
    "datadog.ObjectSample, objectClass, jvm.class.name",
    "datadog.HeapLiveObject, objectClass, jvm.class.name",
    "profiler.LiveObject, objectClass, jvm.class.name",
    "jdk.JavaExceptionThrow, thrownClass, exception.type",
    "jdk.JavaErrorThrow, thrownClass, exception.type",
    "buftrail.DoubleRelease, kind, buftrail.misuse.kind",
    "buftrail.DoubleRelease, place, buftrail.misuse.place",
  })
  void whatAnEventNamesIsAnAttribute(String event, String field, String key) throws IOException {
    byte[] chunk =
        chunk(
            made ->
                made.type(event, "long count", "String " + field)
                    .event(event, made.at(1).i8(1).chars("named")));
    Profiles profiles = convert(Options.DEFAULT, chunk).profiles();
    int set = profiles.profiles().get(0).samples().attributeSet(0);
    assertThat(Flattened.attribute(profiles.dictionary(), set, key)).isEqualTo("named");
    if (event.startsWith("jdk.")) {
      assertThat(FlightRecorder.getFlightRecorder().getEventTypes())
          .filteredOn(type -> type.getName().equals(event))
          .singleElement()
          .satisfies(type -> assertThat(type.getField(field)).isNotNull());
    }
  }

  @Test
  void fractionsOfObjectsAddUp() throws IOException {
    byte[] chunk =
        chunk(
            made -> {
              made.type("datadog.ObjectSample", "long size", "float weight");
              for (int i = 0; i < 1000; i++) {
                made.event("datadog.ObjectSample", made.at(i).i8(100).f4(1.4f));
              }
            });
    assertThat(totals(convert(Options.DEFAULT, chunk).profiles()))
        .isEqualTo(Map.of("allocated_objects", 1400L, "allocated_space", 140_000L));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void sumsStayAtTheEndOfTheirRange(int events) throws IOException {
    byte[] chunk =
        chunk(
            made -> {
              made.type("my.Event", "long amount");
              for (int i = 0; i < events; i++) {
                made.event("my.Event", made.at(i).i8(Long.MAX_VALUE));
              }
            });
    Options options = Options.DEFAULT.events(List.of(Options.Event.parse("my.Event:amount")));
    assertThat(totals(convert(options, chunk, chunk).profiles()))
        .containsEntry("amount", Long.MAX_VALUE);
  }

  @Test
  void aSpanOfAKnownTraceIsALink() throws IOException {
    byte[] chunk =
        chunk(
            made ->
                made.type(
                        SAMPLE,
                        "long spanId",
                        "long traceIdHi",
                        "long traceIdLo",
                        "pooled String spanName",
                        "long contextId")
                    .constant(3, "GET /orders")
                    .event(SAMPLE, made.at(1).i8(0x77).i8(0x11).i8(0x22).i8(3).i8(9))
                    .event(SAMPLE, made.at(2).i8(0).i8(0).i8(0).i8(0).i8(0)));
    Profiles profiles = convert(Options.DEFAULT, chunk).profiles();
    var samples = profiles.profiles().get(0).samples();
    var links = profiles.dictionary().links();
    assertThat(samples.size()).isEqualTo(2);
    assertThat(links.span(samples.link(0))).isEqualTo(0x77);
    assertThat(links.traceHigh(samples.link(0))).isEqualTo(0x11);
    assertThat(links.traceLow(samples.link(0))).isEqualTo(0x22);
    int set = samples.attributeSet(0);
    assertThat(Flattened.attribute(profiles.dictionary(), set, "span_name"))
        .isEqualTo("GET /orders");
    assertThat(Flattened.attribute(profiles.dictionary(), set, "context_id")).isEqualTo("9");
    assertThat(samples.link(1)).isZero();
    assertThat(profiles.dictionary().attributeSets().length(samples.attributeSet(1))).isZero();
  }

  @Test
  void aSpanOfAnUnknownTraceIsAnAttribute() throws IOException {
    byte[] chunk =
        chunk(made -> made.type(SAMPLE, "long spanId").event(SAMPLE, made.at(1).i8(0xabc).i8(3)));
    Profiles profiles = convert(Options.DEFAULT, chunk).profiles();
    var samples = profiles.profiles().get(0).samples();
    assertThat(samples.link(0)).isZero();
    assertThat(Flattened.attribute(profiles.dictionary(), samples.attributeSet(0), "profile_id"))
        .isEqualTo("0000000000000abc");
  }

  @Test
  void whatTheJvmDidNotWriteIsANote() throws IOException {
    byte[] chunk =
        chunk(
            made ->
                made.type(SAMPLE, "pooled StackTrace stackTrace")
                    .lostStack(1)
                    .event(SAMPLE, made.at(1).i8(1))
                    .event(SAMPLE, made.at(2).i8(77)));
    Conversion conversion = convert(Options.DEFAULT, chunk, chunk);
    assertThat(conversion.damages()).isEmpty();
    assertThat(conversion.notes())
        .containsExactly(
            "not in the recording, because its JVM did not write them: the stack traces of 2 of 4"
                + " jdk.ExecutionSample events (50.0 %) and names of classes, methods or threads in"
                + " 2 chunks");
  }

  @Test
  void aProfileWithHardlyAnyStackIsSaidToSayLittle() throws IOException {
    byte[] chunk =
        chunk(
            made -> {
              made.type(SAMPLE, "pooled StackTrace stackTrace");
              for (int i = 0; i < 3; i++) {
                made.event(SAMPLE, made.at(i).i8(77));
              }
            });
    Conversion conversion = convert(Options.DEFAULT, chunk);
    assertThat(conversion.notes())
        .containsExactly(
            "not in the recording, because its JVM did not write them: the stack traces of 3 of 3"
                + " jdk.ExecutionSample events (100.0 %)",
            "a profile of jdk.ExecutionSample says little: more than half of the stack traces are"
                + " missing");
  }

  @Test
  void buffersWithoutAnAddressAreCountedAndMarkThePartialProfile() throws IOException {
    byte[] chunk =
        chunk(
            made -> {
              made.type("io.netty.AllocateBuffer", "int size", "boolean direct", "long address");
              for (int i = 0; i < 4; i++) {
                made.event("io.netty.AllocateBuffer", made.at(i).i4(8).flag(true).i8(i % 2));
              }
            });
    Conversion conversion = convert(Options.DEFAULT, chunk);
    assertThat(conversion.notes())
        .containsExactly(
            "2 of 4 io.netty.AllocateBuffer events (50.0 %) have no address and are not in"
                + " netty_live");
    assertThat(conversion.profiles().resource().asMap())
        .containsEntry("buftrail.recording.partial", true);
  }

  @Test
  void chunksArePairedByThemselves() throws IOException {
    byte[] chunk =
        chunk(
            made -> {
              made.type("io.netty.AllocateBuffer", "int size", "boolean direct", "long address");
              made.type("io.netty.FreeBuffer", "boolean direct", "long address");
              made.type("io.netty.AllocateChunk", "int capacity", "boolean direct", "long address");
              made.type("io.netty.FreeChunk", "boolean direct", "long address");
              made.event("io.netty.AllocateChunk", made.at(1).i4(4_096).flag(true).i8(0x1000));
              made.event("io.netty.AllocateChunk", made.at(1).i4(8_192).flag(true).i8(0x4000));
              made.event("io.netty.AllocateBuffer", made.at(2).i4(8).flag(true).i8(0x1000));
              // The buffer lies where the chunk begins, and the chunk stays.
              made.event("io.netty.FreeBuffer", made.at(3).flag(true).i8(0x1000));
              made.event("io.netty.FreeChunk", made.at(4).flag(true).i8(0x4000));
              made.event("io.netty.AllocateChunk", made.at(5).i4(64).flag(true).i8(0));
              made.event("io.netty.AllocateChunk", made.at(5).i4(64).flag(false).i8(0));
            });
    Conversion conversion = convert(Options.DEFAULT, chunk);
    assertThat(total(conversion.profiles(), "netty_chunks", "allocated_space"))
        .isEqualTo(4_096 + 8_192 + 64);
    assertThat(total(conversion.profiles(), "netty_chunks_live", "live_space")).isEqualTo(4_096);
    assertThat(total(conversion.profiles(), "netty_chunks_live", "live_objects")).isEqualTo(1);
    assertThat(conversion.notes())
        .containsExactly(
            "1 of 3 io.netty.AllocateChunk events (33.3 %) have no address and are not in"
                + " netty_chunks_live");
  }

  private static long total(Profiles profiles, String name, String type) {
    return profiles.profiles().stream()
        .filter(profile -> profile.name().equals(name) && profile.sampleType().type().equals(type))
        .mapToLong(Profile::total)
        .sum();
  }

  /**
   * A recording of a JVM without its number, whose ticks began some time after those of the first.
   */
  private byte[] mallocs(long start, long later) throws IOException {
    return chunk(
        made ->
            made.type(MALLOC, "long address", "long size")
                .beginning(ChunkFile.START_NANOS + start + later, start)
                .event(MALLOC, made.at(start + 1).i8(0x10).i8(10)));
  }

  private static long unfreed(Profiles profiles) {
    return profiles.profiles().stream()
        .filter(profile -> profile.name().equals("nativemem_unfreed") && profile.column() == 0)
        .mapToLong(Profile::total)
        .sum();
  }

  /** What one process allocated is not that of another where the address is the same. */
  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "9999999999, 1",
    "-9999999999, 1",
    "10000000000, 2",
    "-10000000000, 2",
    "3600000000000, 2",
  })
  void processesAreToldApartByTheirClocks(long later, long live) throws IOException {
    Conversion both = convert(Options.DEFAULT, mallocs(0, 0), mallocs(100, later));
    assertThat(unfreed(both.profiles())).isEqualTo(live);
  }

  /** One of two processes of a host whose ticks count from when the host was started. */
  private byte[] mallocs(long start, long pid, long address) throws IOException {
    return chunk(
        made ->
            made.type(JVM, "long pid")
                .type(MALLOC, "long address", "long size")
                .beginning(ChunkFile.START_NANOS + start, start)
                .event(JVM, made.at(start).i8(pid))
                .event(MALLOC, made.at(start + 1).i8(address).i8(10)));
  }

  @ParameterizedTest
  @CsvSource({"7, 1", "8, 2"})
  void processesAreToldApartByTheirNumbers(long other, long live) throws IOException {
    Profiles profiles =
        convert(Options.DEFAULT, mallocs(0, 7, 0x10), mallocs(100, other, 0x10)).profiles();
    assertThat(unfreed(profiles)).isEqualTo(live);
  }

  @ParameterizedTest
  @CsvSource({"0, 'JDK 7 or 8, or async-profiler 1 (format 0.9)'", "1, JDK 9 or 10 (format 1.0)"})
  void earlierFormatsAreNamed(short major, String writer) throws IOException {
    byte[] chunk = chunk(made -> made.type(SAMPLE).event(SAMPLE, made.at(1)));
    ByteBuffer.wrap(chunk).putShort(4, major);
    assertThatThrownBy(() -> convert(Options.DEFAULT, chunk))
        .isInstanceOf(RecordingException.class)
        .hasMessageEndingWith("a recording of " + writer + ", which JDK Mission Control reads");
  }

  /** It once took a read for each of the bytes that were gone. */
  @Test
  @Timeout(60)
  void aRecordingThatIsCutMeanwhileEndsThere() throws IOException {
    byte[] chunk = chunk(made -> made.type(SAMPLE).event(SAMPLE, made.at(1)));
    byte[] large =
        chunk(
            made -> {
              made.type(SAMPLE).type("my.Large");
              made.hole("my.Large", 20 << 20);
            });
    Path file = write(chunk, large, chunk);
    Converter converter =
        new Converter(Options.DEFAULT)
            .progress(
                bytes -> {
                  try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    cut.truncate(chunk.length);
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
    Conversion conversion = converter.convert(List.of(file));
    assertThat(totals(conversion.profiles())).containsEntry("samples", 1L);
    assertThat(conversion.isPartial()).isTrue();
  }
}
