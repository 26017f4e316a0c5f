package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Profiles say what each sample stands for, as the settings of the recording do. */
final class SamplingSettingsTest {
  private static final String SETTING = "jdk.ActiveSetting";
  private static final String RECORDING = "jdk.ActiveRecording";
  private static final String SAMPLE = "jdk.ExecutionSample";
  private static final String WALL = "profiler.WallClockSample";
  private static final String LIVE = "profiler.LiveObject";
  private static final String MALLOC = "profiler.Malloc";
  private static final String TIMING = "jdk.MethodTiming";
  private static final String TLAB = "jdk.ObjectAllocationInNewTLAB";

  /** The ids that {@link ChunkFile} gives, in the order of the declarations. */
  private static final List<String> TYPES =
      List.of(SETTING, RECORDING, SAMPLE, WALL, TLAB, LIVE, MALLOC, TIMING);

  @TempDir private Path directory;

  /** A chunk with settings, as TYPE#NAME=VALUE, and events of every kind. */
  private Path chunk(String name, int samples, String... settings) throws IOException {
    return chunk(name, "STATE_DEFAULT", samples, settings);
  }

  private Path chunk(String name, String state, int samples, String... settings)
      throws IOException {
    Path file = directory.resolve(name + ".jfr");
    try (ChunkFile chunk =
        new ChunkFile(file, true)
            .type(SETTING, "long id", "String name", "String value")
            .type(RECORDING)
            .type(SAMPLE, "String state")
            .type(WALL)
            .type(TLAB, "long tlabSize")
            .type(LIVE, "long allocationSize")
            .type(MALLOC, "long address", "long size")
            .type(TIMING, "long invocations", "long average")) {
      for (String setting : settings) {
        String[] parts = setting.split("[#=]", -1);
        chunk.event(
            SETTING,
            chunk.at(1).i8(100L + TYPES.indexOf(parts[0])).chars(parts[1]).chars(parts[2]));
      }
      for (int i = 0; i < samples; i++) {
        chunk
            .event(SAMPLE, chunk.at(2).chars(state))
            .event(WALL, chunk.at(3))
            .event(TLAB, chunk.at(4).i8(8))
            .event(LIVE, chunk.at(5).i8(8))
            .event(MALLOC, chunk.at(6).i8(i + 1).i8(8))
            .event(TIMING, chunk.at(7).i8(1).i8(1));
      }
    }
    return file;
  }

  private static List<String> periods(Conversion conversion, String name) {
    assertThat(conversion.damages()).isEmpty();
    List<String> periods = new ArrayList<>();
    for (Profile profile : conversion.profiles().profiles()) {
      if (profile.name().equals(name) && profile.column() == 0) {
        periods.add(profile.total() + " of " + profile.period());
      }
    }
    return periods;
  }

  private static Conversion convert(Path... files) throws IOException {
    return new Converter(Options.DEFAULT).convert(List.of(files));
  }

  @ParameterizedTest
  @CsvSource({
    "'', cpu, 20000000",
    "jdk.ExecutionSample#period=7 ms, cpu, 7000000",
    "jdk.ExecutionSample#period=7 ms jdk.MethodTiming#interval=9 ms, cpu, 7000000",
    "jdk.ExecutionSample#interval=0 jdk.ActiveRecording#event=cpu, cpu, 10000000",
    "jdk.ActiveRecording#event=ctimer jdk.ExecutionSample#interval=0, cpu, 10000000",
    "jdk.ExecutionSample#interval=5000000 jdk.ActiveRecording#event=itimer, cpu, 5000000",
    "jdk.ExecutionSample#interval=0 jdk.ExecutionSample#wall=20000000, cpu, 10000000",
    "jdk.ExecutionSample#interval=0 jdk.ExecutionSample#wall=20000000, wall, 20000000",
    "jdk.ExecutionSample#interval=0 jdk.ExecutionSample#wall=0, wall, 50000000",
    "jdk.ExecutionSample#interval=7000000 jdk.ActiveRecording#event=wall, wall, 7000000",
    "jdk.ExecutionSample#interval=7000000 jdk.ActiveRecording#event=wall, cpu, 20000000",
    "jdk.ExecutionSample#interval=0 jdk.ActiveRecording#event=wall, wall, 50000000",
    "jdk.ExecutionSample#interval=9000000 jdk.ExecutionSample#wall=8000000, cpu, 9000000",
    "jdk.ObjectAllocationInNewTLAB#alloc=102400, alloc, 102400",
    "jdk.ObjectAllocationInNewTLAB#alloc=102400, live, 102400",
    "jdk.ObjectAllocationInNewTLAB#alloc=0, live, 524288",
    "profiler.Malloc#nativemem=65536, nativemem, 65536",
    "profiler.Malloc#nativemem=65536, nativemem_unfreed, 65536",
    "jdk.MethodTiming#period=500 ms, method_timing, 1",
  })
  void aPeriodIsWhatTheSettingsMean(String settings, String profile, long period)
      throws IOException {
    String[] each = settings.isEmpty() ? new String[0] : settings.replace(" ms", "ms").split(" ");
    assertThat(periods(convert(chunk("made", 3, each)), profile))
        .containsExactly((profile.equals("method_timing") ? 1 : 3) + " of " + period);
  }

  /** Profiles of the three samples: async-profiler up to 2.9 called all threads runnable. */
  @ParameterizedTest
  @CsvSource({
    "event=cpu, STATE_RUNNABLE, cpu",
    "event=itimer, STATE_RUNNABLE, cpu",
    "event=ctimer, STATE_RUNNABLE, cpu",
    "event=cycles, STATE_RUNNABLE, cycles",
    "event=page-faults, STATE_RUNNABLE, page-faults",
    "event=page-faults, STATE_DEFAULT, page-faults",
    "event=LLC-load-misses, STATE_RUNNABLE, LLC-load-misses",
    "event=G1CollectedHeap::humongous_obj_allocate, STATE_RUNNABLE, "
        + "G1CollectedHeap::humongous_obj_allocate",
    "event=page-faults jdk.ExecutionSample#wall=5000000, STATE_RUNNABLE, wall",
    "event=page-faults jdk.ExecutionSample#wall=5000000, STATE_DEFAULT, page-faults",
    "event=cpu, STATE_DEFAULT, cpu",
    "event=wall, STATE_RUNNABLE, wall",
    "event=wall, STATE_SLEEPING, wall",
    "event=alloc, STATE_RUNNABLE, wall",
    "event=cpu jdk.ExecutionSample#wall=5000000, STATE_RUNNABLE, wall",
    "event=cpu jdk.ExecutionSample#wall=5000000, STATE_DEFAULT, cpu",
    "event=cpu jdk.ExecutionSample#wall=-1, STATE_RUNNABLE, cpu",
  })
  void whatWasSampledIsWhatTheSettingsSay(String settings, String state, String profile)
      throws IOException {
    String[] each = (RECORDING + '#' + settings).split(" ", -1);
    Options options = Options.DEFAULT.kinds(EnumSet.of(Kind.CPU, Kind.WALL));
    Conversion conversion = new Converter(options).convert(List.of(chunk("made", state, 3, each)));
    long wallClock = 3;
    assertThat(periods(conversion, profile))
        .singleElement()
        .asString()
        .startsWith((profile.equals("wall") ? 3 + wallClock : 3) + " of ");
  }

  @Test
  void samplesOfDifferentPeriodsAreProfilesOfTheirOwn() throws IOException {
    Path ten = chunk("ten", 3, SAMPLE + "#interval=0");
    Path five = chunk("five", 4, SAMPLE + "#interval=5000000");
    Path unstated = chunk("unstated", 5);
    Converter converter = new Converter(Options.DEFAULT);
    for (int i = 0; i < 2; i++) {
      Conversion conversion = converter.convert(List.of(ten, five, ten, unstated));
      assertThat(periods(conversion, "cpu"))
          .containsExactlyInAnyOrder("6 of 10000000", "4 of 5000000", "5 of 20000000");
      assertThat(periods(conversion, "wall")).containsExactly("15 of 50000000");
    }
  }

  private Path joined(Path... files) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Path file : files) {
      all.writeBytes(Files.readAllBytes(file));
    }
    return Files.write(directory.resolve("joined.jfr"), all.toByteArray());
  }

  @Test
  void settingsOfTheFirstChunkHoldForTheOthersOfTheProcess() throws IOException {
    Path first = chunk("first", 1, RECORDING + "#engine=perf_events", SAMPLE + "#interval=3000000");
    Path second = chunk("second", 2, RECORDING + "#enabled=true");
    assertThat(periods(convert(joined(first, second)), "cpu")).containsExactly("3 of 3000000");
  }

  /** As where async-profiler records beside the JDK, into the same file. */
  @Test
  void chunksOfTheJdkHaveItsPeriodAndItsSamples() throws IOException {
    Path first = chunk("first", 1, RECORDING + "#event=page-faults", SAMPLE + "#interval=3");
    Path second = chunk("second", 2, SAMPLE + "#period=7ms");
    Path third = chunk("third", 4);
    Conversion conversion = convert(joined(first, second, third));
    assertThat(periods(conversion, "page-faults")).containsExactly("5 of 3");
    assertThat(periods(conversion, "cpu")).containsExactly("2 of 7000000");
  }

  @Test
  void anotherRecordingOfAsyncProfilerHasItsOwnSettings() throws IOException {
    Path first = chunk("first", 1, RECORDING + "#event=cpu", SAMPLE + "#wall=3000000");
    Path second = chunk("second", 2, RECORDING + "#event=cpu", SAMPLE + "#interval=0");
    assertThat(periods(convert(joined(first, second)), "wall"))
        .containsExactlyInAnyOrder("1 of 3000000", "2 of 50000000");
  }

  @ParameterizedTest
  @CsvSource({
    "page-faults, 3, 3",
    "context-switches, 0, 1",
    "W.burn, 0, 1",
    "pthread_mutex_lock, 0, 1",
  })
  void samplesOfAnEventThatIsNotTimeAreItsOwn(String event, long interval, long period)
      throws IOException {
    Path file = chunk("made", 3, RECORDING + "#event=" + event, SAMPLE + "#interval=" + interval);
    Path next = chunk("next", 2, SAMPLE + "#period=20 ms");
    Converter converter = new Converter(Options.DEFAULT);
    for (int i = 0; i < 2; i++) {
      Conversion conversion = converter.convert(List.of(file, next));
      assertThat(periods(conversion, "cpu")).containsExactly("2 of 20000000");
      assertThat(periods(conversion, event)).containsExactly("3 of " + period);
      Profile counted =
          conversion.profiles().profiles().stream()
              .filter(profile -> profile.name().equals(event))
              .findFirst()
              .orElseThrow();
      assertThat(counted.sampleType()).hasToString("samples/count");
      assertThat(counted.periodType()).hasToString(event + "/count");
    }
    assertThat(periods(converter.convert(List.of(next)), event)).isEmpty();
    Options wall = Options.DEFAULT.kinds(EnumSet.of(Kind.WALL));
    assertThat(periods(new Converter(wall).convert(List.of(file)), event)).isEmpty();
  }

  @Test
  void eventsAskedForByNameAreCountedOnceWhateverTheySample() throws IOException {
    Options options = Options.DEFAULT.events(List.of(Options.Event.parse(SAMPLE)));
    Path file = chunk("made", 3, RECORDING + "#event=page-faults");
    Conversion conversion = new Converter(options).convert(List.of(file));
    assertThat(periods(conversion, SAMPLE)).containsExactly("3 of 1");
    assertThat(periods(conversion, "page-faults")).containsExactly("3 of 1");
  }

  /** JDKs before 18 do not record how large an object is. */
  @ParameterizedTest
  @CsvSource({"'', 1", "long objectSize, 2"})
  void aFieldThatIsNotRecordedMakesNoProfileOfZeros(String field, int profiles) throws IOException {
    Path file = directory.resolve("old.jfr");
    String[] fields = field.isEmpty() ? new String[0] : new String[] {field};
    try (ChunkFile chunk = new ChunkFile(file, true).type("jdk.OldObjectSample", fields)) {
      ChunkFile.Fields event = chunk.at(1);
      chunk.event("jdk.OldObjectSample", fields.length == 0 ? event : event.i8(48));
    }
    assertThat(convert(file).profiles().profiles())
        .hasSize(profiles)
        .allSatisfy(profile -> assertThat(profile.total()).isPositive());
  }
}
