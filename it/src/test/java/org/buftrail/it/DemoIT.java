package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.buftrail.it.FlowsFile.FlowPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first command of the README. */
final class DemoIT {
  private static final Pattern VERDICT = Pattern.compile("planted (\\d+) leaks, found (\\d+)");

  @TempDir private Path directory;

  @Test
  void findsEachLeakThatTheServicePlanted() throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory).runJar("demo", "--seconds", "2", "--out", "out");
    assertThat(result.exit()).as(result.out() + result.err()).isZero();

    Matcher verdict = VERDICT.matcher(result.out());
    assertThat(verdict.find()).isTrue();
    long planted = Long.parseLong(verdict.group(1));
    assertThat(planted).isPositive();
    assertThat(verdict.group(2)).isEqualTo(verdict.group(1));
    assertThat(result.out())
        .contains("last seen in org.buftrail.examples.OrderEndpoint.refuse")
        .contains("out/flows.otlp: conformant, ")
        .contains("out/profile.otlp: conformant, ");
    assertThat(names(directory.resolve("out")))
        .containsExactly(
            "flows.html",
            "flows.json",
            "flows.otlp",
            "profile.otlp",
            "recording.jfr",
            "service.log");

    FlowsFile flows = FlowsFile.read(directory.resolve("out/flows.json"));
    assertThat(flows.isBalanced()).isTrue();
    assertThat(flows.total("live")).isZero();
    List<FlowPath> leaks = flows.paths().stream().filter(path -> path.leaked() > 0).toList();
    assertThat(leaks).hasSize(1);
    assertThat(leaks.get(0).leaked()).isEqualTo(planted);
    assertThat(leaks.get(0).direct()).isTrue();
    assertThat(leaks.get(0).hops())
        .isEqualTo(
            "AdaptiveByteBufAllocator.directBuffer > OrderEndpoint.stage"
                + " > OrderEndpoint.stage_return > OrderEndpoint.handle > OrderEndpoint.isValid > OrderEndpoint.refuse");
  }

  @Test
  void theServiceIsKeptUntilEnterIsPressed() throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-jar",
            Setting.JAR.toString(),
            "demo",
            "--live",
            "--out",
            "out");
    command.directory(directory.toFile()).redirectOutput(directory.resolve("said").toFile());
    command.environment().keySet().removeAll(List.of("DISPLAY", "WAYLAND_DISPLAY"));
    Process demo = command.start();
    try {
      Pattern live = Pattern.compile("its live page is (http://\\S+)#token=([0-9a-f]+)$");
      Matcher page = null;
      BufferedReader notes = demo.errorReader();
      for (String line = notes.readLine(); line != null; line = notes.readLine()) {
        page = live.matcher(line);
        if (page.find()) {
          break;
        }
      }
      assertThat(page).isNotNull();
      HttpURLConnection request =
          (HttpURLConnection) new URL(page.group(1)).openConnection(Proxy.NO_PROXY);
      assertThat(request.getResponseCode()).isEqualTo(200);
      assertThat(demo.isAlive()).isTrue();
      demo.outputWriter().append('\n').flush();
      assertThat(notes.lines().toList()).anyMatch(line -> line.contains(" requests answered; "));
      assertThat(demo.waitFor()).isZero();
      Matcher verdict = VERDICT.matcher(Files.readString(directory.resolve("said")));
      assertThat(verdict.find()).isTrue();
      assertThat(verdict.group(2)).isEqualTo(verdict.group(1)).isNotEqualTo("0");
    } finally {
      demo.destroyForcibly();
    }
  }

  @Test
  void aPortInUseIsOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      ForkedJvm.Result result =
          new ForkedJvm(directory).runJar("demo", "--seconds", "1", "--port", port);
      assertThat(result.exit()).isEqualTo(1);
      assertThat(result.out()).isEmpty();
      assertThat(result.err().lines())
          .singleElement()
          .asString()
          .contains("port " + port + " is in use");
    }
  }

  @Test
  void aPlaceThatIsAFileIsOneLine() throws Exception {
    Files.writeString(directory.resolve("taken"), "a file");
    ForkedJvm.Result result = new ForkedJvm(directory).runJar("demo", "--out", "taken");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err().lines())
        .containsExactly(
            "buftrail: taken is a file, not a directory; choose another place with --out");
  }

  @Test
  void secondsOutOfRangeAreWrongUsage() throws Exception {
    ForkedJvm.Result result = new ForkedJvm(directory).runJar("demo", "--seconds", "0");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err().lines())
        .containsExactly(
            "buftrail: --seconds is 0: it must be from 1 to 3600; see buftrail demo --help");
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
