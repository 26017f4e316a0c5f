package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.cli.commands.WatchCommand;
import org.buftrail.console.output.Terminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WatchCompactsTest {
  @TempDir private Path directory;

  @Test
  void aWatchLeavesOneFileOfADayAndService() throws IOException {
    Path from = Files.createDirectory(directory.resolve("recordings"));
    Files.copy(Answer.recording("jdk21"), from.resolve("a.jfr.gz"));
    Path joined = Files.copy(Answer.unpacked("jdk21", directory), from.resolve("b.jfr"));
    // Another recording by its bytes: the same twice.
    Files.write(joined, Files.readAllBytes(joined), StandardOpenOption.APPEND);
    Path dataset = directory.resolve("dataset");
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream said = new PrintStream(err, true, StandardCharsets.UTF_8);

    int exit =
        WatchCommand.commandLine(new Terminal(said, said))
            .execute(from.toString(), "--dataset", dataset.toString(), "--once", "--compact", "1");

    assertThat(exit).as(err.toString(StandardCharsets.UTF_8)).isZero();
    try (Stream<Path> files = Files.walk(dataset.resolve("rows"))) {
      List<Path> rows = files.filter(file -> file.toString().endsWith(".parquet")).toList();
      assertThat(rows).hasSize(1);
    }
    Answer one = Answer.to("select count(*) from events", Answer.recording("jdk21"));
    long events = Long.parseLong(one.rows().get(0).get(0));
    Answer all = Answer.to("select count(*) from events", dataset);
    assertThat(all.rows().get(0).get(0)).isEqualTo(String.valueOf(3 * events));
  }
}
