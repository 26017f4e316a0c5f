package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.console.output.Terminal;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.buftrail.profile.text.Printable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Escape, bell, delete, CSI in eight bits; what reverses text; both separators; a line's end. */
  private static final String HOSTILE = "a\u001b[7m\u0007\u007f\u009b\u202e\u2066\u2028\u2029\nzzz";

  private static Path hostileOtlp(Path file) throws Exception {
    Dictionary dictionary = new Dictionary();
    int frame =
        dictionary
            .locations()
            .intern(dictionary.functions().intern(HOSTILE), 1, dictionary.frameType("jvm"));
    int attributes =
        dictionary.attributeSets().intern(dictionary.attributes().intern("thread.name", HOSTILE));
    Samples samples = Samples.summed(1);
    samples.add(dictionary.stacks().intern(new int[] {frame}, 0, 1), attributes, 0, 1);
    Profiles profiles = new Profiles(dictionary);
    profiles.resource().put("service.name", HOSTILE);
    ValueType type = ValueType.of(HOSTILE, HOSTILE);
    profiles.add(new Profile(HOSTILE, type, samples, 0).period(type, 1));
    try (OutputStream out = Files.newOutputStream(file)) {
      new OtlpWriter().write(List.of(profiles), out);
    }
    return file;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "report IN",
        "report IN --format=collapsed",
        "report IN --format=json",
        "report IN --format=speedscope",
        "report IN --format=html",
        "convert IN -o - --format=collapsed",
        "convert IN -o - --format=collapsed --lines",
        "convert IN -o - --format=text",
        "convert IN -o - --format=otlp-json",
        "convert IN -o - --format=json --pretty",
        "convert IN -o - --format=heatmap",
        "convert IN --profile nothing -o -",
        "diff IN IN",
        "diff IN IN --fail-on growth=1%",
        "diff IN IN -o OUT.json",
        "diff IN IN -o OUT.md",
        "diff IN IN -o OUT.txt",
        "check IN",
        "info IN"
      })
  void noFormShowsNamesOfProfilesAsTheyAre(String line, @TempDir Path directory) throws Exception {
    Path in = hostileOtlp(directory.resolve("in.otlp"));
    Path out = directory.resolve("x");
    Run run = Run.of(line.replace("IN", in.toString()).replace("OUT", out.toString()).split(" "));
    StringBuilder shown = new StringBuilder(run.out() + run.err());
    for (String ending : List.of(".json", ".md", ".txt")) {
      Path written = Path.of(out + ending);
      shown.append(Files.exists(written) ? Files.readString(written) : "");
    }
    assertThat(shown.length()).as("something is shown").isPositive();
    assertThat(shown.chars().filter(c -> c != '\n' && c != '\t' && Printable.isControl((char) c)))
        .as(shown.toString())
        .isEmpty();
    assertThat(shown.toString().lines().filter(text -> text.startsWith("zzz"))).isEmpty();
  }
}
