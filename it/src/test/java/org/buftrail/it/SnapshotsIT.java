package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.buftrail.it.programs.Operated;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Snapshots that the agent writes by itself, and what it does when it cannot. */
@Isolated("counts the snapshots of some seconds")
final class SnapshotsIT {
  private static final int TIMEOUT_SECONDS = 90;

  @TempDir private Path directory;

  /**
   * Runs the program, its output through a pipe, until it has said something so often and for some
   * seconds more.
   */
  private String run(String awaited, int times, String options, String... before) throws Exception {
    List<String> command = new ArrayList<>(List.of(before));
    command.addAll(
        List.of(
            Setting.newest().java().toString(),
            "-XX:-UsePerfData",
            "-javaagent:" + Setting.JAR + "=" + FlowCases.INCLUDE + ";" + options,
            "-cp",
            Setting.newest().classPath(),
            Operated.class.getName()));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    try {
      InputStream out = process.getInputStream();
      String log = "";
      for (int i = 0; i < TIMEOUT_SECONDS * 20 && lines(log, awaited).size() < times; i++) {
        Thread.sleep(50);
        log += text(out.readNBytes(out.available()));
      }
      Thread.sleep(3_000);
      Files.createFile(directory.resolve("stop"));
      log += text(out.readAllBytes());
      assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(log).isZero();
      return log;
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static List<String> lines(String log, String part) {
    return log.lines().filter(line -> line.contains(part)).toList();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("snapshots"))) {
      return files.sorted().toList();
    }
  }

  /** No file may be larger than a block: for a writer, that is a disk without room. */
  @Test
  void aDiskThatIsFullCostsTheSnapshotAndALine() throws Exception {
    String failed = "no snapshot (every";
    String log =
        run(
            failed,
            1,
            "every=1s;snapshotDir=snapshots",
            "sh",
            "-c",
            "ulimit -f 1; exec \"$@\"",
            "sh");
    assertThat(lines(log, failed))
        .singleElement()
        .asString()
        .startsWith("buftrail: no snapshot (every): cannot write ")
        .endsWith(": File too large");
    assertThat(log).doesNotContain("Exception").doesNotContain("\tat ");
    for (Path file : files()) {
      assertThat(file).as("nothing is left half written").hasExtension("json");
      FlowsFile.read(file);
    }
  }

  @Test
  void theOldestFilesGo() throws Exception {
    String written = "snapshot (every) written to ";
    String log = run(written, 4, "every=1s;snapshotDir=snapshots;snapshotFiles=2");
    assertThat(lines(log, written)).hasSizeGreaterThan(3);
    List<Path> files = files();
    assertThat(files).hasSize(2);
    assertThat(files.get(1).toString()).endsWith("-shutdown.json");
    assertThat(FlowsFile.read(files.get(1)).total("leaked")).isEqualTo(5);
  }
}
