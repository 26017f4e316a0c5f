package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An OpenTelemetry Collector takes what {@code push} sends, and its file exporter writes the same
 * totals. Runs with {@code -Dcollector=$(it/fetch-collector)}.
 */
@Tag("collector")
final class CollectorIT {
  private static final Path RECORDINGS =
      Path.of("../jfr/src/test/resources/recordings").toAbsolutePath();
  private static final String CONFIGURATION =
      """
      receivers:
        otlp:
          protocols:
            http:
              endpoint: 127.0.0.1:PORT
      exporters:
        file:
          path: FILE
        debug:
      service:
        telemetry:
          metrics:
            level: none
        pipelines:
          profiles:
            receivers: [otlp]
            exporters: [file, debug]
      """;

  @TempDir private Path directory;
  private Process collector;
  private String endpoint;
  private Path written;

  @BeforeEach
  void start() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    endpoint = "http://127.0.0.1:" + port;
    written = directory.resolve("written.json");
    Path configuration =
        Files.writeString(
            directory.resolve("collector.yaml"),
            CONFIGURATION
                .replace("PORT", Integer.toString(port))
                .replace("FILE", written.toString()));
    collector =
        new ProcessBuilder(
                Setting.property("buftrail.it.collector"),
                "--config=file:" + configuration,
                "--feature-gates=service.profilesSupport")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("collector.log").toFile())
            .start();
    for (int i = 0; i < 300 && !accepts(port); i++) {
      assertThat(collector.isAlive()).as(log()).isTrue();
      Thread.sleep(100);
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    collector.destroy();
    collector.waitFor();
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private String log() throws IOException {
    return Files.readString(directory.resolve("collector.log"), StandardCharsets.UTF_8);
  }

  private static void add(Map<String, Long> totals, byte[] message) throws IOException {
    for (Profiles profiles : OtlpReader.read(new ByteArrayInputStream(message))) {
      for (Profile profile : profiles.profiles()) {
        totals.merge(profile.name() + " " + profile.sampleType(), profile.total(), Long::sum);
      }
    }
  }

  /** Those of the tests, and those below {@code -Drecordings=FOLDER} if it is given. */
  private static List<Path> recordings() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String folder : List.of(RECORDINGS.toString(), System.getProperty("recordings", ""))) {
      if (!folder.isEmpty()) {
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
          files.filter(f -> f.toString().matches(".*\\.jfr(\\.gz)?")).sorted().forEach(found::add);
        }
      }
    }
    return found;
  }

  @Test
  void theCollectorHasWhatWasPushed() throws Exception {
    Map<String, Long> sent = new TreeMap<>();
    int messages = 0;
    for (Path recording : recordings()) {
      String[] convert = {"convert", recording.toString(), "-o", "x.otlp", "--lenient"};
      ForkedJvm.Result converted = new ForkedJvm(directory).runJar(convert);
      if (converted.exit() != 0) {
        assertThat(recording.startsWith(RECORDINGS)).as(converted.err()).isFalse();
        continue;
      }
      String[] push = {"push", recording.toString(), "--endpoint", endpoint, "--lenient"};
      ForkedJvm.Result pushed = new ForkedJvm(directory).runJar(push);
      assertThat(pushed.exit()).as(pushed.err() + log()).isZero();
      assertThat(pushed.err()).contains(" in 1 request, ");
      add(sent, Files.readAllBytes(directory.resolve("x.otlp")));
      messages++;
    }
    assertThat(sent).hasSizeGreaterThan(20);
    assertThat(totals(messages)).isEqualTo(sent);
    assertThat(log()).doesNotContain("error");
  }

  @Test
  void theCollectorHasEveryPart() throws Exception {
    Path recording = RECORDINGS.resolve("jdk-500-50-100.jfr.gz");
    ForkedJvm.Result pushed =
        new ForkedJvm(directory)
            .runJar("push", recording.toString(), "--endpoint", endpoint, "--max-size", "100k");
    assertThat(pushed.exit()).as(pushed.err() + log()).isZero();
    assertThat(pushed.err()).containsPattern(" in \\d+ requests, ");
    int parts = Integer.parseInt(pushed.err().replaceAll("(?s).* in (\\d+) requests.*", "$1"));
    assertThat(totals(parts)).isEqualTo(Map.of("cpu samples/count", 500L));
  }

  private Map<String, Long> totals(int messages) throws Exception {
    List<String> lines = List.of();
    for (int i = 0; i < 300 && lines.size() < messages; i++) {
      Thread.sleep(100);
      lines = Files.exists(written) ? Files.readAllLines(written) : List.of();
    }
    assertThat(lines).as(log()).hasSize(messages);
    Map<String, Long> totals = new TreeMap<>();
    for (String line : lines) {
      add(totals, line.getBytes(StandardCharsets.UTF_8));
    }
    return totals;
  }
}
