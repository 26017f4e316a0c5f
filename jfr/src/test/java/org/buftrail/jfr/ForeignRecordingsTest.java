package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Recordings that others made, below {@code -Drecordings=FOLDER}: beside the JDK's own reader, and
 * beside what jfr-parser's golden files say where they lie next to a recording.
 */
@EnabledIfSystemProperty(named = "recordings", matches = ".+")
final class ForeignRecordingsTest {
  private static final String GOLDEN = "_expected_collapsed.txt.gz";

  /** Nanoseconds that jfr-parser counts for each sample. */
  private static final long SAMPLE = 10_000_000;

  @TempDir private Path directory = Path.of("");

  static List<Path> recordings() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(System.getProperty("recordings", ".")))) {
      return files.filter(f -> f.toString().matches(".*\\.jfr(\\.gz)?")).sorted().toList();
    }
  }

  /** The recording as the JDK's reader sees it; null if that cannot read it. */
  private @Nullable List<RecordedEvent> events(Path recording) throws IOException {
    Path file = directory.resolve("plain.jfr");
    try (InputStream in = Files.newInputStream(recording)) {
      Files.copy(recording.toString().endsWith(".gz") ? new GZIPInputStream(in) : in, file);
    }
    try {
      return RecordingFile.readAllEvents(file);
    } catch (IOException | RuntimeException | InternalError e) {
      return null;
    }
  }

  private static boolean isOfAsyncProfiler(List<RecordedEvent> events) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("jdk.ActiveSetting"))
        .anyMatch(event -> "version".equals(event.getString("name")));
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void sumsAreThoseOfTheJdksReader(Path recording) throws IOException {
    Conversion conversion;
    try {
      conversion = new Converter(Options.DEFAULT).convert(List.of(recording));
    } catch (RecordingException e) {
      assertThat(e).hasMessageContaining("a recording of JDK ");
      return;
    }
    List<RecordedEvent> read = events(recording);
    assumeTrue(read != null, "the JDK's reader cannot read it");
    List<RecordedEvent> events = Objects.requireNonNull(read);
    Profiles profiles = conversion.profiles();
    boolean isAsync = isOfAsyncProfiler(events);
    boolean isOfJdkAlone =
        !isAsync
            && conversion.notes().isEmpty()
            && conversion.damages().isEmpty()
            && events.stream().noneMatch(e -> e.getEventType().getName().startsWith("datadog."));
    if (isAsync) {
      long samples = total(profiles, "cpu samples") + total(profiles, "wall samples");
      assertThat(samples).isEqualTo(samplesOfAsyncProfiler(events));
    }
    for (String name : JdkSums.names()) {
      boolean isByState = name.equals("cpu samples") || name.equals("wall samples");
      if (!(isAsync && isByState)) {
        compare(profiles, name, events, isOfJdkAlone);
      }
    }
  }

  private static void compare(
      Profiles profiles, String name, List<RecordedEvent> events, boolean byStack) {
    Map<String, Long> expected = JdkSums.of(events, name);
    long sum = expected.values().stream().mapToLong(Long::longValue).sum();
    boolean isTime = name.endsWith("time") || name.endsWith("delay") || name.endsWith(" cpu");
    // What is added up here are whole nanoseconds and whole weights of Datadog's samples.
    // Of few, less than half: a profile that is missing is no matter of rounding.
    long most = Math.min(events.size(), (sum + 1) / 2);
    long rounded = isTime || name.contains("_datadog ") ? most : 0;
    assertThat(total(profiles, name)).as(name).isCloseTo(sum, within(rounded));
    for (Profile profile : profiles.profiles()) {
      boolean isIt = name.equals(profile.name() + " " + profile.sampleType().type());
      if (isIt && byStack && JdkSums.isByStack(name)) {
        EveryKindTest.assertSums(
            name, profile, EveryKindTest.found(profiles, profile, false), expected);
      }
    }
  }

  /** It counts no event without a stack. */
  @ParameterizedTest
  @MethodSource("recordings")
  void sumsAreThoseOfJfrParser(Path recording) throws IOException {
    String name = recording.getFileName().toString().replaceAll("\\.jfr(\\.gz)?$", "");
    List<Path> goldens = new ArrayList<>();
    try (Stream<Path> files = Files.list(recording.resolveSibling("."))) {
      String pattern = Pattern.quote(name) + "_[0-9]_.*" + Pattern.quote(GOLDEN);
      files
          .filter(file -> file.getFileName().toString().matches(pattern))
          .filter(file -> !file.toString().contains("_with_truncated_frame_"))
          .forEach(goldens::add);
    }
    assumeTrue(!goldens.isEmpty(), "no golden files of it");
    Profiles profiles = new Converter(Options.DEFAULT).convert(List.of(recording)).profiles();
    Map<String, long[]> series = new TreeMap<>();
    for (Path golden : goldens) {
      series.put(golden.getFileName().toString().substring(name.length() + 3), sums(golden));
    }
    Map<String, long[]> theirs = new TreeMap<>();
    series.forEach(
        (each, sums) ->
            theirs.merge(profile(each), sums, (x, y) -> new long[] {x[0] + y[0], x[1] + y[1]}));
    long cpu = theirs.getOrDefault("cpu samples", new long[1])[0] / SAMPLE;
    long onCpu = stacked(profiles, "cpu samples");
    long offCpu = stacked(profiles, "wall samples");
    // Beside a wall clock, jfr-parser counts as cpu what the wall clock saw running too.
    assertThat(cpu).isBetween(onCpu, onCpu + offCpu);
    long[] wall = theirs.get("wall samples");
    if (wall != null) {
      assertThat(wall[0] / SAMPLE).isEqualTo(onCpu + offCpu);
    }
    theirs.keySet().removeAll(List.of("wall samples", "cpu samples"));
    theirs.forEach(
        (profile, sums) -> {
          assertThat(stacked(profiles, profile)).as(profile).isEqualTo(sums[0]);
          // Its delays are ticks.
          if (profile.endsWith("_objects") && sums[1] != 0) {
            String bytes = profile.replace("_objects", "_space");
            assertThat(stacked(profiles, bytes)).as(bytes).isEqualTo(sums[1]);
          }
        });
  }

  /** Our profile for a series of jfr-parser. */
  private static String profile(String series) {
    return switch (series.substring(0, series.indexOf("__"))) {
      case "process_cpu_cpu" -> "cpu samples";
      case "wall_wall" -> "wall samples";
      case "memory_alloc_in_new_tlab_objects", "memory_alloc_outside_tlab_objects" ->
          "alloc allocated_objects";
      case "memory_alloc_sample_objects" -> "alloc_sampled allocated_objects";
      case "memory_live" -> "live inuse_objects";
      case "memory_malloc_objects" -> "nativemem malloc_objects";
      case "block_contentions" -> "lock_park contentions";
      case "mutex_contentions" -> "lock_enter contentions";
      default -> throw new AssertionError(series);
    };
  }

  /** The values of all stacks of a golden file: lines that end in {@code [1]} or {@code [1 2]}. */
  private static long[] sums(Path golden) throws IOException {
    long[] sums = new long[2];
    try (InputStream in = new GZIPInputStream(Files.newInputStream(golden))) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        if (!line.isEmpty()) {
          String values = line.substring(line.lastIndexOf('[') + 1, line.lastIndexOf(']'));
          String[] each = values.split(" ", -1);
          for (int i = 0; i < each.length; i++) {
            sums[i] += Long.parseLong(each[i]);
          }
        }
      }
    }
    return sums;
  }

  private static long stacked(Profiles profiles, String name) {
    long sum = 0;
    for (Profile profile : profiles.profiles()) {
      if (name.equals(profile.name() + " " + profile.sampleType().type())) {
        for (int i = 0; i < profile.samples().size(); i++) {
          sum += profile.samples().stack(i) == 0 ? 0 : profile.value(i);
        }
      }
    }
    return sum;
  }

  private static long total(Profiles profiles, String name) {
    return profiles.profiles().stream()
        .filter(profile -> name.equals(profile.name() + " " + profile.sampleType().type()))
        .mapToLong(Profile::total)
        .sum();
  }

  private static long samplesOfAsyncProfiler(List<RecordedEvent> events) {
    return events.stream()
        .mapToLong(
            event ->
                switch (event.getEventType().getName()) {
                  case "jdk.ExecutionSample" -> 1;
                  case "profiler.WallClockSample" -> event.getLong("samples");
                  default -> 0;
                })
        .sum();
  }
}
