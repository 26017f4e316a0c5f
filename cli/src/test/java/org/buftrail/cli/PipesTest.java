package org.buftrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Standard input and pipes hold whatever files hold. */
@Timeout(60)
final class PipesTest {
  private static final Path RECORDING =
      Path.of("../jfr/src/test/resources/recordings/jdk-50-10-100.jfr.gz");
  private static final String FLOWS =
      """
      {"format":"buftrail.flows","version":1,"takenAt":"2026-01-31T12:00:00Z","sampling":1,
       "totals":{"allocated":2,"released":0,"leaked":2,"live":0,
                 "leakedBytes":512,"liveBytes":0,"overflowed":0,"suppressedErrors":0},
       "paths":[
        {"hops":["Alloc.directBuffer"],"refs":["1-2"],
         "sites":[{"class":"io.netty.Alloc","method":"directBuffer"}],
         "direct":true,"released":0,"leaked":2,"live":0,
         "releasedBytes":0,"leakedBytes":512,"liveBytes":0}]}
      """;

  private final InputStream standardInput = System.in;

  @TempDir private Path directory = Path.of("");

  private Path stacks = Path.of("");

  @BeforeEach
  void write() throws IOException {
    stacks = Files.writeString(directory.resolve("stacks.collapsed"), "main;a;b 3\nmain;a 4\n");
  }

  @AfterEach
  void restore() {
    System.setIn(standardInput);
  }

  private static void give(byte[] bytes) {
    System.setIn(new ByteArrayInputStream(bytes));
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"x.otlp", "x.otlp.json", "x.pb.gz", "x.collapsed"})
  void standardInputIsConvertedWhateverItHolds(String name) throws IOException {
    assertThat(Run.of("convert", stacks.toString(), "-o", file(name)).exit()).isZero();
    give(Files.readAllBytes(directory.resolve(name)));
    Run run = Run.of("convert", "-", "-o", file("back.collapsed"));
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .startsWith(file("back.collapsed") + ": - as collapsed, ");
    assertThat(Files.readAllLines(directory.resolve("back.collapsed")))
        .containsExactlyInAnyOrder("main;a;b 3", "main;a 4");
  }

  @Test
  void aRecordingOnStandardInputIsConvertedAsItsFileIs() throws IOException {
    byte[] packed = Files.readAllBytes(RECORDING);
    byte[] plain;
    try (InputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      plain = unpacked.readAllBytes();
    }
    assertThat(Run.of("convert", RECORDING.toString(), "-o", file("file.otlp")).exit()).isZero();
    for (byte[] bytes : List.of(packed, plain)) {
      give(bytes);
      assertThat(Run.of("convert", "-", "-o", file("pipe.otlp")).exit()).isZero();
      assertThat(directory.resolve("pipe.otlp")).hasSameBinaryContentAs(path("file.otlp"));
    }
  }

  private Path path(String name) {
    return directory.resolve(name);
  }

  @Test
  void everyCommandTakesStandardInput() throws IOException {
    give(FLOWS.getBytes(UTF_8));
    assertThat(Run.of("report", "-").out()).contains("LEAK 1 of 1");
    give(FLOWS.getBytes(UTF_8));
    assertThat(Run.of("check", "-").out()).startsWith("-: conformant, ");
    give("main;a 8\n".getBytes(UTF_8));
    assertThat(Run.of("diff", stacks.toString(), "-").out()).contains("new   -\n");
  }

  @Test
  void whatIsWrongIsSaidOfTheNameThatWasGiven() {
    give("no profile".getBytes(UTF_8));
    assertThat(Run.of("convert", "-", "-o", file("x.otlp")).errLines())
        .containsExactly("buftrail: -: not a flight recording");
    give("{\"resourceProfiles\": 7}".getBytes(UTF_8));
    assertThat(Run.of("convert", "-", "-o", file("x.html")).errLines())
        .singleElement()
        .asString()
        .startsWith("buftrail: -: ");
    give(new byte[0]);
    Run empty = Run.of("report", "-");
    assertThat(empty.exit()).isEqualTo(1);
    assertThat(empty.errLines()).singleElement().asString().startsWith("buftrail: -: ");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void pipesHoldWhateverFilesHold() throws Exception {
    Path pipe = path("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path page = path("page.html");
    Process writer = writing(stacks, pipe);
    assertThat(Run.of("convert", pipe.toString(), "-o", page.toString()).errLines())
        .singleElement()
        .asString()
        .startsWith(page + ": " + pipe + " as html, ");
    assertThat(writer.waitFor()).isZero();
    assertThat(page).isNotEmptyFile();
    writer = writing(RECORDING, pipe);
    Run run = Run.of("convert", pipe.toString(), "-o", file("pipe.otlp"));
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(writer.waitFor()).isZero();
    assertThat(Run.of("convert", RECORDING.toString(), "-o", file("file.otlp")).exit()).isZero();
    assertThat(path("pipe.otlp")).hasSameBinaryContentAs(path("file.otlp"));
  }

  private static Process writing(Path from, Path pipe) throws IOException {
    return new ProcessBuilder("sh", "-c", "cat \"$0\" >\"$1\"", from.toString(), pipe.toString())
        .start();
  }
}
