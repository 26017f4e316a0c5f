package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.buftrail.console.engine.Dataset;
import org.buftrail.console.engine.SqlQuestion;
import org.buftrail.console.output.Terminal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A dataset of which a file is damaged, or not one of its own: a line says which, and what to do.
 */
final class DamagedDatasetTest {
  private static final String SUMS =
      "select recording, count(*) from samples group by 1 order by 1";

  @TempDir private Path directory;
  private Path dataset;
  private String sums;

  /** What becomes of a file. */
  enum Damage {
    EMPTY("it is empty"),
    CUT("its end is missing"),
    SHORT("its end is missing"),
    FOOTER("it has other columns, or its footer is damaged"),
    PAGE("a page has another sum than it should have"),
    TEXT("it is no Parquet file"),
    FOREIGN("it has other columns, or its footer is damaged");

    private final String why;

    Damage(String why) {
      this.why = why;
    }

    void to(Path file) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      switch (this) {
        case EMPTY -> Files.write(file, new byte[0]);
        case CUT -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
        case SHORT -> Files.write(file, Arrays.copyOf(bytes, 9));
        case FOOTER -> {
          Arrays.fill(bytes, bytes.length - 8 - footer(bytes), bytes.length - 8, (byte) 7);
          Files.write(file, bytes);
        }
        case PAGE -> {
          Arrays.fill(bytes, 100, bytes.length / 2, (byte) 7);
          Files.write(file, bytes);
        }
        case TEXT -> Files.writeString(file, "this is a text and no Parquet file at all");
        case FOREIGN -> {
          Files.delete(file);
          Answer.to("copy (select 1 as one) to '" + file + "'", Answer.recording("jdk21"));
        }
      }
    }

    private static int footer(byte[] file) {
      int at = file.length - 8;
      return (file[at] & 0xff) | (file[at + 1] & 0xff) << 8;
    }
  }

  @BeforeEach
  void write() throws Exception {
    dataset = directory.resolve("dataset");
    add();
    sums = Answer.to(SUMS, dataset).out();
  }

  private void add() throws Exception {
    try (Dataset open = new DuckDbEngine().dataset(dataset, false)) {
      for (String name : List.of("jdk21", "jdk25", "jdk11")) {
        open.add(Answer.recording(name));
      }
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(dataset.resolve("rows"))) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** What a compaction ends with: its exit code, and what it says of failures. */
  private String compact() throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream said = new PrintStream(err, true, StandardCharsets.UTF_8);
    int exit = new DuckDbEngine().compact(dataset, 0, new Terminal(said, said));
    return exit + " " + err.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void eachIsNamed(Damage damage) throws Exception {
    Path file = files().get(1);
    damage.to(file);
    Path mark =
        dataset
            .resolve("recordings")
            .resolve(file.getFileName().toString().replace(".parquet", ".json"));
    String line =
        "buftrail: "
            + file
            + " cannot be read: "
            + damage.why
            + "; delete it and "
            + mark
            + ", and add its recording again";

    Answer answer = Answer.to("select *  from samples", dataset);
    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err().strip()).isEqualTo(line);

    // The others are compacted, and it stays where it is.
    assertThat(compact()).startsWith("1 ").contains("made 1 of 2 files").contains(line);
    assertThat(files()).hasSize(2).contains(file);

    Files.delete(file);
    Files.delete(mark);
    add();
    assertThat(Answer.to(SUMS, dataset).out()).isEqualTo(sums);
    assertThat(compact()).startsWith("0 ").contains("made 1 of 2 files");
    assertThat(Answer.to(SUMS, dataset).out()).isEqualTo(sums);
  }

  @Test
  void oneThatTookThePlaceOfOthersCannotBeMadeAgain() throws Exception {
    compact();
    Path file = files().get(0);
    Damage.CUT.to(file);
    assertThat(Answer.to(SUMS, dataset).err())
        .contains(file + " cannot be read: its end is missing; put a copy in its place, or delete");
    Files.delete(file);
    assertThat(Answer.to(SUMS, dataset).exit()).isZero();
  }

  /** Each would cost a join more if they were found one by one. */
  @Test
  void manyAreNamedAtOnce() throws Exception {
    Path first = files().get(0);
    Path last = files().get(2);
    Damage.PAGE.to(first);
    Damage.PAGE.to(last);
    assertThat(compact())
        .startsWith("1 ")
        .contains("made 1 of 1 files")
        .contains(first + " cannot be read")
        .contains(last + " cannot be read");
    assertThat(files()).hasSize(3).contains(first, last);
  }

  @Test
  void oneThatTheSystemDoesNotLetReadIsLeft() throws Exception {
    Path file = files().get(1);
    Files.delete(file);
    Files.createDirectory(file);
    assertThat(compact())
        .startsWith("1 ")
        .contains("made 1 of 2 files")
        .contains(file + " cannot be read: ")
        .contains("; mend that and try again");
    assertThat(file).isDirectory();
  }

  /** A mark is gone once another file of its recording is compacted. */
  @Test
  void theAdviceIsThatOfTheEnd() throws Exception {
    Path service = Objects.requireNonNull(files().get(0).getParent());
    Path first = Files.createDirectory(service.resolveSibling("service=A"));
    for (Path file : files()) {
      Files.copy(file, first.resolve(file.getFileName()));
    }
    Path file = files().get(0);
    Damage.PAGE.to(file);
    assertThat(compact())
        .startsWith("1 ")
        .contains(file + " cannot be read")
        .contains("put a copy in its place")
        .doesNotContain("add its recording again");
  }

  /** Earlier versions had DuckDB compact. */
  @Test
  void oneThatDuckDbCompactedIsReadAndLeft() throws Exception {
    Path file = files().get(1);
    Path old = file.resolveSibling("compacted-" + new UUID(4, 6) + ".parquet");
    Answer.to(
        "copy (from read_parquet('" + file + "', hive_partitioning = false)) to '" + old + "'",
        Answer.recording("jdk21"));
    Files.delete(file);
    assertThat(Answer.to(SUMS, dataset).out()).isEqualTo(sums);
    assertThat(compact())
        .startsWith("0 ")
        .contains("made 1 of 2 files")
        .contains(old + ": left as it is, since this program wrote it: DuckDB");
    assertThat(Answer.to(SUMS, dataset).out()).isEqualTo(sums);

    Path damaged = files().stream().filter(each -> !each.equals(old)).findFirst().orElseThrow();
    Damage.PAGE.to(damaged);
    assertThat(Answer.to("select * from samples", dataset).err())
        .contains(damaged + " cannot be read")
        .doesNotContain(old.toString());
  }

  @Test
  void oneThatAnotherProgramWroteAndThatCannotBeReadIsNamed() throws Exception {
    Path file = files().get(1);
    Path old = file.resolveSibling("compacted-" + new UUID(4, 6) + ".parquet");
    Answer.to(
        "copy (from read_parquet('" + file + "', hive_partitioning = false)) to '" + old + "'",
        Answer.recording("jdk21"));
    Files.delete(file);
    Damage.PAGE.to(old);
    String line = old + " cannot be read: DuckDB says: ";
    String advice = "; put a copy in its place, or delete it, which loses its rows";
    assertThat(Answer.to("select * from samples", dataset).err()).contains(line).contains(advice);
    assertThat(compact())
        .startsWith("1 ")
        .contains("made 1 of 2 files")
        .contains(line)
        .contains(advice)
        .doesNotContain("left as it is");
    assertThat(old).exists();
  }

  /** A compaction would replace files, or delete them, while they are looked at. */
  @Test
  void itIsNamedUnderTheLock() throws Exception {
    Damage.PAGE.to(files().get(1));
    List<Boolean> isLocked = new ArrayList<>();
    OutputStream err =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            try (DatasetLock alone = DatasetLock.tryAlone(dataset)) {
              isLocked.add(alone == null);
            }
          }
        };
    Terminal terminal = new Terminal(new PrintStream(err, true), new PrintStream(err, true));
    SqlQuestion question =
        new SqlQuestion("select * from samples", List.of(dataset), null, null, false);
    assertThat(new DuckDbEngine().answer(question, terminal)).isEqualTo(1);
    assertThat(isLocked).isNotEmpty().doesNotContain(false);
  }

  @Test
  void thePromptNamesIt() throws Exception {
    Path file = files().get(1);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    try (Database database = Database.ofDatasets(List.of(dataset))) {
      Damage.PAGE.to(file);
      Prompt prompt = new Prompt(database, List.of(dataset), new Terminal(out, out));
      String query = "select * from samples;\nselect nothing from samples;\n";
      prompt.run(prompt.plain(new ByteArrayInputStream(query.getBytes(StandardCharsets.UTF_8))));
    }
    assertThat(said.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce(file + " cannot be read: a page has another sum")
        .contains("nothing");
  }

  @Test
  void aForeignFileIsNotCompacted() throws Exception {
    Path foreign = files().get(0).resolveSibling("other.parquet");
    Answer.to("copy (select 1 as one) to '" + foreign + "'", Answer.recording("jdk21"));
    String advice = "; it is none of the dataset's, so move it away";
    assertThat(Answer.to("select * from samples", dataset).err())
        .contains(foreign + " cannot be read: it has other columns")
        .contains(advice);
    assertThat(compact()).startsWith("1 ").contains("made 1 of 3 files").contains(advice);
    assertThat(foreign).exists();
    Files.delete(foreign);
    assertThat(Answer.to(SUMS, dataset).out()).isEqualTo(sums);
  }

  /** What a query gets wrong is no fault of a file. */
  @Test
  void aWrongQueryIsStillTold() throws Exception {
    assertThat(Answer.to("select nothing from samples", dataset).err()).contains("nothing");
    Damage.PAGE.to(files().get(1));
    assertThat(Answer.to("select nothing from samples", dataset).err())
        .as("no page is read for a name that is mistyped")
        .contains("nothing")
        .doesNotContain("cannot be");
    Damage.CUT.to(files().get(2));
    assertThat(Answer.to("selekt 1", dataset).err()).contains("selekt").doesNotContain("cannot be");
  }
}
