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
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
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
  /** How a value of a profile follows from an event of one type. */
  private record Source(String event, String by, ToLongFunction<RecordedEvent> value) {}

  private static final String TOTAL = "";

  private static final Map<String, List<Source>> SOURCES = sources();

  private Path directory = Path.of("");
  private final Map<String, List<RecordedEvent>> events = new HashMap<>();

  private static ToLongFunction<RecordedEvent> field(String name) {
    return event -> event.getLong(name);
  }

  private static ToLongFunction<RecordedEvent> weighted(String field) {
    return event -> (long) (event.getLong(field) * event.getFloat("weight"));
  }

  private static Map<String, List<Source>> sources() {
    Map<String, List<Source>> all = new TreeMap<>();
    String thread = "eventThread";
    add(all, "cpu samples", "jdk.ExecutionSample", "sampledThread", EveryKindTest::one);
    add(all, "native samples", "jdk.NativeMethodSample", "sampledThread", EveryKindTest::one);
    add(
        all,
        "cpu_time cpu",
        "jdk.CPUTimeSample",
        thread,
        event -> event.getDuration("samplingPeriod").toNanos());
    add(all, "cpu_datadog samples", "datadog.ExecutionSample", thread, EveryKindTest::weight);
    add(all, "wall samples", "profiler.WallClockSample", "sampledThread", field("samples"));
    add(all, "wall_datadog samples", "datadog.MethodSample", thread, field("weight"));
    String inside = "jdk.ObjectAllocationInNewTLAB";
    String outside = "jdk.ObjectAllocationOutsideTLAB";
    pair(all, "alloc allocated", inside, thread, EveryKindTest::one, field("tlabSize"));
    pair(all, "alloc allocated", outside, thread, EveryKindTest::one, field("allocationSize"));
    pair(
        all,
        "alloc_sampled allocated",
        "jdk.ObjectAllocationSample",
        thread,
        EveryKindTest::one,
        field("weight"));
    pair(
        all,
        "alloc_datadog allocated",
        "datadog.ObjectSample",
        thread,
        EveryKindTest::weight,
        weighted("size"));
    pair(
        all,
        "live inuse",
        "profiler.LiveObject",
        thread,
        EveryKindTest::one,
        field("allocationSize"));
    pair(
        all,
        "live_datadog inuse",
        "datadog.HeapLiveObject",
        thread,
        EveryKindTest::weight,
        weighted("size"));
    pair(
        all,
        "live_old inuse",
        "jdk.OldObjectSample",
        thread,
        EveryKindTest::one,
        EveryKindTest::objectSize);
    timed(all, "lock_enter contentions delay", "jdk.JavaMonitorEnter", thread);
    timed(all, "lock_wait contentions delay", "jdk.JavaMonitorWait", thread);
    timed(all, "lock_park contentions delay", "jdk.ThreadPark", thread);
    timed(all, "lock_native contentions delay", "profiler.NativeLock", thread);
    timed(all, "file_force operations io_time", "jdk.FileForce", thread);
    timed(all, "span spans time", "profiler.Span", TOTAL);
    timed(all, "method_trace calls time", "jdk.MethodTrace", TOTAL);
    timed(all, "gc_pause pauses pause_time", "jdk.GCPhasePause", TOTAL);
    timed(all, "vm_operation pauses pause_time", "jdk.ExecuteVMOperation", TOTAL);
    for (String file : List.of("file_read", "file_write")) {
      String event = file.equals("file_read") ? "jdk.FileRead" : "jdk.FileWrite";
      String bytes = file.equals("file_read") ? "bytesRead" : "bytesWritten";
      add(all, file + " operations", event, thread, EveryKindTest::one);
      add(all, file + " transferred", event, thread, field(bytes));
      add(all, file + "_time io_time", event, thread, EveryKindTest::duration);
    }
    add(all, "exceptions exceptions", "jdk.JavaExceptionThrow", thread, EveryKindTest::one);
    add(all, "errors exceptions", "jdk.JavaErrorThrow", thread, EveryKindTest::one);
    add(all, "nativemem malloc_objects", "profiler.Malloc", thread, EveryKindTest::one);
    add(all, "nativemem malloc_space", "profiler.Malloc", thread, field("size"));
    add(
        all,
        "netty allocated_objects",
        "io.netty.AllocateBuffer",
        thread,
        direct(EveryKindTest::one));
    add(all, "netty allocated_space", "io.netty.AllocateBuffer", thread, direct(field("size")));
    add(all, "flow_leaked leaked_objects", "buftrail.Leak", TOTAL, field("count"));
    add(all, "flow_leaked leaked_space", "buftrail.Leak", TOTAL, field("bytes"));
    add(all, "flow_misused misuses", "buftrail.DoubleRelease", TOTAL, field("count"));
    add(all, "method_timing calls", "jdk.MethodTiming", TOTAL, field("invocations"));
    add(
        all,
        "method_timing time",
        "jdk.MethodTiming",
        TOTAL,
        event -> event.getLong("invocations") * event.getDuration("average").toNanos());
    return all;
  }

  private static void add(
      Map<String, List<Source>> all,
      String profile,
      String event,
      String by,
      ToLongFunction<RecordedEvent> value) {
    all.computeIfAbsent(profile, p -> new ArrayList<>()).add(new Source(event, by, value));
  }

  private static void pair(
      Map<String, List<Source>> all,
      String profile,
      String event,
      String by,
      ToLongFunction<RecordedEvent> count,
      ToLongFunction<RecordedEvent> bytes) {
    add(all, profile + "_objects", event, by, count);
    add(all, profile + "_space", event, by, bytes);
  }

  private static void timed(
      Map<String, List<Source>> all, String nameAndTypes, String event, String by) {
    String[] words = nameAndTypes.split(" ", -1);
    add(all, words[0] + " " + words[1], event, by, EveryKindTest::one);
    add(all, words[0] + " " + words[2], event, by, EveryKindTest::duration);
  }

  private static long weight(RecordedEvent event) {
    return !event.hasField("weight")
        ? 1
        : event.getValue("weight") instanceof Float real
            ? (long) (float) real
            : event.getLong("weight");
  }

  private static long one(RecordedEvent event) {
    return 1;
  }

  private static long duration(RecordedEvent event) {
    return event.getDuration().toNanos();
  }

  private static long objectSize(RecordedEvent event) {
    return event.getLong("objectSize");
  }

  private static ToLongFunction<RecordedEvent> direct(ToLongFunction<RecordedEvent> value) {
    return event -> event.getBoolean("direct") ? value.applyAsLong(event) : 0;
  }

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

  private Map<String, Long> expected(String recording, String profile) throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    for (Source source : Objects.requireNonNull(SOURCES.get(profile), profile)) {
      for (RecordedEvent event : events(recording)) {
        if (event.getEventType().getName().equals(source.event)) {
          long value = source.value.applyAsLong(event);
          String key = source.by.equals(TOTAL) ? TOTAL : key(event, source.by);
          sums.merge(key, value, Long::sum);
        }
      }
    }
    sums.values().removeIf(value -> value == 0);
    return sums;
  }

  private static String key(RecordedEvent event, String thread) {
    String declared = event.hasField(thread) ? thread : "sampledThread";
    return Flattened.key(event, event.hasField(declared) ? declared : "eventThread");
  }

  private static Map<String, Long> found(Profiles profiles, Profile profile, boolean total) {
    Map<String, Long> sums = new TreeMap<>();
    Flattened.of(profiles, profile.name(), profile.sampleType().type())
        .forEach((key, value) -> sums.merge(total ? TOTAL : key, value, Long::sum));
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
        List<Source> sources = Objects.requireNonNull(SOURCES.get(name), name);
        // Native frames and threads of async-profiler have names that the JDK does not read.
        boolean total = recording.equals("async-profiler") || sources.get(0).by.equals(TOTAL);
        Map<String, Long> expected = expected(recording, name);
        if (total) {
          long sum = expected.values().stream().mapToLong(Long::longValue).sum();
          expected = Map.of(TOTAL, sum);
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
  private static void assertSums(
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
    Set<String> unseen = new TreeSet<>(SOURCES.keySet());
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
      for (Source source : Objects.requireNonNull(SOURCES.get(name), name)) {
        for (RecordedEvent event : events("foreign")) {
          if (event.getEventType().getName().equals(source.event)
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
