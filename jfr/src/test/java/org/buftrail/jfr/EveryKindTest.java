package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Counts and sums of every profile of every recording are what the JDK's own reader finds: by
 * thread and frames where it knows both, in total elsewhere. A profile that nobody checks fails.
 */
@TestInstance(Lifecycle.PER_CLASS)
final class EveryKindTest {
  private Path directory = Path.of("");
  private final Map<String, List<RecordedEvent>> events = new HashMap<>();

  @BeforeAll
  void record(@TempDir Path temporary) throws Exception {
    directory = temporary;
    ForeignEvents.record(directory);
  }

  static List<String> recordings() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/recordings"))) {
      List<String> names = new ArrayList<>(List.of("foreign"));
      files
          .map(file -> file.getFileName().toString().replace(".jfr.gz", ""))
          // The JDK's reader refuses what a killed JVM left.
          .filter(name -> !name.startsWith("killed"))
          .sorted()
          .forEach(names::add);
      assertThat(names).hasSizeGreaterThan(8);
      return names;
    }
  }

  private Path file(String recording) throws IOException {
    return recording.equals("foreign")
        ? directory.resolve("foreign.jfr")
        : Recordings.unpack(recording, directory);
  }

  private List<RecordedEvent> events(String recording) throws IOException {
    List<RecordedEvent> known = events.get(recording);
    if (known == null) {
      known = RecordingFile.readAllEvents(file(recording));
      events.put(recording, known);
    }
    return known;
  }

  static Map<String, Long> found(Profiles profiles, Profile profile, boolean total) {
    Map<String, Long> sums = new TreeMap<>();
    Flattened.of(profiles, profile.name(), profile.sampleType().type())
        .forEach((key, value) -> sums.merge(total ? JdkSums.TOTAL : key, value, Long::sum));
    sums.values().removeIf(value -> value == 0);
    return sums;
  }

  private static Profiles convert(Path file, boolean timestamps) throws IOException {
    Options options = Options.DEFAULT.timestamps(timestamps);
    Conversion conversion = new Converter(options).convert(List.of(file));
    assertThat(conversion.damages()).isEmpty();
    return conversion.profiles();
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void everyProfileIsWhatTheJdksReaderFinds(String recording) throws IOException {
    for (boolean timestamps : new boolean[] {false, true}) {
      Profiles profiles = convert(file(recording), timestamps);
      assertThat(profiles.profiles()).isNotEmpty();
      ProfilesData written = ProfilesData.parseFrom(new OtlpWriter().toByteArray(profiles));
      for (int i = 0; i < profiles.profiles().size(); i++) {
        Profile profile = profiles.profiles().get(i);
        String name = profile.name() + " " + profile.sampleType().type();
        assertThat(total(written, i)).as(name).isEqualTo(profile.total());
        if (isLive(name)) {
          assertThat(profile.total()).as(name).isEqualTo(live(recording, name));
          continue;
        }
        List<JdkSums.Source> sources = JdkSums.sources(name);
        // Native frames and threads of async-profiler have names that the JDK does not read.
        boolean total =
            recording.equals("async-profiler") || sources.get(0).by().equals(JdkSums.TOTAL);
        Map<String, Long> expected = JdkSums.of(events(recording), name);
        if (total) {
          long sum = expected.values().stream().mapToLong(Long::longValue).sum();
          expected = Map.of(JdkSums.TOTAL, sum);
        }
        assertSums(name, profile, found(profiles, profile, total), expected);
      }
    }
  }

  /** All values of a profile, as they are written: times alone count as 1 each. */
  private static long total(ProfilesData written, int profile) {
    return written
        .getResourceProfiles(0)
        .getScopeProfiles(0)
        .getProfiles(profile)
        .getSamplesList()
        .stream()
        .mapToLong(
            sample ->
                sample.getValuesCount() == 0
                    ? sample.getTimestampsUnixNanoCount()
                    : sample.getValuesList().stream().mapToLong(Long::longValue).sum())
        .sum();
  }

  /** The JDK rounds the ticks of every event down to nanoseconds. */
  static void assertSums(
      String name, Profile profile, Map<String, Long> found, Map<String, Long> expected) {
    assertThat(found.keySet()).as(name).isEqualTo(expected.keySet());
    long rounded = profile.sampleType().unit().equals("nanoseconds") ? 20_000 : 0;
    expected.forEach(
        (key, sum) -> assertThat(found.get(key)).as(name).isCloseTo(sum, within(rounded)));
  }

  private static boolean isLive(String profile) {
    return profile.startsWith("nativemem_unfreed ") || profile.startsWith("netty_live ");
  }

  /** What is allocated last, in the order of time, at an address that nothing frees later. */
  private long live(String recording, String profile) throws IOException {
    boolean netty = profile.startsWith("netty");
    Set<String> types =
        netty
            ? Set.of("io.netty.AllocateBuffer", "io.netty.FreeBuffer")
            : Set.of("profiler.Malloc", "profiler.Free");
    Map<Long, RecordedEvent> last = new TreeMap<>();
    for (RecordedEvent event : events(recording)) {
      if (types.contains(event.getEventType().getName())
          && (!netty || event.getBoolean("direct"))) {
        last.merge(
            event.getLong("address"),
            event,
            (a, b) -> b.getStartTime().isBefore(a.getStartTime()) ? a : b);
      }
    }
    last.values().removeIf(event -> event.getEventType().getName().endsWith("Free"));
    last.values().removeIf(event -> event.getEventType().getName().endsWith("FreeBuffer"));
    assertThat(last).isNotEmpty();
    return last.values().stream()
        .mapToLong(event -> profile.endsWith("objects") ? 1 : event.getLong("size"))
        .sum();
  }

  @Test
  void everyKindOfEventThatTheJdkReadsIsChecked() throws IOException {
    Set<String> seen = new TreeSet<>();
    for (String recording : recordings()) {
      for (Profile profile : convert(file(recording), false).profiles()) {
        seen.add(profile.name() + " " + profile.sampleType().type());
      }
    }
    Set<String> unseen = new TreeSet<>(JdkSums.names());
    unseen.removeAll(seen);
    assertThat(unseen)
        .as("checked in another test of this package")
        .containsExactly("native samples");
  }

  @Test
  void observationsHaveTheStartsThatTheJdkReads() throws IOException {
    Profiles profiles = convert(file("foreign"), true);
    ProfilesData decoded = ProfilesData.parseFrom(new OtlpWriter().toByteArray(profiles));
    for (int k = 0; k < profiles.profiles().size(); k++) {
      Profile profile = profiles.profiles().get(k);
      String name = profile.name() + " " + profile.sampleType().type();
      if (isLive(name) || name.startsWith("flow_live ")) {
        continue;
      }
      List<Long> times = new ArrayList<>();
      decoded
          .getResourceProfiles(0)
          .getScopeProfiles(0)
          .getProfiles(k)
          .getSamplesList()
          .forEach(sample -> times.addAll(sample.getTimestampsUnixNanoList()));
      List<Long> starts = new ArrayList<>();
      for (JdkSums.Source source : JdkSums.sources(name)) {
        for (RecordedEvent event : events("foreign")) {
          if (event.getEventType().getName().equals(source.event())
              && (!event.hasField("direct")
                  || !name.startsWith("netty")
                  || event.getBoolean("direct"))) {
            starts.add(nanos(event.getStartTime()));
          }
        }
      }
      times.sort(null);
      starts.sort(null);
      assertThat(times).as(name).hasSameSizeAs(starts);
      for (int i = 0; i < times.size(); i++) {
        assertThat(times.get(i)).as(name).isCloseTo(starts.get(i), within(2L));
      }
    }
  }

  private static long nanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }
}
