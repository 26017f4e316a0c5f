package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.buftrail.console.engine.Dataset;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.RowSelection;
import org.buftrail.jfr.dataset.Content;
import org.buftrail.jfr.dataset.DatasetRows;
import org.buftrail.jfr.rows.SampleBatchTaker;
import org.buftrail.jfr.rows.SampleColumn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ParquetDatasetTest {
  private static final String SUMS =
      "select service, kind, count(*), sum(value)::bigint, sum(second_value)::bigint from samples"
          + " group by all order by all";
  private static final String EVENTS =
      "select event, count(*), sum(duration)::bigint, max(fields['name']) from events group by"
          + " event order by event";
  private static final String HOT = "select method, self, total from hot_methods";

  @TempDir private Path directory;

  private static List<Path> files(Path below) throws IOException {
    try (Stream<Path> all = Files.walk(below)) {
      return all.filter(Files::isRegularFile).map(below::relativize).sorted().toList();
    }
  }

  @Test
  void holdsEachRecordingOnce() throws Exception {
    Path target = directory.resolve("dataset");
    Path copy = directory.resolve("copy.jfr.gz");
    Files.copy(Answer.recording("jdk21"), copy);
    try (Dataset dataset = new DuckDbEngine().dataset(target, false)) {
      assertThat(dataset.add(Answer.recording("jdk21")))
          .isEqualTo(new Dataset.Added(true, List.of()));
      assertThat(dataset.add(Answer.recording("jdk25")).added()).isTrue();
      assertThat(dataset.add(copy).added()).isFalse();
    }
    List<Path> before = files(target);
    assertThat(before)
        .anyMatch(
            file ->
                file.toString()
                    .matches("rows/day=2\\d{3}-\\d\\d-\\d\\d/service=Load/[0-9a-f]{32}\\.parquet"))
        .noneMatch(file -> file.toString().contains(".part"))
        // The version, the lock, and of each recording its rows and its mark.
        .hasSize(2 + 2 * 2);
    Path[] recordings = {Answer.recording("jdk21"), Answer.recording("jdk25")};
    Answer sums = Answer.to(SUMS, target);
    assertThat(sums.err()).isEmpty();
    assertThat(sums.out()).isEqualTo(Answer.to(SUMS, recordings).out()).contains("cpu_time");
    assertThat(Answer.to(EVENTS, target).out())
        .isEqualTo(Answer.to(EVENTS, recordings).out())
        .contains("jdk.ActiveSetting");
    assertThat(Answer.to(HOT, target).out()).isEqualTo(Answer.to(HOT, recordings).out());

    // As after a kill before the last step.
    Path mark =
        target.resolve(
            before.stream().filter(f -> f.startsWith("recordings")).findFirst().orElseThrow());
    Files.delete(mark);
    try (Dataset dataset = new DuckDbEngine().dataset(target, false)) {
      dataset.add(Answer.recording("jdk21"));
      dataset.add(Answer.recording("jdk25"));
    }
    assertThat(files(target)).isEqualTo(before);
    assertThat(Answer.to(SUMS, target).out()).isEqualTo(sums.out());
  }

  @Test
  void aNameMayHoldQuotesAndWhatGlobsAreMadeOf() throws Exception {
    Path target = directory.resolve("it's a[1]*, or [b]?");
    Path recording = directory.resolve("x'; drop table samples; --[2]*.jfr.gz");
    Files.copy(Answer.recording("jdk21"), recording);
    try (Dataset dataset = new DuckDbEngine().dataset(target, false)) {
      dataset.add(recording);
    }
    Answer sums = Answer.to(SUMS, target);
    assertThat(sums.err()).isEmpty();
    assertThat(sums.out()).isEqualTo(Answer.to(SUMS, recording).out()).contains("cpu");
    assertThat(Answer.to("select distinct recording from samples", target).out())
        .contains("x'; drop table samples; --[2]*.jfr.gz");
  }

  @Test
  void whatCannotBeReadLeavesNothing() throws Exception {
    Path target = directory.resolve("dataset");
    Path text = Files.writeString(directory.resolve("text.jfr"), "no recording");
    byte[] bytes = Files.readAllBytes(Answer.unpacked("jdk21", directory));
    Path cut = directory.resolve("cut.jfr");
    Files.write(cut, Arrays.copyOf(bytes, bytes.length - bytes.length / 5));
    try (Dataset dataset = new DuckDbEngine().dataset(target, false)) {
      assertThatThrownBy(() -> dataset.add(text))
          .isInstanceOf(RecordingException.class)
          .hasMessage(text + ": not a flight recording");
      // A user who mounts it may mend that.
      Path changed = Answer.recording("jdk25");
      Content before = Content.of(Answer.recording("jdk11"));
      assertThatThrownBy(() -> dataset.add(changed, before))
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith("has changed while it was read");
      assertThatThrownBy(() -> dataset.add(directory.resolve("gone.jfr")))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(RecordingException.class)
          .hasMessageContaining("gone.jfr");
      assertThat(files(target)).containsExactly(Path.of("dataset.json"));
      String damages = dataset.add(Answer.recording("killed-17")).damages().toString();
      assertThat(damages).contains("killed-17");
    }
  }

  @Test
  void aDatasetThatCannotBeWrittenIsNoFaultOfTheRecording() throws Exception {
    Path target = directory.resolve("dataset");
    try (Dataset dataset = new DuckDbEngine().dataset(target, false)) {
      Files.delete(target.resolve("rows"));
      Files.writeString(target.resolve("rows"), "in the way");
      assertThatThrownBy(() -> dataset.add(Answer.recording("jdk21")))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(RecordingException.class);
      Files.delete(target.resolve("rows"));
      assertThat(dataset.add(Answer.recording("jdk21")).added()).isTrue();
    }
  }

  @Test
  void opensOnlyTheFilesOfADayOrService() throws Exception {
    Path target = directory.resolve("dataset");
    try (Dataset dataset = new DuckDbEngine().dataset(target, false)) {
      dataset.add(Answer.recording("jdk21"));
    }
    String days = "select distinct day from samples";
    String day = Answer.to(days, target).rows().get(0).get(0);
    String count = "select count(*) from samples";
    List<List<String>> all = Answer.to(count, target).rows();
    Path other = Files.createDirectories(target.resolve("rows/day=2999-01-01/service=other"));
    Files.writeString(other.resolve("other.parquet"), "whoever opens this fails");

    assertThat(Answer.to(count, target).exit()).isEqualTo(1);
    for (String condition : List.of("day = '" + day + "'", "service = 'Load'")) {
      Answer answer = Answer.to(count + " where " + condition, target);
      assertThat(answer.err()).as(condition).isEmpty();
      assertThat(answer.rows()).as(condition).isEqualTo(all);
    }
  }

  @Test
  void whatAKillLeavesIsNoObstacle() throws Exception {
    Path target = Files.createDirectory(directory.resolve("dataset"));
    Files.writeString(target.resolve(".part-1"), "");
    new DuckDbEngine().dataset(target, false).close();
    Files.delete(target.resolve("recordings"));
    Path left = Files.createDirectories(target.resolve(".part-2/rows")).getParent();
    Path underWay = Files.createDirectories(target.resolve(".part-3/rows")).getParent();
    Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
    try (Dataset dataset = new DuckDbEngine().dataset(target, false)) {
      assertThat(dataset.add(Answer.recording("jdk21")).added()).isTrue();
    }
    assertThat(left).doesNotExist();
    assertThat(underWay).exists();
  }

  @Test
  void otherVersionsAreRefused() throws Exception {
    Path target = directory.resolve("dataset");
    new DuckDbEngine().dataset(target, false).close();
    Files.writeString(target.resolve("dataset.json"), "{\"version\": 99}\n");
    assertThatThrownBy(() -> new DuckDbEngine().dataset(target, false))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("is of version 99");
    assertThat(Answer.to("from samples", target).err()).contains("is of version 99");
    Files.writeString(target.resolve("dataset.json"), "{}\n");
    assertThat(Answer.to("from samples", target).err())
        .contains(target + " has a dataset.json without a version; make the dataset again");
  }

  @Test
  void otherEnginesReadTheFilesAsTheyAre() throws Exception {
    Path target = directory.resolve("dataset");
    try (Dataset dataset = new DuckDbEngine().dataset(target, false)) {
      dataset.add(Answer.recording("jdk21"));
    }
    String files =
        " from read_parquet('" + target + "/rows/**/*.parquet', hive_partitioning = true)";
    Path any = Answer.recording("jdk21");
    String types =
        "select string_agg(column_name || ' ' || column_type, ', ') from (describe" + files + ")";
    assertThat(Answer.to(types, any).rows().get(0).get(0))
        .isEqualTo(
            "row VARCHAR, recording VARCHAR, host VARCHAR, process BIGINT, kind VARCHAR, event"
                + " VARCHAR, time TIMESTAMP, time_nanos BIGINT, value BIGINT, unit VARCHAR,"
                + " second_value BIGINT, second_unit VARCHAR, duration BIGINT, thread VARCHAR,"
                + " state VARCHAR, span VARCHAR, trace VARCHAR, tags MAP(VARCHAR, VARCHAR), fields"
                + " MAP(VARCHAR, VARCHAR), stack_id BIGINT, depth INTEGER, function VARCHAR, file"
                + " VARCHAR, line BIGINT, type VARCHAR, module VARCHAR, event_id BIGINT, day DATE,"
                + " service VARCHAR");
    String whole =
        "select count(*), sum(value)::bigint, max(time_nanos - epoch_us(time) * 1000),"
            + " min(time_nanos - epoch_us(time) * 1000)"
            + files
            + " where row = 'sample'";
    String expected = "select count(*), sum(value)::bigint from samples";
    List<String> row = Answer.to(whole, any).rows().get(0);
    assertThat(row.subList(0, 2)).isEqualTo(Answer.to(expected, any).rows().get(0));
    assertThat(Long.parseLong(row.get(2))).isBetween(1L, 999L);
    assertThat(Long.parseLong(row.get(3))).isBetween(0L, 998L);
  }

  @Test
  void boundsOfMemoryAndFilesChangeNoSum() throws Exception {
    Path target = directory.resolve("dataset");
    new DuckDbEngine().dataset(target, false).close();
    DatasetRows.Files files =
        name -> {
          Path file = target.resolve(name);
          Files.createDirectories(file.getParent());
          return Files.newOutputStream(file);
        };
    DatasetRows rows = new DatasetRows(files, "id", true, 100, 1 << 20, 1);
    // Other services between, so that the one file that may be open is another each time.
    SampleBatchTaker taker =
        batch -> {
          rows.take(batch);
          Map<String, Object> process = Map.of("service.name", "Load");
          batch.describe(Map.of("service.name", "other"));
          rows.take(batch);
          batch.describe(process);
        };
    RowSource source =
        new RowSource(
            new RowSelection(SampleColumn.ALL, null, Long.MIN_VALUE, Long.MAX_VALUE, null), taker);
    source.read(Answer.recording("jdk21"));
    source.read(Answer.recording("jdk25"));
    rows.finish();

    assertThat(rows.names()).anyMatch(name -> name.endsWith("service=Load/id-1.parquet"));
    String sums = "select kind, count(*), sum(value)::bigint from samples where service = ";
    String order = " group by kind order by kind";
    assertThat(Answer.to(sums + "'Load'" + order, target).out())
        .isEqualTo(Answer.to(sums + "'other'" + order, target).out())
        .isEqualTo(
            Answer.to(sums + "'Load'" + order, Answer.recording("jdk21"), Answer.recording("jdk25"))
                .out())
        .contains("cpu");
  }

  @Test
  void longTextsAreWrittenEarly() throws Exception {
    assertThat(rowGroups(1 << 30)).isLessThanOrEqualTo(3);
    assertThat(rowGroups(1)).isGreaterThan(3);
  }

  /** How many row groups two recordings have, of which so many bytes of texts are in memory. */
  private long rowGroups(long mostWeight) throws Exception {
    Path file = directory.resolve("weight" + mostWeight + ".parquet");
    try (DatasetRows rows =
        new DatasetRows(name -> Files.newOutputStream(file), "id", true, 1 << 20, mostWeight, 64)) {
      RowSelection all =
          new RowSelection(SampleColumn.ALL, null, Long.MIN_VALUE, Long.MAX_VALUE, null);
      RowSource source = new RowSource(all, rows);
      source.read(Answer.recording("jdk21"));
      source.read(Answer.recording("jdk25"));
      rows.finish();
      assertThat(rows.names()).hasSize(1);
    }
    String groups = "select count(distinct row_group_id) from parquet_metadata('" + file + "')";
    return Long.parseLong(Answer.to(groups, Answer.recording("jdk21")).rows().get(0).get(0));
  }

  @Test
  void theFirstVersionIsReadAndNotAddedTo() throws Exception {
    Path target = Files.createDirectory(directory.resolve("dataset"));
    Files.writeString(target.resolve("dataset.json"), "{\"version\": 1}\n");
    // As its writer did.
    Path source = Answer.recording("jdk21");
    for (String table : List.of("samples", "events", "frames")) {
      Path parquet = directory.resolve(table + ".parquet");
      assertThat(
              Answer.to(
                      "copy (select *"
                          + (table.equals("frames") ? "" : ", strftime(time, '%Y-%m-%d') as day")
                          + " from "
                          + table
                          + ") to '"
                          + (table.equals("frames") ? parquet : target.resolve(table))
                          + "' (format parquet"
                          + (table.equals("frames") ? ")" : ", partition_by (day, service))"),
                      source)
                  .exit())
          .isZero();
      if (table.equals("frames")) {
        Files.createDirectory(target.resolve(table));
        Files.move(parquet, target.resolve("frames/id.parquet"));
      }
    }
    assertThat(Answer.to(SUMS, target).out())
        .isEqualTo(Answer.to(SUMS, source).out())
        .contains("cpu");
    assertThat(Answer.to(EVENTS, target).out()).isEqualTo(Answer.to(EVENTS, source).out());
    assertThat(Answer.to(HOT, target).out()).isEqualTo(Answer.to(HOT, source).out());

    // Beside one of this version.
    Path now = directory.resolve("now");
    try (Dataset dataset = new DuckDbEngine().dataset(now, false)) {
      dataset.add(Answer.recording("jdk25"));
    }
    assertThat(Answer.to(SUMS, target, now).out())
        .isEqualTo(Answer.to(SUMS, source, Answer.recording("jdk25")).out());

    assertThatThrownBy(() -> new DuckDbEngine().dataset(target, false))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("is of version 1, which this buftrail reads and does not add to");
  }

  @Test
  void otherDirectoriesAreRefused() throws Exception {
    Files.writeString(directory.resolve("mine.txt"), "mine");
    assertThatThrownBy(() -> new DuckDbEngine().dataset(directory, false))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("is no dataset");
    assertThat(files(directory)).containsExactly(Path.of("mine.txt"));
  }

  /** As two processes that begin with a dataset at the same time. */
  @Test
  void twoThatMakeOneAtTheSameTimeBothHaveIt() throws Exception {
    ExecutorService both = Executors.newFixedThreadPool(2);
    try {
      for (int i = 0; i < 500; i++) {
        Path made = directory.resolve("made" + i);
        CyclicBarrier together = new CyclicBarrier(2);
        Callable<Dataset> making =
            () -> {
              together.await();
              return new DuckDbEngine().dataset(made, false);
            };
        for (Future<Dataset> one : both.invokeAll(List.of(making, making))) {
          one.get().close();
        }
      }
    } finally {
      both.shutdown();
    }
  }
}
