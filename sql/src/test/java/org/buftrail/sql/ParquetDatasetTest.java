package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.cli.engine.Dataset;
import org.buftrail.cli.output.CommandFailure;
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
    try (Dataset dataset = new DuckDbEngine().dataset(target)) {
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
    try (Dataset dataset = new DuckDbEngine().dataset(target)) {
      dataset.add(Answer.recording("jdk21"));
      dataset.add(Answer.recording("jdk25"));
    }
    assertThat(files(target)).isEqualTo(before);
    assertThat(Answer.to(SUMS, target).out()).isEqualTo(sums.out());
  }

  @Test
  void whatCannotBeReadLeavesNothing() throws Exception {
    Path target = directory.resolve("dataset");
    Path text = Files.writeString(directory.resolve("text.jfr"), "no recording");
    byte[] bytes = Files.readAllBytes(Answer.unpacked("jdk21", directory));
    Path cut = directory.resolve("cut.jfr");
    Files.write(cut, Arrays.copyOf(bytes, bytes.length - bytes.length / 5));
    try (Dataset dataset = new DuckDbEngine().dataset(target)) {
      assertThatThrownBy(() -> dataset.add(text))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("text.jfr");
      assertThatThrownBy(() -> dataset.add(directory.resolve("gone.jfr")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("gone.jfr");
      assertThat(files(target)).containsExactly(Path.of("dataset.json"));
      String damages = dataset.add(Answer.recording("killed-17")).damages().toString();
      assertThat(damages).contains("killed-17");
    }
  }

  @Test
  void otherDirectoriesAreRefused() throws Exception {
    Files.writeString(directory.resolve("mine.txt"), "mine");
    assertThatThrownBy(() -> new DuckDbEngine().dataset(directory))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("is no dataset");
    assertThat(files(directory)).containsExactly(Path.of("mine.txt"));
  }
}
