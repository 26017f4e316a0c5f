package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of {@code convert} that change what is written, and where. */
final class ConvertOptionsTest {
  @TempDir private Path directory;
  private Path recording = Path.of("");

  @BeforeEach
  void record() throws IOException, InterruptedException {
    recording = Recordings.make(directory);
  }

  private Profiles convert(String... more) throws IOException {
    List<String> args =
        new ArrayList<>(List.of("convert", recording.toString(), "-o", file("x.otlp")));
    args.addAll(List.of(more));
    Run run = Run.of(args.toArray(new String[0]));
    assertThat(run.exit()).as(run.err()).isZero();
    return read("x.otlp");
  }

  private Profiles read(String name) throws IOException {
    return Written.read(directory.resolve(name));
  }

  private static long total(Profiles profiles) {
    return profiles.profiles().stream().mapToLong(Profile::total).sum();
  }

  private static List<String> names(Profiles profiles) {
    return profiles.profiles().stream().map(Profile::name).distinct().toList();
  }

  @Test
  void anEventThatNoRecordingHasIsNamed() throws IOException {
    for (String target : List.of(file("x.otlp"), file("each/"))) {
      Run run =
          Run.of(
              "convert",
              recording.toString(),
              "-o",
              target,
              "--lenient",
              "--event",
              "shop.Nope",
              "--event",
              "jdk.JavaMonitorWait:nosuch:ms",
              "--event",
              "jdk.JavaMonitorWait:timeout");
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.err().lines().filter(line -> line.startsWith("buftrail: ")))
          .containsExactly(
              "buftrail: --event shop.Nope: no recording describes this event type",
              "buftrail: --event jdk.JavaMonitorWait:nosuch: the event has no field of this name");
    }
    assertThat(names(read("x.otlp")))
        .contains("jdk.JavaMonitorWait:timeout")
        .doesNotContain("shop.Nope", "jdk.JavaMonitorWait:nosuch");
  }

  @Test
  void includeAndExcludeSelectByFrame() throws IOException {
    assertThat(names(convert("--include", ".*waitOnce"))).containsExactly("lock_wait");
    Profiles others = convert("-X", "org/buftrail/cli/Recordings");
    assertThat(Written.count(others, "lock_wait"))
        .isLessThanOrEqualTo(Recordings.count(recording, "jdk.JavaMonitorWait") - 5);
  }

  @Test
  void threadsBecomeRootFrames() throws IOException {
    Profiles profiles = convert("--threads", "--lock");
    String thread = Thread.currentThread().getName();
    int stack = profiles.profiles().get(0).samples().stack(0);
    int depth = profiles.dictionary().stacks().depth(stack);
    int location = profiles.dictionary().stacks().location(stack, depth - 1);
    int function = profiles.dictionary().locations().function(location);
    assertThat(
            profiles.dictionary().strings().get(profiles.dictionary().functions().name(function)))
        .matches("\\[.* tid=\\d+]");
    assertThat(
            Written.count(convert("--threads", "-I", "\\[" + thread + " tid=\\d+]"), "lock_wait"))
        .isGreaterThanOrEqualTo(5);
  }

  @Test
  void timesCountFromTheStartOrTheEnd() throws IOException {
    long all = total(convert("--all"));
    assertThat(total(convert("--from", "-3600000", "--to", "3600000"))).isEqualTo(all);
    for (String none : List.of("--from=3600000", "--to=-3600000", "--to=2000-01-01T00:00:00")) {
      Run run = Run.of("convert", recording.toString(), "-o", file("none.otlp"), none);
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.errLines())
          .singleElement()
          .asString()
          .contains("the options select none of its events, which may go to ")
          .contains("lock_wait");
    }
    assertThat(total(convert("--from", "2000-01-01T00:00:00Z"))).isEqualTo(all);
  }

  @Test
  void resourceAttributesComeFromOptions() throws IOException {
    Profiles profiles = convert("--resource", "service.name=orders", "--resource", "a.b=c=d");
    assertThat(profiles.resource().asMap())
        .containsEntry("service.name", "orders")
        .containsEntry("a.b", "c=d");
  }

  @Test
  void partsAreCompleteAndHoldEverySampleOnce() throws IOException {
    long all = total(convert());
    long limit = Files.size(directory.resolve("x.otlp")) - 1;
    String[] convert = {
      "convert", recording.toString(), "-o", file("part.otlp"), "--split", Long.toString(limit)
    };
    Run run = Run.of(convert);
    assertThat(run.exit()).as(run.err()).isZero();
    long sum = 0;
    int parts = 0;
    for (String name : names()) {
      if (name.startsWith("part-")) {
        parts++;
        assertThat(Files.size(directory.resolve(name))).isLessThanOrEqualTo(limit);
        assertThat(Run.of("check", file(name)).exit()).isZero();
        sum += total(read(name));
      }
    }
    assertThat(parts).isGreaterThan(1);
    assertThat(sum).isEqualTo(all);
    assertThat(names()).doesNotContain("part.otlp");
  }

  @Test
  void partsOfJsonAreOfTheSizeToo() throws IOException {
    Files.write(directory.resolve("larger.jfr"), DamagedRecordingsTest.good("jdk-50-10-100"));
    assertThat(Run.of("convert", file("larger.jfr"), "-o", file("x.json")).exit()).isZero();
    long limit = Files.size(directory.resolve("x.json")) / 3;
    String[] convert = {
      "convert", file("larger.jfr"), "-o", file("part.json"), "--split", Long.toString(limit)
    };
    Run run = Run.of(convert);
    assertThat(run.exit()).as(run.err()).isZero();
    List<String> parts = names().stream().filter(name -> name.startsWith("part-")).toList();
    assertThat(parts).hasSizeGreaterThan(1);
    for (String part : parts) {
      assertThat(Files.size(directory.resolve(part))).isLessThanOrEqualTo(limit);
      assertThat(Run.of("check", file(part)).exit()).isZero();
    }
    Files.writeString(directory.resolve("part-" + (parts.size() + 1) + ".json"), "older");
    assertThat(Run.of(convert).err()).contains("is of an earlier conversion");
  }

  @Test
  void profilesAreChosenByName() throws IOException {
    Profiles chosen = convert("--profile", "lock_wait");
    assertThat(names(chosen)).containsExactly("lock_wait");
    Run none = Run.of("convert", recording.toString(), "-o", file("y.otlp"), "--profile", "cup");
    assertThat(none.exit()).isEqualTo(1);
    assertThat(none.errLines())
        .singleElement()
        .asString()
        .startsWith("buftrail: there is no profile cup, but ")
        .contains("lock_wait, exceptions");
  }

  @Test
  void anInputIsNotOverwritten() throws IOException {
    byte[] before = Files.readAllBytes(recording);
    Path link = Files.createSymbolicLink(directory.resolve("out.otlp"), recording);
    for (String input : List.of(recording.toString(), directory.toString(), file("*.jfr"))) {
      for (Path output : List.of(recording, link)) {
        Run run = Run.of("convert", input, "-o", output.toString(), "--format", "otlp");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.errLines())
            .containsExactly(
                "buftrail: "
                    + output
                    + " is an input, which would be lost; see buftrail convert --help");
      }
    }
    assertThat(recording).hasBinaryContent(before);
  }

  @Test
  void anInputWithoutANameNeedsAnOutput() {
    for (String input : List.of("/", ".", file(".."), "")) {
      Run run = Run.of("convert", input);
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.errLines()).singleElement().asString().contains("it needs -o OUT");
    }
  }

  @Test
  void whatAFormatDoesNotKnowIsWrongUsage() {
    for (String option : List.of("--lines", "--total")) {
      Run run = Run.of("convert", recording.toString(), "-o", file("x.html"), option);
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.errLines()).singleElement().asString().contains("is for collapsed stacks");
    }
    Run keyless = Run.of("convert", recording.toString(), "--resource", "=orders");
    assertThat(keyless.exit()).isEqualTo(2);
  }

  @Test
  void whatCannotBeSplitSoFarIsOneLine() {
    Run run = Run.of("convert", recording.toString(), "-o", file("x.otlp"), "--split", "10");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .startsWith("buftrail: cannot be split: ")
        .endsWith("which is more than the limit of 10 for a part");
  }

  @Test
  void aPipeNeedsAnOutputAndCannotBeCarried() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Run run = Run.of("convert", pipe.toString());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines().get(0))
        .startsWith("buftrail: " + pipe + " is no file: it needs -o OUT");
    run = Run.of("convert", pipe.toString(), "-o", file("x.otlp"), "--include-payload");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "buftrail: --include-payload takes files, which " + pipe + " is not");
  }

  @Test
  void thePayloadIsTheRecordingAndStoredOnce() throws Exception {
    Run run = Run.of("convert", recording.toString(), "-o", file("x.otlp"), "--include-payload");
    assertThat(run.exit()).as(run.err()).isZero();
    byte[] message = Files.readAllBytes(directory.resolve("x.otlp"));
    byte[] original = Files.readAllBytes(recording);
    int first = indexOf(message, original, 0);
    assertThat(first).isPositive();
    assertThat(indexOf(message, original, first + 1)).isNegative();
    assertThat(Run.of("check", file("x.otlp")).exit()).isZero();
    assertThat(OtlpReader.read(new ByteArrayInputStream(message))).hasSize(1);
  }

  private static int indexOf(byte[] in, byte[] what, int from) {
    for (int i = from; i <= in.length - what.length; i++) {
      if (Arrays.equals(in, i, i + what.length, what, 0, what.length)) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void aPayloadOfMoreThanTwoGigabytesIsRefusedBeforeAnyWork() throws IOException {
    Path large = directory.resolve("large.jfr");
    try (RandomAccessFile sparse = new RandomAccessFile(large.toFile(), "rw")) {
      sparse.write(new byte[] {'F', 'L', 'R', 0});
      sparse.setLength((2L << 30) + 1);
    }
    Run run = Run.of("convert", large.toString(), "--include-payload");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .contains("2147483649 bytes, and a protobuf field ends at 2147483647");
    assertThat(names()).containsExactly("large.jfr", "recording.jfr");
  }

  @Test
  void payloadAndPartsAreForOtlp() {
    Run run = Run.of("convert", recording.toString(), "-o", file("x.html"), "--include-payload");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("are for OTLP, not for html");
  }

  @Test
  void aDirectoryTakesOneOutputForEachInput() throws IOException {
    Path below = Files.createDirectories(directory.resolve("in/below"));
    Files.copy(recording, directory.resolve("in/a.jfr"));
    Files.copy(recording, below.resolve("a.jfr"));
    Files.writeString(below.resolve("b.jfr"), "these are notes, not events");
    Run run = Run.of("convert", file("in"), "-o", file("out/"), "--format", "json");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("b.jfr: not a flight recording");
    try (Stream<Path> files = Files.list(directory.resolve("out"))) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("a.json", "a-2.json");
    }
    assertThat(Run.of("check", file("out/a.json"), file("out/a-2.json")).exit()).isZero();
  }

  @Test
  void wrongSizesAndTimesAreWrongUsage() {
    assertThat(Run.of("convert", recording.toString(), "--split", "much").errLines())
        .singleElement()
        .asString()
        .contains("'much' is no size");
    assertThat(Run.of("convert", recording.toString(), "--include", "(").exit()).isEqualTo(2);
  }

  @Test
  void infoSaysWhatIsThereAndWhatWouldBecomeOfIt() throws IOException {
    Run run = Run.of("info", recording.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).startsWith(recording + ": 1 chunk, ");
    long waits = Recordings.count(recording, "jdk.JavaMonitorWait");
    assertThat(run.out()).containsPattern("jdk.JavaMonitorWait +" + waits + " +\\d+ +lock_wait\n");
  }

  @Test
  void infoOfSomethingElseIsOneLine() throws IOException {
    Path text = Files.writeString(directory.resolve("notes.jfr"), "these are notes, not events");
    Run run = Run.of("info", text.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines()).containsExactly("buftrail: " + text + ": not a flight recording");
  }

  @Test
  void whatUnpacksToMoreThanIsAllowedIsRefused() throws IOException {
    String packed = "../jfr/src/test/resources/recordings/jdk25.jfr.gz";
    Run run = Run.of("convert", packed, "-o", file("p.otlp"), "--max-unpacked=100k");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines()).singleElement().asString().contains(packed).contains("unpacked");
    assertThat(names()).doesNotContain("p.otlp");
    Run more = Run.of("convert", packed, "-o", file("p.otlp"), "--max-unpacked=200k");
    assertThat(more.exit()).as(more.err()).isZero();
  }

  @Test
  void statsSayWhyEventsWereSkipped() {
    Run run = Run.of("convert", recording.toString(), "-o", file("x.otlp"), "--io", "--stats");
    assertThat(run.out().lines())
        .anyMatch(line -> line.matches("jdk.JavaMonitorWait .*  not selected"));
  }

  private String file(String name) {
    return directory + "/" + name;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
