package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.buftrail.console.engine.Dataset;
import org.buftrail.jfr.dataset.DatasetJoin;
import org.buftrail.jfr.parquet.DamagedParquetException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of a dataset joined to one, read by DuckDB; and what is not as it was written. */
final class DatasetJoinTest {
  private static final long ANY = Long.MAX_VALUE / 2;

  @TempDir private Path directory;
  private List<Path> parts;

  @BeforeEach
  void write() throws Exception {
    Path dataset = directory.resolve("dataset");
    try (Dataset open = new DuckDbEngine().dataset(dataset, true)) {
      for (String name : List.of("jdk21", "jdk25", "dd-50-10-100", "jdk11")) {
        open.add(Answer.recording(name));
      }
    }
    try (Stream<Path> all = Files.walk(dataset.resolve("rows"))) {
      parts = all.filter(file -> file.toString().endsWith(".parquet")).sorted().toList();
    }
    assertThat(parts).hasSize(4);
  }

  private Path joined(List<Path> files, int large, int mostRows, int mostStacks)
      throws IOException {
    return joined(files, large, mostRows, ANY, mostStacks);
  }

  private Path joined(List<Path> files, int large, int mostRows, long mostWeight, int mostStacks)
      throws IOException {
    Path to = directory.resolve("joined.parquet");
    try (DatasetJoin join =
        new DatasetJoin(Files.newOutputStream(to), large, mostRows, mostWeight, mostStacks)) {
      for (Path file : files) {
        join.add(file);
      }
      join.finish();
    }
    return to;
  }

  /** How many rows the first files have that the others lack, as often as they have them. */
  private long more(List<Path> files, List<Path> others, String which) throws IOException {
    String all = which.equals("row = 'frame'") ? "select distinct * from" : "select * from";
    String query =
        "select count(*) from ("
            + (all
                + " read_parquet("
                + names(files)
                + ", hive_partitioning = false) where "
                + which)
            + " except all "
            + (all
                + " read_parquet("
                + names(others)
                + ", hive_partitioning = false) where "
                + which)
            + ")";
    Answer answer = Answer.to(query, Answer.recording("jdk21"));
    assertThat(answer.err()).isEmpty();
    return Long.parseLong(answer.rows().get(0).get(0));
  }

  private static String names(List<Path> files) {
    return files.stream().map(file -> Database.quoted(file.toString())).toList().toString();
  }

  private long count(Path file, String what) throws IOException {
    Answer answer =
        Answer.to(
            "select " + what + " from read_parquet('" + file + "')", Answer.recording("jdk21"));
    return Long.parseLong(answer.rows().get(0).get(0));
  }

  @ParameterizedTest
  @CsvSource({
    // All copied; all joined, in one group and in many; both; and stacks that are forgotten.
    "1, 1000000, 1000000",
    "1000000, 1000000, 1000000",
    "1000000, 50, 1000000",
    "500, 1000, 1000000",
    "1000000, 1000000, 0",
  })
  void noRowIsLostOrThereTwice(int large, int mostRows, int mostStacks) throws IOException {
    // The stacks of the first are there already when it comes again.
    List<Path> files = new ArrayList<>(parts);
    files.add(parts.get(0));
    Path joined = joined(files, large, mostRows, mostStacks);
    for (String which : List.of("row <> 'frame'", "row = 'frame'")) {
      assertThat(more(files, List.of(joined), which)).as(which).isZero();
      assertThat(more(List.of(joined), files, which)).as(which).isZero();
    }
    long distinct = count(joined, "count(distinct (stack_id, depth)) filter (row = 'frame')");
    long all = count(joined, "count(*) filter (row = 'frame')");
    if (mostStacks > 0) {
      assertThat(all).isEqualTo(distinct);
    } else {
      assertThat(all).isGreaterThan(distinct);
    }

    // What was made is a file like those that it was made of.
    Path first = Files.move(joined, directory.resolve("first.parquet"));
    Path again = joined(List.of(first, parts.get(1)), large, mostRows, mostStacks);
    List<Path> both = List.of(first, parts.get(1));
    assertThat(more(both, List.of(again), "row <> 'frame'")).isZero();
    assertThat(more(List.of(again), both, "row <> 'frame'")).isZero();
    assertThat(more(both, List.of(again), "row = 'frame'")).isZero();
  }

  /** A row group that is joined to others again and again does not grow. */
  @ParameterizedTest
  @CsvSource({"300, 1000000000", "1000000, 30000"})
  void groupsStaySmall(int mostRows, long mostWeight) throws IOException {
    Path joined = parts.get(0);
    List<Path> files = new ArrayList<>();
    files.add(joined);
    for (int i = 0; i < 20; i++) {
      Path before = Files.copy(joined, directory.resolve("before" + i + ".parquet"));
      Path next = parts.get(1 + i % 3);
      files.add(next);
      joined = joined(List.of(before, next), 1_000_000, mostRows, mostWeight, 100);
    }
    assertThat(more(files, List.of(joined), "row <> 'frame'")).isZero();
    assertThat(more(List.of(joined), files, "row <> 'frame'")).isZero();
    assertThat(more(files, List.of(joined), "row = 'frame'")).isZero();
    assertThat(more(List.of(joined), files, "row = 'frame'")).isZero();
    List<Long> largest = largest(List.of(joined));
    List<Long> before = largest(parts);
    assertThat(largest.get(0)).as("rows").isLessThanOrEqualTo(before.get(0));
    assertThat(largest.get(1)).as("bytes").isLessThanOrEqualTo(before.get(1) * 11 / 10);
    assertThat(largest.get(2)).as("rows of frames").isLessThanOrEqualTo(2L * mostRows);
  }

  /** The most rows of a row group, the most bytes, and the most rows of frames. */
  private static List<Long> largest(List<Path> files) throws IOException {
    Answer answer =
        Answer.to(
            "select max(row_group_num_rows), max(b), max(row_group_num_rows) filter (is_frame)"
                + " from (select any_value(row_group_num_rows) as row_group_num_rows,"
                + " sum(total_uncompressed_size) as b,"
                + " bool_or(path_in_schema = 'row' and stats_min_value = 'frame') as is_frame"
                + " from parquet_metadata("
                + names(files)
                + ") group by file_name, row_group_id)",
            Answer.recording("jdk21"));
    assertThat(answer.err()).isEmpty();
    return answer.rows().get(0).stream().map(Long::parseLong).toList();
  }

  @Test
  void samplesAndEventsAreSorted() throws IOException {
    Path joined = joined(parts, 1_000_000, 1_000_000, 1_000_000);
    for (String table : List.of("sample', kind", "event', event")) {
      String kind = table.replaceAll(".* ", "");
      String before = "lag((" + kind + ", time_nanos)) over (order by file_row_number)";
      Answer answer =
          Answer.to(
              "select count(*) filter (b > ("
                  + kind
                  + ", time_nanos)), count(*) from (select *, "
                  + before
                  + " as b from read_parquet('"
                  + joined
                  + "', file_row_number = true) where row = '"
                  + table.replaceAll("'.*", "")
                  + "')",
              Answer.recording("jdk21"));
      assertThat(answer.err()).isEmpty();
      assertThat(answer.rows().get(0).get(0)).isEqualTo("0");
      assertThat(Long.parseLong(answer.rows().get(0).get(1))).isGreaterThan(100);
    }
  }

  /** Whatever byte is another: it is said, or it was one that changes no value of a page. */
  @ParameterizedTest
  @CsvSource({"1", "1000000"})
  void damageIsSaid(int large) throws IOException {
    byte[] sound = Files.readAllBytes(parts.get(1));
    int footer = footer(sound);
    Random random = new Random(large);
    int said = 0;
    int unseen = 0;
    for (int i = 0; i < 1_500; i++) {
      byte[] changed = sound.clone();
      int at = random.nextInt(sound.length);
      changed[at] ^= (byte) (1 << random.nextInt(8));
      Path file = Files.write(directory.resolve("changed.parquet"), changed);
      try {
        add(file, large);
        unseen += at < footer ? 1 : 0;
      } catch (DamagedParquetException e) {
        said++;
      }
    }
    assertThat(said).isGreaterThan(1_200);
    // The headers of pages have no sum.
    assertThat(unseen).isLessThan(30);
  }

  private static int footer(byte[] file) {
    int at = file.length - 8;
    int length = (file[at] & 0xff) | (file[at + 1] & 0xff) << 8 | (file[at + 2] & 0xff) << 16;
    return at - length;
  }

  private static void add(Path file, int large) throws IOException {
    OutputStream out = new ByteArrayOutputStream();
    try (DatasetJoin join = new DatasetJoin(out, large, 1_000_000, ANY, 1_000_000)) {
      join.add(file);
      join.finish();
    }
  }

  @Test
  void whatIsNoFileOfADatasetIsRefused() throws IOException {
    byte[] sound = Files.readAllBytes(parts.get(0));
    Path file = directory.resolve("x.parquet");
    refused(Files.write(file, new byte[0]), "it is empty");
    refused(Files.writeString(file, "PAR"), "it is no Parquet file");
    refused(Files.writeString(file, "a text that is no Parquet file"), "it is no Parquet file");
    for (int length : new int[] {4, 11, 12, sound.length / 2, sound.length - 1}) {
      refused(Files.write(file, Arrays.copyOf(sound, length)), "its end is missing");
    }
    Path foreign = directory.resolve("foreign.parquet");
    Answer.to("copy (select 1 as one) to '" + foreign + "'", Answer.recording("jdk21"));
    refused(foreign, "it has other columns");
  }

  private static void refused(Path file, String why) {
    assertThatThrownBy(() -> DatasetJoin.check(file, false))
        .isInstanceOf(DamagedParquetException.class)
        .hasMessageStartingWith(why);
    assertThatThrownBy(() -> add(file, 1))
        .isInstanceOf(DamagedParquetException.class)
        .hasMessageStartingWith(why);
  }
}
