package org.buftrail.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.cli.Recordings;
import org.buftrail.cli.Run;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What controls a terminal is shown, whichever way it goes. */
final class HostileNamesTest {
  @Test
  void theTerminalGetsNothingElse() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    terminal.print("1\u001b\n");
    terminal.line("2\u001b");
    terminal.note("3\u001b");
    terminal.fail("4\u001b\n5");
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("1\\u001b", "2\\u001b");
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("3\\u001b", "buftrail: 4\\u001b 5");
  }

  /** A recording whose metadata gives a type a name that colours and rings. */
  @Test
  void namesOfARecordingDoNotReachTheTerminalAsTheyAre(@TempDir Path directory) throws Exception {
    Path recording = Recordings.make(directory);
    String text = Files.readString(recording, StandardCharsets.ISO_8859_1);
    String hostile = "j\u001b[31mZ\u0007\nMonitorWai";
    assertThat(hostile).hasSameSizeAs("jdk.JavaMonitorWait");
    Files.writeString(
        recording, text.replace("jdk.JavaMonitorWait", hostile), StandardCharsets.ISO_8859_1);
    for (List<String> command :
        List.of(List.of("info"), List.of("convert", "--stats", "-o", directory + "/x.otlp"))) {
      List<String> line = new ArrayList<>(command);
      line.add(recording.toString());
      Run run = Run.of(line.toArray(new String[0]));
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(run.out())
          .contains("j\\u001b[31mZ\\u0007\\u000aMonitorWai ")
          .doesNotContain("\u001b", "\u0007");
    }
  }
}
