package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code --without} leaves of samples. */
final class WithoutAttributesTest {
  private static final Path RECORDINGS = Path.of("../jfr/src/test/resources/recordings");
  private static final String THREADS = "thread.id,thread.name";

  /** What recordings say of samples, but for what their own types name. */
  private static final String ALL =
      "thread.name,thread.id,thread.state,jvm.class.name,jvm.lock.class.name,exception.type,"
          + "jfr.stack.truncated,profiler.span.tag,span_name,profile_id,context_id,"
          + "datadog.span.id,datadog.local_root_span.id,code.function.name,netty.allocator,"
          + "buftrail.flow.direct,buftrail.misuse.kind,buftrail.misuse.place";

  @TempDir private Path directory = Path.of("");

  static Stream<Path> recordings() throws IOException {
    try (Stream<Path> files = Files.list(RECORDINGS)) {
      return files.sorted().toList().stream();
    }
  }

  private DecodedOtlp convert(Path from, String... options) throws IOException {
    Path out = directory.resolve("x.otlp");
    List<String> line =
        new ArrayList<>(List.of("convert", from.toString(), "-o", out.toString(), "--lenient"));
    line.addAll(List.of(options));
    Run run = Run.of(line.toArray(new String[0]));
    assertThat(run.exit()).as(run.err()).isZero();
    Run check = Run.of("check", out.toString());
    assertThat(check.exit()).as(check.out() + check.err()).isZero();
    return DecodedOtlp.protobuf(out);
  }

  private static Run run(Path from, Path out, String without) {
    return Run.of("convert", from.toString(), "-o", out.toString(), "--without", without);
  }

  /** The sum of each profile, in their order. */
  private static List<Long> sums(DecodedOtlp decoded) {
    List<Long> sums = new ArrayList<>();
    for (Profile profile : decoded.profiles()) {
      sums.add(
          profile.getSamplesList().stream()
              .flatMapToLong(
                  sample ->
                      sample.getValuesCount() == 0
                          ? LongStream.of(sample.getTimestampsUnixNanoCount())
                          : sample.getValuesList().stream().mapToLong(Long::longValue))
              .sum());
    }
    return sums;
  }

  private static Map<String, Integer> keys(DecodedOtlp decoded) {
    Map<String, Integer> keys = new TreeMap<>();
    for (Profile profile : decoded.profiles()) {
      for (Sample sample : profile.getSamplesList()) {
        decoded
            .attributes(sample.getAttributeIndicesList())
            .keySet()
            .forEach(key -> keys.merge(key, 1, Integer::sum));
      }
    }
    return keys;
  }

  private static int samples(DecodedOtlp decoded) {
    return decoded.profiles().stream().mapToInt(Profile::getSamplesCount).sum();
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void sumsStayAndNoTwoSamplesAreEqual(Path recording) throws IOException {
    DecodedOtlp whole = convert(recording);
    DecodedOtlp left = convert(recording, "--without", THREADS);
    assertThat(sums(left)).isEqualTo(sums(whole));
    assertThat(keys(left)).doesNotContainKeys("thread.id", "thread.name");
    for (Profile profile : left.profiles()) {
      Set<List<Object>> seen = new HashSet<>();
      for (Sample sample : profile.getSamplesList()) {
        Set<Integer> attributes = new HashSet<>(sample.getAttributeIndicesList());
        assertThat(seen.add(List.of(sample.getStackIndex(), sample.getLinkIndex(), attributes)))
            .as("samples of one stack, link and attributes")
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void everyAttributeThatARecordingGivesCanBeLeftOut(Path recording) throws IOException {
    assertThat(keys(convert(recording, "--without", ALL)).keySet()).isEmpty();
  }

  @Test
  void samplesOfSeveralThreadsBecomeOne() throws IOException {
    Path recording = RECORDINGS.resolve("jdk25.jfr.gz");
    DecodedOtlp whole = convert(recording);
    assertThat(keys(whole)).containsKeys("thread.id", "thread.name");
    assertThat(samples(convert(recording, "--without", THREADS))).isLessThan(samples(whole));
  }

  @Test
  void timesAreKept() throws IOException {
    Path recording = RECORDINGS.resolve("jdk25.jfr.gz");
    DecodedOtlp whole = convert(recording, "--timestamps");
    DecodedOtlp left = convert(recording, "--timestamps", "--without", THREADS);
    assertThat(times(left)).isEqualTo(times(whole)).isNotEmpty();
    assertThat(sums(left)).isEqualTo(sums(whole));
  }

  private static List<Long> times(DecodedOtlp decoded) {
    return decoded.profiles().stream()
        .flatMap(profile -> profile.getSamplesList().stream())
        .flatMap(sample -> sample.getTimestampsUnixNanoList().stream())
        .sorted()
        .toList();
  }

  @Test
  void threadsAreStillSelectedByThem() throws IOException {
    Path recording = RECORDINGS.resolve("async-profiler.jfr.gz");
    DecodedOtlp whole = convert(recording, "--state", "runnable");
    DecodedOtlp left = convert(recording, "--state", "runnable", "--without", "thread.state");
    assertThat(sums(left)).isEqualTo(sums(whole)).isNotEmpty();
  }

  @Test
  void profilesOfOtherFormsLoseAttributesToo() throws IOException {
    Path pprof = directory.resolve("cpu.pb.gz");
    Path recording = RECORDINGS.resolve("jdk25.jfr.gz");
    Run run =
        Run.of("convert", recording.toString(), "-o", pprof.toString(), "--profile", "lock_enter");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(keys(convert(pprof))).containsKeys("thread", "thread id");
    assertThat(keys(convert(pprof, "--without", "thread,thread id")))
        .containsOnlyKeys("jvm.lock.class.name");
  }

  @Test
  void knownNamesNeedNotBeThere() throws IOException {
    Path stacks = Files.writeString(directory.resolve("x.collapsed"), "main;a 3\n");
    assertThat(sums(convert(stacks, "--without", ALL))).containsExactly(3L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x.otlp", "x.html", "x.pb.gz", "dir/"})
  void anUnknownNameIsOneLineAndNothingIsWritten(String out) throws IOException {
    Path recording = RECORDINGS.resolve("jdk25.jfr.gz");
    Path target = directory.resolve(out);
    if (out.endsWith("/")) {
      Files.createDirectory(target);
    }
    Run run = run(recording, target, "thread.id,thread-name");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .startsWith("buftrail: --without: no sample has the attribute thread-name, but ")
        .contains("thread.name");
    try (Stream<Path> written = Files.walk(directory)) {
      assertThat(written.filter(Files::isRegularFile)).isEmpty();
    }
  }
}
