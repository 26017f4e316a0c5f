package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.jfr.rows.SampleColumn;
import org.buftrail.jfr.rows.StackFrame;
import org.buftrail.profile.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows against what the converter adds up, and against what the JDK's own reader counts. */
final class RowReaderTest {
  private static final RowSelection WITHOUT_STACKS =
      new RowSelection(
          EnumSet.of(SampleColumn.KIND, SampleColumn.VALUE, SampleColumn.SECOND_VALUE),
          null,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          Set.of());

  @TempDir private Path directory;

  private static List<Long> plus(List<Long> sum, List<Long> more) {
    return List.of(sum.get(0) + more.get(0), sum.get(1) + more.get(1), sum.get(2) + more.get(2));
  }

  /** By kind: rows, and the sums of both values. */
  private static Map<String, List<Long>> sums(RowSelection selection, Path file)
      throws RecordingException {
    Map<String, List<Long>> sums = new TreeMap<>();
    new RowReader(
            selection,
            batch -> {
              for (int i = 0; i < batch.size(); i++) {
                long second = batch.hasSecond(i) ? batch.second(i) : 0;
                sums.merge(batch.kind(i), List.of(1L, batch.value(i), second), RowReaderTest::plus);
              }
            })
        .read(file);
    return sums;
  }

  private static Map<String, List<Long>> converted(Path file) throws RecordingException {
    Map<String, List<Long>> sums = new TreeMap<>();
    Options options = Options.DEFAULT.timestamps(true);
    for (Profile profile : new Converter(options).convert(List.of(file)).profiles().profiles()) {
      boolean first = profile.column() == 0;
      long count = first ? profile.samples().observations().size() : 0;
      List<Long> part = List.of(count, first ? profile.total() : 0L, first ? 0L : profile.total());
      sums.merge(profile.name(), part, RowReaderTest::plus);
    }
    return sums;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdk11",
        "jdk21",
        "jdk25",
        "async-profiler",
        "killed-17",
        "killed-25",
        "dd-500-50-100"
      })
  void addUpToWhatTheConverterAddsUp(String name) throws IOException {
    Path file = Recordings.unpack(name, directory);

    Map<String, List<Long>> expected = converted(file);

    assertThat(expected).isNotEmpty();
    assertThat(sums(RowSelection.ALL, file)).isEqualTo(expected);
    assertThat(sums(WITHOUT_STACKS, file)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdk11", "jdk21", "jdk25"})
  void areAsManyAsTheJdksReaderFinds(String name) throws IOException {
    Path file = Recordings.unpack(name, directory);
    Map<String, Long> rows = new HashMap<>();
    Map<String, Long> weights = new HashMap<>();
    new RowReader(
            RowSelection.ALL,
            batch -> {
              for (int i = 0; i < batch.size(); i++) {
                rows.merge(batch.kind(i) + "/" + batch.event(i), 1L, Long::sum);
                weights.merge(batch.kind(i), batch.second(i), Long::sum);
              }
            })
        .read(file);

    Map<String, Long> events = new HashMap<>();
    long weight = 0;
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      String type = event.getEventType().getName();
      events.merge(type, 1L, Long::sum);
      weight += type.equals("jdk.ObjectAllocationSample") ? event.getLong("weight") : 0;
    }

    assertThat(rows.get("cpu/jdk.ExecutionSample")).isEqualTo(events.get("jdk.ExecutionSample"));
    assertThat(rows.get("gc_pause/jdk.GCPhasePause")).isEqualTo(events.get("jdk.GCPhasePause"));
    assertThat(rows.get("exceptions/jdk.JavaExceptionThrow"))
        .isEqualTo(events.get("jdk.JavaExceptionThrow"));
    assertThat(rows.get("alloc_sampled/jdk.ObjectAllocationSample"))
        .isEqualTo(events.get("jdk.ObjectAllocationSample"));
    assertThat(weights.getOrDefault("alloc_sampled", 0L)).isEqualTo(weight);
    assertThat(rows.get("cpu/jdk.ExecutionSample")).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdk11", "jdk21", "jdk25"})
  void eventsAreRowsWithTheirFieldsAndAnIdentity(String name) throws IOException {
    Path file = Recordings.unpack(name, directory);
    RowSelection all =
        new RowSelection(SampleColumn.ALL, Set.of(), Long.MIN_VALUE, Long.MAX_VALUE, null);
    Map<String, Long> rows = new TreeMap<>();
    Map<String, Double> sums = new TreeMap<>();
    Map<String, Long> durations = new TreeMap<>();
    Set<String> settings = new HashSet<>();
    Set<Long> ids = new HashSet<>();
    new RowReader(
            all,
            batch -> {
              // Events about the process describe it although they become rows.
              assertThat(batch.service()).isEqualTo("Load");
              for (int i = 0; i < batch.size(); i++) {
                assertThat(batch.isOther(i)).isTrue();
                String type = batch.kind(i);
                rows.merge(type, 1L, Long::sum);
                assertThat(ids.add(batch.eventId(i))).isTrue();
                durations.merge(type, batch.hasSecond(i) ? batch.second(i) : 0, Long::sum);
                Map<String, String> fields = batch.fields(i);
                // These have columns of their own.
                assertThat(fields)
                    .doesNotContainKeys("startTime", "duration", "eventThread", "stackTrace");
                if (type.equals("jdk.CPULoad")) {
                  sums.merge(type, Double.valueOf(fields.get("machineTotal")), Double::sum);
                } else if (type.equals("jdk.GarbageCollection")) {
                  sums.merge(type, Double.valueOf(fields.get("sumOfPauses")), Double::sum);
                } else if (type.equals("jdk.ActiveSetting")) {
                  settings.add(fields.get("name") + "=" + fields.get("value"));
                }
              }
            })
        .read(file);

    Map<String, Long> events = new TreeMap<>();
    Map<String, Double> expected = new TreeMap<>();
    Map<String, Long> lasted = new TreeMap<>();
    Set<String> set = new HashSet<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      String type = event.getEventType().getName();
      events.merge(type, 1L, Long::sum);
      lasted.merge(
          type, event.hasField("duration") ? event.getDuration().toNanos() : 0L, Long::sum);
      if (type.equals("jdk.CPULoad")) {
        expected.merge(type, (double) event.getFloat("machineTotal"), Double::sum);
      } else if (type.equals("jdk.GarbageCollection")) {
        expected.merge(type, (double) event.getDuration("sumOfPauses").toNanos(), Double::sum);
      } else if (type.equals("jdk.ActiveSetting")) {
        set.add(event.getString("name") + "=" + event.getString("value"));
      }
    }
    assertThat(rows).isEqualTo(events).isNotEmpty();
    assertThat(durations).isEqualTo(lasted);
    assertThat(settings).isEqualTo(set);
    assertThat(sums.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (type, sum) -> assertThat(sums.getOrDefault(type, -1.0)).isCloseTo(sum, offset(1e-3)));
  }

  private static Map<Long, List<StackFrame>> stacks(SampleBatch batch) {
    Map<Long, List<StackFrame>> stacks = new HashMap<>();
    for (int i = 0; i < batch.size(); i++) {
      stacks.put(batch.stackId(i), batch.frames(i));
    }
    return stacks;
  }

  @Test
  void stacksHaveOneIdInAllRecordings() throws IOException {
    Map<Long, List<StackFrame>> first = new HashMap<>();
    Map<List<StackFrame>, Set<Long>> ids = new HashMap<>();
    RowReader reader =
        new RowReader(
            RowSelection.ALL,
            batch ->
                stacks(batch)
                    .forEach(
                        (id, frames) -> {
                          first.putIfAbsent(id, frames);
                          assertThat(first.get(id)).isEqualTo(frames);
                          ids.computeIfAbsent(frames, any -> new HashSet<>()).add(id);
                        }));
    for (String name : List.of("jdk21", "jdk25", "jdk21", "async-profiler")) {
      reader.read(Recordings.unpack(name, directory));
    }
    assertThat(first).hasSizeGreaterThan(100);
    assertThat(ids.values()).allSatisfy(found -> assertThat(found).hasSize(1));
    assertThat(first.getOrDefault(0L, List.of())).isEmpty();
  }

  @Test
  void stackIdsStayAsTheyAre() throws IOException {
    List<Long> ids = new ArrayList<>();
    new RowReader(
            RowSelection.ALL,
            batch -> {
              for (int i = 0; i < batch.size() && ids.size() < 2; i++) {
                ids.add(batch.stackId(i));
              }
            })
        .read(Recordings.unpack("jdk-50-10-100", directory));
    // Datasets hold them: a change of them has to raise DatasetLayout.VERSION.
    assertThat(ids).containsExactly(1219491414872175L, 4048639085634102160L);
  }

  @Test
  void onlyKindsAndTimesThatAreAskedForComeOut() throws IOException {
    Path file = Recordings.unpack("jdk21", directory);
    List<Long> times = new ArrayList<>();
    new RowReader(
            new RowSelection(
                SampleColumn.ALL, Set.of("cpu"), Long.MIN_VALUE, Long.MAX_VALUE, Set.of()),
            batch -> {
              for (int i = 0; i < batch.size(); i++) {
                assertThat(batch.kind(i)).isEqualTo("cpu");
                times.add(batch.time(i));
              }
            })
        .read(file);
    assertThat((long) times.size())
        .isEqualTo(converted(file).getOrDefault("cpu", List.of(0L)).get(0));

    times.sort(null);
    long middle = times.get(times.size() / 2);
    long before = times.stream().filter(time -> time < middle).count();
    RowSelection early =
        new RowSelection(SampleColumn.ALL, Set.of("cpu"), Long.MIN_VALUE, middle, Set.of());
    assertThat(before).isPositive();
    assertThat(sums(early, file).getOrDefault("cpu", List.of(0L)).get(0)).isEqualTo(before);
  }

  @Test
  void saysWhatTheRecordingSaysOfTheProcess() throws IOException {
    Set<String> services = new HashSet<>();
    Set<String> threads = new HashSet<>();
    new RowReader(
            RowSelection.ALL,
            batch -> {
              services.add(batch.service() + "/" + (batch.process() > 0));
              for (int i = 0; i < batch.size(); i++) {
                threads.add(String.valueOf(batch.thread(i)));
                assertThat(batch.tags(i)).doesNotContainKeys("thread.name", "service.name");
              }
            })
        .read(Recordings.unpack("jdk21", directory));
    Object service =
        org.buftrail.jfr.Recording.of(Recordings.unpack("jdk21", directory))
            .profiles()
            .resource()
            .asMap()
            .get("service.name");
    assertThat(services).containsExactly(service + "/true");
    assertThat(threads).contains("main");
  }

  @Test
  void whatIsCutOffCostsItselfAndIsNamed() throws IOException {
    Path whole = Recordings.unpack("jdk21", directory);
    byte[] bytes = Files.readAllBytes(whole);
    Path cut = directory.resolve("cut.jfr");
    Files.write(cut, Arrays.copyOf(bytes, bytes.length - bytes.length / 4));
    List<Integer> sizes = new ArrayList<>();
    Conversion conversion =
        new RowReader(RowSelection.ALL, batch -> sizes.add(batch.size())).read(cut);
    assertThat(conversion.isPartial()).isTrue();
    assertThat(conversion.damages().toString()).contains("cut.jfr");

    Path none = Files.writeString(directory.resolve("none.jfr"), "no recording at all");
    assertThatThrownBy(() -> new RowReader(RowSelection.ALL, batch -> {}).read(none))
        .isInstanceOf(RecordingException.class)
        .hasMessageContaining("none.jfr");
    Path gone = directory.resolve("gone.jfr");
    assertThatThrownBy(() -> new RowReader(RowSelection.ALL, batch -> {}).read(gone))
        .isInstanceOf(RecordingException.class)
        .hasMessageContaining("gone.jfr");
  }
}
