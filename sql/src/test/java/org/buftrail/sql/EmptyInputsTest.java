package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.buftrail.cli.InProcess;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Inputs that hold nothing, which every other command refuses in the same words. */
final class EmptyInputsTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing.jfr|''|is empty",
        "nothing.collapsed|''|is empty",
        "no-resources.json|{\"resourceProfiles\":[]}|holds no profiles",
        "no-profiles.json|{\"resourceProfiles\":[{}]}|holds no profiles",
        "zeros.collapsed|a;b 0|holds no samples: each value is 0, or there is none"
      })
  void eachIsNamedAndTheOthersAreAsked(String name, String content, String what)
      throws IOException {
    Path in = Files.writeString(directory.resolve(name), content);
    Answer alone = Answer.to("select count(*) as n from samples", in);
    assertThat(alone.err()).startsWith("buftrail: " + in + ": " + what + "\n");
    assertThat(alone.exit()).isEqualTo(1);
    Answer beside =
        Answer.to("select count(*) > 0 as some from samples", in, Answer.recording("jdk21"));
    assertThat(beside.rows().toString()).isEqualTo("[[true]]");
    assertThat(beside.err()).contains(in + ": " + what);
    assertThat(beside.exit()).isEqualTo(1);
  }

  /** One without a sample is not empty there: it has other events. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing.jfr|''|is empty",
        "nothing.collapsed|''|is empty",
        "no-profiles.json|{\"resourceProfiles\":[{}]}|holds no profiles",
        "zeros.collapsed|a;b 0|holds no samples: each value is 0, or there is none"
      })
  void nothingIsAddedToADataset(String name, String content, String what) throws IOException {
    Path in = Files.writeString(directory.resolve(name), content);
    Path dataset = directory.resolve("dataset");
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream said = new PrintStream(err, true, StandardCharsets.UTF_8);
    int exit =
        InProcess.run(
            said, said, "convert", in.toString(), "-o", dataset.toString(), "--format", "parquet");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("buftrail: " + in + ": " + what)
        .endsWith(dataset + ": added 0, there before 0, not readable 1, readable in part 0\n");
    assertThat(exit).isEqualTo(1);
    assertThat(Answer.to("select count(*) from events", dataset).rows().toString())
        .isEqualTo("[[0]]");
  }
}
