package org.buftrail.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.cli.Recordings;
import org.buftrail.cli.Run;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConvertCommandTest {
  @TempDir private Path directory;
  private Path recording = Path.of("");

  @BeforeEach
  void record() throws IOException, InterruptedException {
    recording = Recordings.make(directory);
  }

  @Test
  void writesAConformantProfileBesideTheRecording() throws IOException {
    Run run = Run.of("convert", recording.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).isEmpty();
    Path profile = directory.resolve("recording.otlp");
    assertThat(run.err()).startsWith(profile + ": ");
    Run check = Run.of("check", profile.toString());
    assertThat(check.exit()).as(check.out()).isZero();
    assertThat(check.out()).startsWith(profile + ": conformant, ");
    assertThat(names()).containsExactly("recording.jfr", "recording.otlp");
  }

  @Test
  void aGlobStandsForWhatItMatches() throws IOException {
    Path profile = directory.resolve("recording.otlp");
    Run one = Run.of("convert", file("rec*.jfr"));
    assertThat(one.exit()).as(one.err()).isZero();
    assertThat(one.err()).startsWith(profile + ": ");
    Files.copy(recording, directory.resolve("recording2.jfr"));
    Run two = Run.of("convert", file("rec*.jfr"));
    assertThat(two.exit()).isEqualTo(2);
    assertThat(two.err()).startsWith("buftrail: several inputs need -o OUT");
    Run none = Run.of("info", file("*.zst"));
    assertThat(none.exit()).isEqualTo(1);
    assertThat(none.err().lines())
        .containsExactly("buftrail: " + file("*.zst") + ": no file matches");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 100000, 1, 0.0",
    "49999, 100000, 1, 0.0",
    "50000, 100000, 1, 0.1",
    "12345678, 100000, 1, 12.3",
    "30000000, 10000000, 2, 0.03",
    "999995000, 10000000, 2, 1.00",
    "61234000000, 10000000, 2, 61.23",
  })
  void theSummaryRoundsAtItsLastDigit(long number, long lastDigit, int digits, String text) {
    assertThat(ConvertCommand.rounded(number, lastDigit, digits)).isEqualTo(text);
  }

  @Test
  void statsCountWhatTheReaderOfTheJdkCounts() throws IOException {
    Run run = Run.of("convert", recording.toString(), "-o", file("all.otlp"), "--lock", "--stats");
    assertThat(run.exit()).as(run.err()).isZero();
    long waits = Recordings.count(recording, "jdk.JavaMonitorWait");
    long exceptions = Recordings.count(recording, "jdk.JavaExceptionThrow");
    assertThat(waits).isGreaterThanOrEqualTo(5);
    assertThat(cells(run.out(), "jdk.JavaMonitorWait"))
        .startsWith(Long.toString(waits), Long.toString(waits), "0");
    assertThat(cells(run.out(), "jdk.JavaExceptionThrow"))
        .startsWith(Long.toString(exceptions), "0", Long.toString(exceptions));
  }

  @Test
  void severalInputsBecomeOneOutput() throws IOException {
    Path copy = Files.copy(recording, directory.resolve("copy.jfr"));
    Run both =
        Run.of(
            "convert", recording.toString(), copy.toString(), "-o", file("both.otlp"), "--stats");
    assertThat(both.exit()).as(both.err()).isZero();
    long waits = Recordings.count(recording, "jdk.JavaMonitorWait");
    assertThat(cells(both.out(), "jdk.JavaMonitorWait")).startsWith(Long.toString(2 * waits));
  }

  @Test
  void severalInputsWithoutOutputAreWrongUsage() {
    Run run = Run.of("convert", recording.toString(), recording.toString());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines())
        .containsExactly("buftrail: several inputs need -o OUT; see buftrail convert --help");
  }

  @Test
  void anUnknownEndingIsWrongUsageAndNamesTheKnownOnes() {
    Run run = Run.of("convert", recording.toString(), "-o", file("x.svg"));
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines()).singleElement().asString().contains("x.svg").contains(".otlp");
  }

  @Test
  void whatIsNoRecordingIsOneLineAndLeavesNothing() throws IOException {
    Path text = Files.writeString(directory.resolve("notes.jfr"), "these are notes, not events");
    Run run = Run.of("convert", text.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines()).singleElement().asString().startsWith("buftrail: " + text + ": ");
    assertThat(names()).containsExactly("notes.jfr", "recording.jfr");
  }

  @Test
  void oneOfSeveralThatIsNoRecordingDoesNotStopTheOthers() throws IOException {
    Path text = Files.writeString(directory.resolve("notes.jfr"), "these are notes, not events");
    String line = "buftrail: " + text + ": not a flight recording";
    String[] inputs = {"convert", text.toString(), recording.toString(), "-o", file("x.otlp")};
    Run one = Run.of(inputs);
    assertThat(one.exit()).isEqualTo(1);
    assertThat(one.errLines()).contains(line).last().asString().contains("marked partial");
    assertThat(Run.of("check", file("x.otlp")).exit()).isZero();

    inputs[4] = file("each") + "/";
    Run each = Run.of(inputs);
    assertThat(each.exit()).isEqualTo(1);
    assertThat(each.errLines()).contains(line);
    assertThat(Path.of(file("each"))).isDirectoryContaining("glob:**/recording.otlp");

    Run info = Run.of("info", text.toString(), recording.toString());
    assertThat(info.exit()).isEqualTo(1);
    assertThat(info.errLines()).containsExactly(line);
    assertThat(info.out()).startsWith(recording + ": ");
  }

  @Test
  void severalThatAreNoRecordingsAreALineEach() throws IOException {
    Path text = Files.writeString(directory.resolve("notes.jfr"), "these are notes, not events");
    Run run = Run.of("convert", text.toString(), file("missing.jfr"), "-o", file("x.otlp"));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .containsExactly(
            "buftrail: " + text + ": not a flight recording",
            "buftrail: " + file("missing.jfr") + ": no such file");
    assertThat(names()).containsExactly("notes.jfr", "recording.jfr");
  }

  @Test
  void aMissingFileIsOneLine() {
    Run run = Run.of("convert", file("missing.jfr"));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .containsExactly("buftrail: " + file("missing.jfr") + ": no such file");
  }

  @Test
  void aMissingDirectoryIsOneLine() {
    Run run = Run.of("convert", recording.toString(), "-o", file("no/where.otlp"));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .containsExactly(
            "buftrail: cannot write "
                + file("no/where.otlp")
                + ": there is no directory "
                + file("no"));
  }

  @Test
  void aTruncatedRecordingIsConvertedInPartAndSaysSo() throws IOException {
    byte[] whole = Files.readAllBytes(recording);
    Path both = directory.resolve("cut.jfr");
    byte[] oneAndAHalf = Arrays.copyOf(whole, whole.length + whole.length / 2);
    System.arraycopy(whole, 0, oneAndAHalf, whole.length, whole.length / 2);
    Files.write(both, oneAndAHalf);

    Run strict = Run.of("convert", both.toString());
    assertThat(strict.exit()).isEqualTo(1);
    assertThat(strict.err()).contains("cut.jfr: chunk 1 at byte").contains("marked partial");
    assertThat(directory.resolve("cut.otlp")).exists();
    assertThat(Run.of("check", file("cut.otlp")).exit()).isZero();
    assertThat(Run.of("convert", both.toString(), "--lenient").exit()).isZero();
  }

  @Test
  void aPageShowsEachKind() throws IOException {
    Run run = Run.of("convert", recording.toString(), "-o", file("page.html"));
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(Files.readString(directory.resolve("page.html")))
        .startsWith("<!doctype html>")
        .contains("waitOnce");
  }

  @Test
  void formatsOfOneKindAFileBecomeAFileForEachKind() throws IOException {
    Run run = Run.of("convert", recording.toString(), "-o", file("x.collapsed"));
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(names())
        .containsExactly("recording.jfr", "x.exceptions.collapsed", "x.lock_wait.collapsed");
    assertThat(sum(directory.resolve("x.lock_wait.collapsed")))
        .isEqualTo(Recordings.count(recording, "jdk.JavaMonitorWait"));
    assertThat(sum(directory.resolve("x.exceptions.collapsed")))
        .isEqualTo(Recordings.count(recording, "jdk.JavaExceptionThrow"));
  }

  @Test
  void oneKindKeepsTheNameOfTheOutput() throws IOException {
    Run run = Run.of("convert", recording.toString(), "-o", file("x.pb.gz"), "--lock");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(names()).containsExactly("recording.jfr", "x.pb.gz");
  }

  @Test
  void standardOutputTakesOneKind() {
    Run several = Run.of("convert", recording.toString(), "--format", "collapsed", "-o", "-");
    assertThat(several.exit()).isEqualTo(1);
    assertThat(several.out()).isEmpty();
    assertThat(several.errLines()).singleElement().asString().contains("lock_wait, exceptions");
    Run one = Run.of("convert", recording.toString(), "--format", "collapsed", "-o", "-", "--lock");
    assertThat(one.exit()).isZero();
    assertThat(one.out()).contains("Recordings.waitOnce");
  }

  @Test
  void jsonIsConformantToo() {
    assertThat(Run.of("convert", recording.toString(), "-o", file("x.json"), "--pretty").exit())
        .isZero();
    assertThat(Run.of("check", file("x.json")).exit()).isZero();
  }

  @Test
  void eventsOutsideTheTimeAreSkipped() throws IOException {
    Run run =
        Run.of(
            "convert",
            recording.toString(),
            "-o",
            file("x.otlp"),
            "--stats",
            "--to",
            "2000-01-01T00:00:00Z");
    assertThat(run.exit()).isEqualTo(1);
    String waits = Long.toString(Recordings.count(recording, "jdk.JavaMonitorWait"));
    assertThat(cells(run.out(), "jdk.JavaMonitorWait")).startsWith(waits, "0", waits);
  }

  @Test
  void aWrongTimeIsWrongUsage() {
    Run run = Run.of("convert", recording.toString(), "--from", "yesterday");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines()).singleElement().asString().contains("'yesterday' is no time");
  }

  private static long sum(Path collapsed) throws IOException {
    return Files.readAllLines(collapsed).stream()
        .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** The cells of a row of the table, without the first. */
  private static List<String> cells(String table, String event) {
    return table
        .lines()
        .filter(line -> line.startsWith(event + " "))
        .map(line -> List.of(line.split(" +")))
        .map(cells -> cells.subList(1, cells.size()))
        .findFirst()
        .orElseThrow();
  }
}
