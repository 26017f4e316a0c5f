package org.buftrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.buftrail.console.output.Output;
import org.buftrail.console.output.Terminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What the shell around a command sees of it. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
final class ForkedCommandTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private static final Path RECORDINGS = Path.of("../jfr/src/test/resources/recordings");

  @TempDir private Path directory;

  /** Writes an output that never ends. */
  static final class Endless {
    private Endless() {}

    public static void main(String[] args) throws Exception {
      Output.write(
          args[0],
          new Terminal(System.out, System.err),
          out -> {
            out.write(new byte[1 << 17]);
            System.out.println("half");
            while (true) {
              LockSupport.park();
            }
          });
    }
  }

  @Test
  void aSignalLeavesNoHalfOfAnOutput() throws Exception {
    Path file = Files.writeString(directory.resolve("out.otlp"), "old");
    Process process =
        new ProcessBuilder(
                JAVA,
                "-cp",
                System.getProperty("java.class.path"),
                Endless.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      assertThat(said.readLine()).isEqualTo("half");
      assertThat(names()).hasSize(2).anyMatch(name -> name.endsWith(".tmp"));
      process.destroy();
      assertThat(process.waitFor()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
    assertThat(names()).containsExactly("out.otlp");
    assertThat(file).hasContent("old");
  }

  /** The reader closes the pipe before the command begins. */
  @Test
  void aClosedPipeIsSilent() throws Exception {
    String script =
        "mkfifo go; { read line <go; \"$0\" -cp \"$1\" org.buftrail.cli.Main --help 2>said;"
            + " echo $? >exit; } | { exec <&-; echo go >go; }";
    Process process =
        new ProcessBuilder("sh", "-c", script, JAVA, System.getProperty("java.class.path"))
            .directory(directory.toFile())
            .inheritIO()
            .start();
    assertThat(process.waitFor()).isZero();
    assertThat(directory.resolve("exit")).hasContent("141");
    assertThat(directory.resolve("said")).isEmptyFile();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDeviceIsSaid() throws Exception {
    Process process =
        new ProcessBuilder(
                JAVA, "-cp", System.getProperty("java.class.path"), Main.class.getName(), "--help")
            .redirectOutput(Path.of("/dev/full").toFile())
            .redirectError(directory.resolve("said").toFile())
            .start();
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(directory.resolve("said"))
        .content()
        .isEqualTo("buftrail: cannot write -: standard output was closed, or its device is full\n");
  }

  private Process watch(String... more) throws IOException {
    List<String> command = new ArrayList<>(List.of(JAVA, "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(Main.class.getName(), "watch", directory.toString()));
    command.addAll(List.of("--endpoint", "http://localhost:1"));
    command.addAll(List.of(more));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  @Test
  void aPortInUseEndsTheCommand() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = "" + taken.getLocalPort();
      Process process = watch("--port", port);
      try {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
            .startsWith("buftrail: --port " + port + ": ")
            .hasLineCount(1);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void aSignalEndsAWatch() throws Exception {
    Process process = watch("--port", "0");
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      assertThat(said.readLine()).contains("listening at http://127.0.0.1:");
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
    assertThat(names()).contains(".buftrail-watch").noneMatch(name -> name.endsWith(".part"));
  }

  /**
   * With one converter for all, which keeps what its tables have grown to, these recordings need
   * more than 12 MB; each with one of its own, 9 MB will do.
   */
  @Test
  void noRecordingOfADirectoryHasTheMemoryOfOthers() throws Exception {
    Process process =
        new ProcessBuilder(
                JAVA,
                "-XX:+UseSerialGC",
                "-Xmx11m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "convert",
                "--threads",
                "--norm",
                "--timestamps",
                "--lenient",
                RECORDINGS.toString(),
                "-o",
                directory.resolve("all") + "/")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    try (var recordings = Files.list(RECORDINGS);
        var converted = Files.list(directory.resolve("all"))) {
      assertThat(converted.count()).isEqualTo(recordings.count()).isPositive();
    }
  }

  private List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    try (var files = Files.list(directory)) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    }
    return names;
  }
}
