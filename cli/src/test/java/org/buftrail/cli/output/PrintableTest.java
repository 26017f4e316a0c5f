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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PrintableTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"", "org.example.Service.call", "a\tb", "Größe", "日本語", "😀", "[ЗАПИСЬ tid=1]"})
  void textStaysAsItIs(String text) {
    assertThat(Printable.line(text)).isEqualTo(text);
    assertThat(Printable.lines(text)).isEqualTo(text);
  }

  /** Escape, bell, delete, one of C1; what reverses text or is not seen; both separators. */
  @ParameterizedTest
  @CsvSource({
    "1b, \\u001b",
    "7, \\u0007",
    "7f, \\u007f",
    "9b, \\u009b",
    "202e, \\u202e",
    "2066, \\u2066",
    "200b, \\u200b",
    "2028, \\u2028",
    "2029, \\u2029",
    "0, \\u0000",
    "8, \\u0008"
  })
  void whatControlsATerminalIsWritten(String character, String written) {
    String text = "a" + (char) Integer.parseInt(character, 16) + "b";
    assertThat(Printable.line(text)).isEqualTo("a" + written + "b");
    assertThat(Printable.lines(text)).isEqualTo("a" + written + "b");
  }

  @Test
  void oneLineStaysOne() {
    assertThat(Printable.line("a\nb\r\nc\rd")).isEqualTo("a\\u000ab\\u000d\\u000ac\\u000dd");
    assertThat(Printable.lines("a\nb\r\nc\rd")).isEqualTo("a\nb\r\nc\\u000dd");
  }

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
