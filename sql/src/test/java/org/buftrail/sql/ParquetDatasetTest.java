package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.cli.engine.Dataset;
import org.buftrail.cli.output.CommandFailure;
import org.buftrail.jfr.RecordingException;
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
    try (Dataset dataset = new DuckDbEngine().dataset(target, 1)) {
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
                    .matches(
                        "samples/day=2\\d{3}-\\d\\d-\\d\\d/service=Load/kind=cpu/.*\\.parquet"))
        .noneMatch(file -> file.toString().contains(".part"));
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
    try (Dataset dataset = new DuckDbEngine().dataset(target, 1)) {
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
    try (Dataset dataset = new DuckDbEngine().dataset(target, 1)) {
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
    try (Dataset dataset = new DuckDbEngine().dataset(target, 1)) {
      assertThatThrownBy(() -> dataset.add(text))
          .isInstanceOf(RecordingException.class)
          .hasMessage(text + ": not a flight recording");
      // Whoever mounts it may mend that.
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
    try (Dataset dataset = new DuckDbEngine().dataset(target, 1)) {
      Files.delete(target.resolve("frames"));
      Files.writeString(target.resolve("frames"), "in the way");
      assertThatThrownBy(() -> dataset.add(Answer.recording("jdk21")))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(RecordingException.class);
      Files.delete(target.resolve("frames"));
      assertThat(dataset.add(Answer.recording("jdk21")).added()).isTrue();
    }
  }

  @Test
  void opensOnlyTheFilesOfADayServiceOrKind() throws Exception {
    Path target = directory.resolve("dataset");
    try (Dataset dataset = new DuckDbEngine().dataset(target, 1)) {
      dataset.add(Answer.recording("jdk21"));
    }
    String days = "select distinct day from samples";
    String day = Answer.to(days, target).rows().get(0).get(0);
    String count = "select count(*) from samples";
    List<List<String>> all = Answer.to(count, target).rows();
    Path other =
        Files.createDirectories(target.resolve("samples/day=2999-01-01/service=other/kind=other"));
    Files.writeString(other.resolve("other.parquet"), "whoever opens this fails");

    assertThat(Answer.to(count, target).exit()).isEqualTo(1);
    for (String condition : List.of("day = '" + day + "'", "service = 'Load'", "kind <> 'other'")) {
      Answer answer = Answer.to(count + " where " + condition, target);
      assertThat(answer.err()).as(condition).isEmpty();
      assertThat(answer.rows()).as(condition).isEqualTo(all);
    }
  }

  @Test
  void whatAKillLeavesIsNoObstacle() throws Exception {
    Path target = Files.createDirectory(directory.resolve("dataset"));
    Files.writeString(target.resolve(".part-1"), "");
    new DuckDbEngine().dataset(target, 1).close();
    Files.delete(target.resolve("recordings"));
    Path left = Files.createDirectories(target.resolve(".part-2/samples")).getParent();
    Path underWay = Files.createDirectories(target.resolve(".part-3/samples")).getParent();
    Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
    try (Dataset dataset = new DuckDbEngine().dataset(target, 2)) {
      assertThat(dataset.add(Answer.recording("jdk21")).added()).isTrue();
    }
    assertThat(left).doesNotExist();
    assertThat(underWay).exists();
  }

  @Test
  void otherVersionsAreRefused() throws Exception {
    Path target = directory.resolve("dataset");
    new DuckDbEngine().dataset(target, 1).close();
    Files.writeString(target.resolve("dataset.json"), "{\"version\": 99}\n");
    assertThatThrownBy(() -> new DuckDbEngine().dataset(target, 1))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("is of version 99");
    assertThat(Answer.to("from samples", target).err()).contains("is of version 99");
    Files.writeString(target.resolve("dataset.json"), "{}\n");
    assertThat(Answer.to("from samples", target).err())
        .contains(target + " has a dataset.json without a version; make the dataset again");
  }

  @Test
  void writersShareTheMemory() throws Exception {
    try (Database alone = new Database(List.of());
        Database shared = new Database(List.of())) {
      alone.share(1);
      shared.share(4);
      assertThat(setting(alone, "memory_limit")).isNotEqualTo(setting(shared, "memory_limit"));
      assertThat(setting(alone, "temp_directory")).isNotEqualTo(setting(shared, "temp_directory"));
    }
  }

  private static String setting(Database database, String name) throws SQLException {
    try (Statement statement = database.connection().createStatement();
        ResultSet row = statement.executeQuery("select current_setting('" + name + "')")) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }

  @Test
  void otherDirectoriesAreRefused() throws Exception {
    Files.writeString(directory.resolve("mine.txt"), "mine");
    assertThatThrownBy(() -> new DuckDbEngine().dataset(directory, 1))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("is no dataset");
    assertThat(files(directory)).containsExactly(Path.of("mine.txt"));
  }
}
