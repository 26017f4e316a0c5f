package org.buftrail.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a benchmark says of itself is what the packaged agent counts. */
final class ProofIT {
  private static final int BENCHMARKS = 22;

  @TempDir private Path directory;

  @Test
  void theAgentCountsWhatEachBenchmarkExpects() throws Exception {
    Path result = directory.resolve("result.txt");
    Path log = directory.resolve("log.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arm.ALL.jvmArgs(Path.of(System.getProperty("buftrail.jar"))));
    command.addAll(List.of("-Xmx1g", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(EachBenchmark.class.getName(), result.toString()));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean ended = process.waitFor(10, TimeUnit.MINUTES);
    process.destroyForcibly();
    String printed = Files.readString(log);

    assertThat(ended && process.waitFor() == 0).as(printed).isTrue();
    assertThat(Files.readAllLines(result))
        .as(printed)
        .hasSize(BENCHMARKS)
        .allMatch(line -> line.startsWith("proved "));
  }
}
