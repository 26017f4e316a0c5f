package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.Sample;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every form of an output says the same, for every profile of every recording of the tests. Forms
 * are read by the published classes of their formats; none is expected to be right by itself, so
 * each is held against the others, and the plain form against the JDK's reader elsewhere.
 */
final class FormsAgreeTest {
  private static final Path RECORDINGS = Path.of("../jfr/src/test/resources/recordings");

  private static final String MAIN = "org.buftrail.cli.Main";

  /** What each recording is without options, for all tests. */
  private static final Map<String, DecodedOtlp> PLAIN = new HashMap<>();

  @TempDir private Path directory;

  static List<String> recordings() throws IOException {
    try (Stream<Path> files = Files.list(RECORDINGS)) {
      List<String> names = files.map(file -> file.getFileName().toString()).sorted().toList();
      assertThat(names).hasSizeGreaterThanOrEqualTo(10);
      return names;
    }
  }

  private Path convert(String recording, String target, String... options) {
    Path output = directory.resolve(target);
    List<String> args = new ArrayList<>();
    Collections.addAll(args, "convert", RECORDINGS.resolve(recording).toString(), "--lenient");
    Collections.addAll(args, "-o", output.toString());
    Collections.addAll(args, options);
    Run run = Run.of(args.toArray(new String[0]));
    assertThat(run.exit()).as(run.err()).isZero();
    return output;
  }

  private DecodedOtlp plain(String recording) throws IOException {
    DecodedOtlp known = PLAIN.get(recording);
    if (known == null) {
      known = DecodedOtlp.protobuf(convert(recording, "plain.otlp"));
      assertThat(known.profiles()).isNotEmpty();
      PLAIN.put(recording, known);
    }
    return known;
  }

  private List<Path> files(String glob) throws IOException {
    List<Path> found = new ArrayList<>();
    try (var files = Files.newDirectoryStream(directory, glob)) {
      files.forEach(found::add);
    }
    Collections.sort(found);
    return found;
  }

  /** Says only what differs: all of it would be megabytes. */
  private static <T> void assertSame(
      Map<String, Map<String, T>> found, Map<String, Map<String, T>> expected) {
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (name, samples) -> {
          Map<String, T> others = new TreeMap<>(Objects.requireNonNull(found.get(name)));
          Map<String, T> missing = new TreeMap<>(samples);
          others.entrySet().removeAll(samples.entrySet());
          missing.entrySet().removeAll(Objects.requireNonNull(found.get(name)).entrySet());
          // A recording without sizes, among others with them, has sizes of 0.
          others.values().removeIf(value -> value.equals(0L));
          missing.values().removeIf(value -> value.equals(0L));
          assertThat(others).as("found in %s", name).isEqualTo(missing);
        });
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void timesAddUpToTheSums(String recording) throws IOException {
    Map<String, Map<String, Long>> sums = plain(recording).sums();
    DecodedOtlp observed =
        DecodedOtlp.protobuf(convert(recording, "observed.otlp", "--timestamps"));
    Map<String, Map<String, Integer>> counts = observed.observations();
    Map<String, Map<String, Long>> found = observed.sums();
    assertThat(found.keySet()).isEqualTo(sums.keySet());
    sums.forEach(
        (profile, samples) -> {
          Map<String, Long> values = Objects.requireNonNull(found.get(profile));
          assertThat(values.keySet()).as(profile).isEqualTo(samples.keySet());
          // Ticks are rounded to nanoseconds once for a sum, and once for each observation.
          boolean rounds = profile.contains("/nanoseconds per ");
          samples.forEach(
              (key, sum) ->
                  assertThat(values.get(key))
                      .as("%s: %s", profile, key)
                      .isCloseTo(sum, within(rounds ? count(counts, profile, key) + 8L : 0L)));
        });
    counts.forEach(
        (profile, times) ->
            assertThat(times.values())
                .as(profile)
                .allMatch(n -> isSampledTime(profile, sums.keySet()) ? n == 0 : n > 0));
    observed.profiles().forEach(FormsAgreeTest::assertTimesLieInTheProfile);
  }

  private static int count(Map<String, Map<String, Integer>> counts, String name, String key) {
    return Objects.requireNonNull(Objects.requireNonNull(counts.get(name)).get(key));
  }

  private static void assertTimesLieInTheProfile(Profile profile) {
    long start = profile.getTimeUnixNano();
    for (Sample sample : profile.getSamplesList()) {
      for (long time : sample.getTimestampsUnixNanoList()) {
        assertThat(time).isBetween(start, start + profile.getDurationNano());
      }
      if (sample.getValuesCount() > 0 && sample.getTimestampsUnixNanoCount() > 0) {
        assertThat(sample.getValuesCount()).isEqualTo(sample.getTimestampsUnixNanoCount());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void jsonIsTheSameMessageAsProtobuf(String recording) throws IOException {
    Path compact = convert(recording, "compact.json");
    assertThat(DecodedOtlp.json(compact).data).isEqualTo(plain(recording).data);
    Path pretty = convert(recording, "pretty.json", "--timestamps", "--pretty");
    assertThat(DecodedOtlp.json(pretty).data)
        .isEqualTo(DecodedOtlp.protobuf(convert(recording, "a.otlp", "--timestamps")).data);
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void partsAddUpToTheWhole(String recording) throws IOException {
    for (String form : List.of("--norm", "--timestamps")) {
      Path whole = convert(recording, "whole.otlp", form);
      long limit = Math.max(12_000, Files.size(whole) / 4);
      convert(recording, "part" + form + ".otlp", form, "--split", String.valueOf(limit));
      List<Path> parts = files("part" + form + "*.otlp");
      assertThat(parts.size()).isGreaterThan(Files.size(whole) > limit ? 1 : 0);
      Map<String, Map<String, Long>> sums = new TreeMap<>();
      Map<String, Map<String, Integer>> counts = new TreeMap<>();
      for (Path part : parts) {
        assertThat(Files.size(part)).isLessThanOrEqualTo(limit);
        DecodedOtlp decoded = DecodedOtlp.protobuf(part);
        decoded.sums().forEach((name, more) -> merge(sums, name, more, Long::sum));
        decoded.observations().forEach((name, more) -> merge(counts, name, more, Integer::sum));
      }
      assertSame(sums, DecodedOtlp.protobuf(whole).sums());
      assertSame(counts, DecodedOtlp.protobuf(whole).observations());
    }
  }

  private static <T extends Number> void merge(
      Map<String, Map<String, T>> all, String name, Map<String, T> more, BinaryOperator<T> sum) {
    Map<String, T> known = all.computeIfAbsent(name, n -> new TreeMap<>());
    more.forEach((key, value) -> known.merge(key, value, sum));
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void pprofSaysWhatOtlpSays(String recording) throws IOException {
    DecodedOtlp otlp = plain(recording);
    Map<String, Map<String, Long>> expected = new TreeMap<>();
    for (Profile profile : otlp.profiles()) {
      Map<String, Long> sums = new TreeMap<>();
      for (Sample sample : profile.getSamplesList()) {
        sums.merge(otlp.frames(sample) + labels(otlp, sample), sample.getValues(0), Long::sum);
      }
      String name = otlp.name(profile);
      merge(expected, name, sums, Long::sum);
    }
    convert(recording, "p.pb.gz");
    Map<String, Map<String, Long>> found = new TreeMap<>();
    for (Path file : files("p*.pb.gz")) {
      DecodedPprof pprof = DecodedPprof.of(file);
      for (int i = 0; i < pprof.names().size(); i++) {
        merge(found, pprof.names().get(i), pprof.sums(i), Long::sum);
      }
    }
    assertSame(found, expected);
  }

  /** Whether it is the time of samples that another profile counts. */
  private static boolean isSampledTime(String name, Set<String> all) {
    String period = name.split(" per ", 2)[1];
    return name.startsWith(period.split(" ", 2)[1] + " per ")
        && all.contains("samples/count per " + period);
  }

  /** Those that messages and pprof have the time of, too. */
  private static boolean countsSamplesOfTime(String name) {
    return name.matches("samples/count per [1-9][0-9]* .*/nanoseconds");
  }

  /** The labels that pprof's tools know a thread and a span by. */
  private static Map<String, String> labels(DecodedOtlp otlp, Sample sample) {
    Map<String, String> labels = new TreeMap<>();
    otlp.attributes(sample.getAttributeIndicesList())
        .forEach(
            (key, value) ->
                labels.put(
                    Map.of("thread.name", "thread", "thread.id", "thread id")
                        .getOrDefault(key, key),
                    value));
    Link link = otlp.data.getDictionary().getLinkTable(sample.getLinkIndex());
    if (sample.getLinkIndex() > 0) {
      labels.put("trace_id", HexFormat.of().formatHex(link.getTraceId().toByteArray()));
      labels.put("span_id", HexFormat.of().formatHex(link.getSpanId().toByteArray()));
    }
    return labels;
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void collapsedStacksSayWhatPprofSays(String recording) throws IOException {
    convert(recording, "p.pb.gz", "--norm");
    convert(recording, "counts.collapsed", "--norm", "--lines");
    convert(recording, "totals.collapsed", "--norm", "--lines", "--total");
    List<Path> all = files("p*.pb.gz");
    assertThat(files("counts*.collapsed")).hasSameSizeAs(all);
    for (Path file : all) {
      DecodedPprof pprof = DecodedPprof.of(file);
      String name = file.getFileName().toString().replaceAll("^p|\\.pb\\.gz$", "");
      int last = countsSamplesOfTime(pprof.names().get(0)) ? 0 : pprof.names().size() - 1;
      assertThat(collapsed("counts" + name)).as(name).isEqualTo(stacks(pprof.sums(0)));
      assertThat(collapsed("totals" + name)).as(name).isEqualTo(stacks(pprof.sums(last)));
    }
  }

  /** Sums by frames and thread as collapsed stacks have them: by frames alone, without zeros. */
  private static Map<String, Long> stacks(Map<String, Long> sums) {
    Map<String, Long> stacks = new TreeMap<>();
    sums.forEach((key, value) -> stacks.merge(stack(key), value, Long::sum));
    stacks.values().removeIf(value -> value == 0);
    return stacks;
  }

  private static String stack(String key) {
    List<String> frames = new ArrayList<>();
    String text = key.substring(0, key.lastIndexOf("\n{") + 1);
    text.lines().forEach(frame -> frames.add(0, frame.replaceFirst(":0$", "").replace(';', ':')));
    return frames.isEmpty() ? "[no stack]" : String.join(";", frames);
  }

  private Map<String, Long> collapsed(String name) throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    for (String line : Files.readAllLines(directory.resolve(name + ".collapsed"))) {
      int blank = line.lastIndexOf(' ');
      sums.merge(line.substring(0, blank), Long.valueOf(line.substring(blank + 1)), Long::sum);
    }
    return sums;
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void eachKindAloneIsItsPartOfAll(String recording) throws IOException {
    Map<String, Map<String, Long>> all = plain(recording).sums();
    Map<String, Map<String, Long>> found = new TreeMap<>();
    for (String kind :
        List.of(
            "cpu",
            "wall",
            "alloc",
            "live",
            "lock",
            "nativemem",
            "netty",
            "io",
            "exceptions",
            "trace",
            "gc")) {
      for (DecodedOtlp alone : alone(recording, kind)) {
        alone.sums().forEach((name, sums) -> assertThat(found.put(name, sums)).isNull());
      }
    }
    assertSame(found, all);
  }

  private List<DecodedOtlp> alone(String recording, String kind) throws IOException {
    Path output = directory.resolve(kind + ".otlp");
    Run.of(
        "convert",
        RECORDINGS.resolve(recording).toString(),
        "--lenient",
        "--" + kind,
        "-o",
        output.toString());
    return Files.exists(output) ? List.of(DecodedOtlp.protobuf(output)) : List.of();
  }

  /** In one run of one processor and little memory, and in another of eight and much. */
  @Test
  void processorsAndMemoryChangeNothing() throws Exception {
    List<Process> running =
        List.of(
            fork("few", "-XX:ActiveProcessorCount=1", "-Xmx64m"),
            fork("many", "-XX:ActiveProcessorCount=8", "-Xmx1g"));
    for (Process process : running) {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
    }
    for (String recording : recordings()) {
      String output = recording.replace(".jfr.gz", ".otlp");
      Map<String, Map<String, Long>> sums = plain(recording).sums();
      for (String run : List.of("few", "many")) {
        assertSame(DecodedOtlp.protobuf(directory.resolve(run).resolve(output)).sums(), sums);
      }
    }
  }

  private Process fork(String name, String... settings) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Collections.addAll(command, settings);
    Collections.addAll(command, "-cp", System.getProperty("java.class.path"), MAIN);
    Collections.addAll(command, "convert", RECORDINGS.toString(), "--lenient");
    Collections.addAll(command, "-o", directory.resolve(name) + "/");
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  @Test
  void recordingsInOneOutputAddUp() throws IOException {
    Map<String, Map<String, Long>> expected = new TreeMap<>();
    for (String recording : recordings()) {
      plain(recording).sums().forEach((name, more) -> merge(expected, name, more, Long::sum));
    }
    DecodedOtlp all = DecodedOtlp.protobuf(convert("", "all.otlp"));
    assertSame(all.sums(), expected);
  }
}
