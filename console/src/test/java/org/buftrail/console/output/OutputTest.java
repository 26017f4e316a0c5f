package org.buftrail.console.output;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OutputTest {
  @TempDir private Path directory;

  private final ByteArrayOutputStream standard = new ByteArrayOutputStream();
  private final Terminal terminal =
      new Terminal(new PrintStream(standard, true, US_ASCII), new PrintStream(standard));

  @Test
  void replacesWhatIsThere() throws Exception {
    Path file = Files.writeString(directory.resolve("out"), "old");
    Output.write(file.toString(), terminal, out -> out.write("new".getBytes(US_ASCII)));
    assertThat(file).hasContent("new");
  }

  @Test
  void aFailureHalfWayLeavesTheOldFileAndNothingElse() throws Exception {
    Path file = Files.writeString(directory.resolve("out"), "old");
    assertThatThrownBy(
            () ->
                Output.write(
                    file.toString(),
                    terminal,
                    out -> {
                      out.write("half".getBytes(US_ASCII));
                      throw new IOException("disk full");
                    }))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("cannot write " + file + ": disk full");
    assertThat(file).hasContent("old");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void ofSeveralFilesAllAreWrittenOrNone() throws Exception {
    Path first = Files.writeString(directory.resolve("first"), "old");
    Map<String, Output.Content> files = new LinkedHashMap<>();
    files.put(first.toString(), out -> out.write("new".getBytes(US_ASCII)));
    files.put(
        directory.resolve("second").toString(),
        out -> {
          throw new IOException("disk full");
        });
    assertThatThrownBy(() -> Output.write(files, terminal))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("cannot write " + directory.resolve("second") + ": disk full");
    assertThat(first).hasContent("old");
    assertThat(directory).isDirectoryNotContaining(file -> !file.equals(first));
  }

  /** Once all are written, each is moved; what stands in the way of one stops those behind it. */
  @Test
  void aFileThatCannotBeMovedIsNamedAndNothingElseIsLeft() throws Exception {
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    Path third = Files.writeString(directory.resolve("third"), "old");
    Map<String, Output.Content> files = new LinkedHashMap<>();
    files.put(first.toString(), out -> out.write("new".getBytes(US_ASCII)));
    files.put(second.toString(), out -> Files.createDirectories(second.resolve("in the way")));
    files.put(third.toString(), out -> out.write("new".getBytes(US_ASCII)));
    assertThatThrownBy(() -> Output.write(files, terminal))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("cannot write " + second + ": ");
    assertThat(first).hasContent("new");
    assertThat(third).hasContent("old");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).containsExactlyInAnyOrder(first, second, third);
    }
  }

  @Test
  void whatTakesOneOutputAsItComesIsAStream() throws Exception {
    assertThat(Output.isStream("-")).isTrue();
    assertThat(Output.isStream("/dev/null")).isEqualTo(Files.exists(Path.of("/dev/null")));
    Path file = Files.writeString(directory.resolve("out"), "old");
    for (Path none : List.of(file, directory, directory.resolve("missing"))) {
      assertThat(Output.isStream(none.toString())).as("%s", none).isFalse();
    }
  }

  @Test
  void writesThroughALink() throws Exception {
    Path file = Files.writeString(directory.resolve("out"), "old");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    Output.write(link.toString(), terminal, out -> out.write("new".getBytes(US_ASCII)));
    assertThat(file).hasContent("new");
    assertThat(link).isSymbolicLink();
  }

  @Test
  void aDashIsStandardOutput() throws Exception {
    Output.write("-", terminal, out -> out.write("result".getBytes(US_ASCII)));
    assertThat(standard.toString(US_ASCII)).isEqualTo("result");
  }
}
