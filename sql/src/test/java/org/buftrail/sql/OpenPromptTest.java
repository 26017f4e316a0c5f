package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.buftrail.console.engine.Dataset;
import org.buftrail.console.engine.SqlQuestion;
import org.buftrail.console.output.Terminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A prompt over a dataset, which may be open for days. */
final class OpenPromptTest {
  private static final String SUMS =
      "select recording, count(*) as n, sum(value) as value from samples group by 1 order by 1;\n";

  @TempDir private Path directory;

  /** What a user types once something else has happened. */
  private static InputStream typed(String text, Compactor... before) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
      private boolean isBegun;

      @Override
      public synchronized int read(byte[] to, int from, int length) {
        if (!isBegun) {
          isBegun = true;
          for (Compactor compactor : before) {
            Compactor.Done done = compact(compactor);
            assertThat(done.busy()).as("waits for the prompt").isZero();
            assertThat(done.made()).isPositive();
          }
        }
        return super.read(to, from, length);
      }
    };
  }

  private static Compactor.Done compact(Compactor compactor) {
    try {
      return compactor.run(LocalDate.MIN, 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDatasetIsCompactedBetweenTwoQueries() throws Exception {
    Path dataset = directory.resolve("dataset");
    try (Dataset open = new DuckDbEngine().dataset(dataset, false)) {
      for (String name : List.of("jdk21", "jdk25", "jdk11")) {
        open.add(Answer.recording(name));
      }
    }
    InputStream before = System.in;
    Answer answer;
    try {
      System.setIn(
          new SequenceInputStream(typed(SUMS), typed(SUMS, new Compactor(dataset, () -> {}))));
      answer = Answer.to(new SqlQuestion(null, List.of(dataset), null, null, false));
    } finally {
      System.setIn(before);
    }
    assertThat(answer.exit()).as(answer.err()).isZero();
    List<List<String>> rows = answer.rows();
    int half = rows.size() / 2;
    assertThat(rows.subList(0, half)).hasSize(3);
    assertThat(rows.subList(half + 1, rows.size())).isEqualTo(rows.subList(0, half));
    assertThat(Answer.to("select count(*) from glob('" + dataset + "/rows/**')", dataset).rows())
        .containsExactly(List.of("1"));
  }

  @Test
  void aDatasetThatIsGoneIsSaidToBe() throws Exception {
    Path dataset = directory.resolve("dataset");
    try (Dataset open = new DuckDbEngine().dataset(dataset, false)) {
      open.add(Answer.recording("jdk21"));
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    try (Database database = Database.ofDatasets(List.of(dataset))) {
      Prompt prompt = new Prompt(database, List.of(dataset), new Terminal(out, out));
      Files.move(dataset, directory.resolve("elsewhere"));
      assertThat(prompt.run(prompt.plain(typed(SUMS)))).isEqualTo(1);
    }
    assertThat(said.toString(StandardCharsets.UTF_8))
        .contains("buftrail: " + dataset + ": no such file");
  }
}
