package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.console.engine.Dataset;
import org.buftrail.console.engine.SqlQuestion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What queries of others may do. */
final class ReadOnlyTest {
  @TempDir private Path directory;

  private static Answer ask(String query, Path input) throws IOException {
    return Answer.to(new SqlQuestion(query, List.of(input), null, null, false, true));
  }

  private Path dataset() throws Exception {
    Path dataset = directory.resolve("dataset");
    try (Dataset made = new DuckDbEngine().dataset(dataset, false)) {
      made.add(Answer.recording("jdk21"));
    }
    return dataset;
  }

  @Test
  void queriesAreAnsweredAsEver() throws Exception {
    for (Path input : List.of(Answer.recording("jdk21"), dataset())) {
      for (String query :
          List.of(
              "select method, self from hot_methods(service := 'Load') limit 3",
              "with a as (select 1 as b) from a",
              "select count(*) from events")) {
        Answer answer = ask(query, input);
        assertThat(answer.exit()).as(query + answer.err()).isZero();
        assertThat(answer.out()).isEqualTo(Answer.to(query, input).out()).isNotEmpty();
      }
    }
  }

  @Test
  void noOtherFileIsReadAndNothingIsWritten() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret.csv"), "a\n1\n");
    Path written = directory.resolve("written.csv");
    Path dataset = dataset();
    for (Path input : List.of(Answer.recording("jdk21"), dataset)) {
      for (String query :
          List.of(
              "from read_text('" + secret + "')",
              "from '" + secret + "'",
              "from glob('" + directory + "/*')",
              "from read_text('" + dataset + "/../secret.csv')",
              "attach '" + directory.resolve("other.db") + "'",
              "install httpfs",
              "set enable_external_access = true",
              "copy (select 1) to '" + written + "'",
              "copy (select 1) to '" + dataset.resolve("rows/more.parquet") + "'",
              "select 1; copy (select 1) to '" + dataset.resolve("rows/more.parquet") + "'",
              "create table more as select 1")) {
        Answer answer = ask(query, input);
        assertThat(answer.exit()).as(query + answer.out()).isEqualTo(1);
        assertThat(answer.err()).as(query).containsAnyOf("queries alone", "Permission Error");
      }
    }
    assertThat(written).doesNotExist();
    assertThat(dataset.resolve("rows/more.parquet")).doesNotExist();
    assertThat(directory.resolve("other.db")).doesNotExist();
  }
}
