package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where {@code convert} writes, as its own users and those of jfrconv say it, and how it ends. */
final class DestinationTest {
  @TempDir private Path directory;
  private Path recording = Path.of("");

  @BeforeEach
  void record() throws IOException, InterruptedException {
    recording = Recordings.make(directory);
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private List<String> others() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals("recording.jfr"))
          .sorted()
          .toList();
    }
  }

  @Test
  void theLastOfSeveralNamesIsTheOutputIfItsEndingIsAFormats() throws IOException {
    Run run = Run.of("convert", recording.toString(), file("out.html"));
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(others()).containsExactly("out.html");
    assertThat(directory.resolve("out.html")).content().startsWith("<!doctype html>");
    Run both = Run.of("convert", recording.toString(), recording.toString(), file("both.otlp"));
    assertThat(both.exit()).as(both.err()).isZero();
    assertThat(both.errLines())
        .hasSize(2)
        .startsWith(recording + " is an input already; it counts again");
    assertThat(Written.count(Written.read(directory.resolve("both.otlp")), "lock_wait"))
        .isEqualTo(2 * Recordings.count(recording, "jdk.JavaMonitorWait"));
    Run options = Run.of("convert", "--lock", recording.toString(), file("lock.otlp"));
    assertThat(options.exit()).as(options.err()).isZero();
    assertThat(others()).containsExactly("both.otlp", "lock.otlp", "out.html");
  }

  @Test
  void aFormatAloneNamesTheOutputAfterTheInput() throws IOException {
    for (String word : List.of("html", "otlp", "json")) {
      Run run = Run.of("convert", "-o", word, recording.toString());
      assertThat(run.exit()).as(run.err()).isZero();
    }
    assertThat(others()).containsExactly("recording.html", "recording.json", "recording.otlp");
    Run packed = Run.of("convert", "--lock", "--profile=lock_wait", "-o", "pb.gz", recording + "");
    assertThat(packed.exit()).as(packed.err()).isZero();
    assertThat(others()).contains("recording.pb.gz");
  }

  @Test
  void aFormatMayStandBesideAnOutput() throws IOException {
    Run run =
        Run.of("convert", "-o", "collapsed", "--profile=lock_wait", recording + "", file("x.html"));
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(directory.resolve("x.html"))
        .content()
        .contains("org.buftrail.cli.Recordings.waitOnce;")
        .doesNotContain("<");
  }

  @Test
  void withFormatGivenAnOutputMayHaveAFormatsName() throws IOException {
    Path named = directory.resolve("html");
    Run run = Run.of("convert", recording.toString(), "--format=otlp", "-o", named.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(others()).containsExactly("html");
  }

  @Test
  void nothingToWriteIsAFailureThatSaysWhatThereIs() throws IOException {
    for (String target : List.of("x.otlp", "x.json", "x.html", "x.pb.gz", "x.collapsed", "-")) {
      String output = target.equals("-") ? target : file(target);
      Run run = Run.of("convert", recording.toString(), "--cpu", "--netty", "-o", output);
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.errLines())
          .singleElement()
          .asString()
          .startsWith("buftrail: " + recording + ": nothing to convert: the options select none of")
          .contains("lock_wait")
          .contains("exceptions");
    }
    assertThat(others()).isEmpty();
  }

  @Test
  void aRecordingOfOtherEventsNamesThoseItHasMostOf() throws IOException {
    Path other = directory.resolve("other.jfr");
    try (jdk.jfr.Recording made = new jdk.jfr.Recording()) {
      made.enable("jdk.InitialSystemProperty");
      made.start();
      made.stop();
      made.dump(other);
    }
    Run run = Run.of("convert", other.toString(), "--lenient");
    assertThat(run.exit()).isEqualTo(1);
    long properties = Recordings.count(other, "jdk.InitialSystemProperty");
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .startsWith("buftrail: " + other + ": nothing to convert: none of its ")
        .contains(" events becomes a profile by itself; there are ")
        .contains(properties + " jdk.InitialSystemProperty")
        .endsWith("(buftrail info lists them; --event converts one)");
    assertThat(others()).containsExactly("other.jfr");
    Run named = Run.of("convert", other.toString(), "--event=jdk.InitialSystemProperty");
    assertThat(named.exit()).as(named.err()).isZero();
    assertThat(others()).containsExactly("other.jfr", "other.otlp");
  }

  @Test
  void ofADirectoryTheFileIsNamedThatIsDamaged() throws IOException {
    Path below = Files.createDirectory(directory.resolve("below"));
    Path text = Files.writeString(below.resolve("notes.jfr"), "these are notes, not events");
    try (jdk.jfr.Recording made = new jdk.jfr.Recording()) {
      made.enable("jdk.InitialSystemProperty");
      made.start();
      made.stop();
      made.dump(below.resolve("other.jfr"));
    }
    for (Run run :
        List.of(
            Run.of("convert", below.toString(), "-o", file("x.otlp")),
            Run.of("push", below.toString(), "--endpoint", "http://127.0.0.1:1"))) {
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.errLines())
          .hasSize(2)
          .first()
          .isEqualTo("buftrail: " + text + ": not a flight recording");
      assertThat(run.errLines().get(1))
          .startsWith("buftrail: " + below + ": nothing to convert: none of its ")
          .doesNotContain("not a flight recording");
    }
  }

  /** One output of several is missing, and the others are written. */
  @Test
  void inADirectoryTheOthersAreWritten() throws IOException {
    Path other = directory.resolve("other.jfr");
    try (jdk.jfr.Recording made = new jdk.jfr.Recording()) {
      made.enable("jdk.InitialSystemProperty");
      made.start();
      made.stop();
      made.dump(other);
    }
    Run run = Run.of("convert", other.toString(), recording.toString(), "-o", file("out") + "/");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains(other + ": nothing to convert: ");
    try (Stream<Path> files = Files.list(directory.resolve("out"))) {
      assertThat(files).containsExactly(directory.resolve("out/recording.otlp"));
    }
  }
}
