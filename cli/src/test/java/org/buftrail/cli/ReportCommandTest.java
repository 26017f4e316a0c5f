package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportCommandTest {
  private static final String FLOWS =
      """
      {"format":"buftrail.flows","version":1,"takenAt":"2026-01-31T12:00:00Z","sampling":1,
       "totals":{"allocated":3,"released":1,"leaked":2,"live":0,
                 "leakedBytes":512,"liveBytes":0,"overflowed":0,"suppressedErrors":0},
       "paths":[
        {"hops":["PooledByteBufAllocator.directBuffer","Orders.refuse"],"refs":["1-2","1-2"],
         "sites":[{"class":"io.netty.buffer.PooledByteBufAllocator","method":"directBuffer"},
                  {"class":"com.example.Orders","method":"refuse","line":42}],
         "direct":true,"released":1,"leaked":2,"live":0,
         "releasedBytes":256,"leakedBytes":512,"liveBytes":0}]}
      """;

  @TempDir private Path directory;

  @Test
  void printsWhichPathLeaks() throws IOException {
    Run run = Run.of("report", flows());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("LEAK 1 of 1")
        .contains("last seen in com.example.Orders.refuse:42");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void theEndingSaysTheForm() throws IOException {
    Path out = directory.resolve("flows.collapsed");
    Run run = Run.of("report", flows(), "-o", out.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(Files.readString(out)).contains("directBuffer").contains("Orders.refuse");
  }

  @Test
  void aDamagedRecordingFailsUnlessThatIsAccepted() throws IOException {
    byte[] bytes = recording();
    Path file = Files.write(directory.resolve("cut.jfr"), Arrays.copyOf(bytes, bytes.length + 100));
    Run run = Run.of("report", file.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .hasSize(2)
        .endsWith("buftrail: 1 damaged part left out (--lenient accepts that)");
    assertThat(run.out()).isNotEmpty();
    assertThat(Run.of("report", "--lenient", file.toString()).exit()).isZero();
    Run diff = Run.of("diff", file.toString(), file.toString());
    assertThat(diff.exit()).isEqualTo(1);
    assertThat(diff.errLines()).hasSize(4);
    assertThat(Run.of("diff", "--lenient", file.toString(), file.toString()).exit()).isZero();
    Run check = Run.of("check", file.toString());
    assertThat(check.exit()).isEqualTo(1);
    assertThat(check.errLines()).hasSize(2);
  }

  @Test
  void whatARecordingLacksIsANote() throws IOException {
    byte[] bytes = recording();
    // The number of a stack trace that an event names.
    bytes[248] ^= 0x40;
    Path file = Files.write(directory.resolve("lacks.jfr"), bytes);
    String note =
        "buftrail: note: not in the recording, because its JVM did not write them: the stack traces"
            + " of 1 of 50 jdk.ExecutionSample events (2.0 %)";
    Run report = Run.of("report", file.toString());
    assertThat(report.exit()).isZero();
    assertThat(report.errLines()).containsExactly(note);
    Run diff = Run.of("diff", file.toString(), file.toString());
    assertThat(diff.exit()).isZero();
    assertThat(diff.errLines()).containsExactly(note, note);
  }

  private static byte[] recording() throws IOException {
    Path packed = Path.of("../jfr/src/test/resources/recordings/jdk-50-10-100.jfr.gz");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
      return in.readAllBytes();
    }
  }

  @Test
  void malformedSnapshotsAreOneLineWithThePlace() throws IOException {
    Path file =
        Files.writeString(directory.resolve("flows.json"), FLOWS.replace("\"paths\":[", ""));
    Run run = Run.of("report", file.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .startsWith("buftrail: " + file + ": line ");
  }

  @Test
  void aDirectoryAsOutputIsOneLine() throws IOException {
    Run run = Run.of("report", flows(), "--format", "text", "-o", directory.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .containsExactly(
            "buftrail: cannot write " + directory + ": it is a directory; name a file in it");
  }

  @Test
  void flowsHaveNoTraces() throws IOException {
    Run run = Run.of("report", flows(), "--trace-id", "ab");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--trace-id is for recordings and profiles, unlike ");
  }

  private String flows() throws IOException {
    return Files.writeString(directory.resolve("flows.json"), FLOWS).toString();
  }
}
