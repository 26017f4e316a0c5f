package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.it.programs.Spikes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The peak and ranges of time are those of the program's own account. */
final class PastIT {
  private static final int POLL_MILLIS = 2_000;

  /** More than a minute takes. */
  private static final int POLLS = 100;

  @TempDir private Path directory;

  private RunningProgram start(Setting setting) throws Exception {
    return new RunningProgram(
        directory,
        setting.java(),
        List.of(
            "-javaagent:" + Setting.JAR + "=include=org.buftrail.it;report=flows.json",
            "-cp",
            setting.classPath(),
            Spikes.class.getName()));
  }

  private static void tell(RunningProgram program, String line) throws Exception {
    program.send(line);
    program.awaitLine("done " + line);
  }

  private JsonNode flows() throws IOException {
    return new ObjectMapper().readTree(directory.resolve("flows.json").toFile());
  }

  @EachSetting(newestNetty = true)
  void aSpikeIsToldByPathWhenItIsOver(Setting setting) throws Exception {
    try (RunningProgram program = start(setting)) {
      tell(program, "come 500");
      tell(program, "spike");
      tell(program, "go 500");
      tell(program, "pass 20000");
      program.endInput();
    }
    JsonNode peak = flows().path("peak");
    Map<String, Long> paths = new TreeMap<>();
    for (JsonNode path : peak.path("paths")) {
      JsonNode sites = path.path("path").path("sites");
      paths.put(
          sites.path(sites.size() - 1).path("method").asText(), path.path("liveBytes").asLong());
    }
    assertThat(paths)
        .containsEntry("large", (long) Spikes.FEW * Spikes.LARGE)
        .containsEntry("middle", (long) Spikes.MANY * Spikes.MIDDLE)
        .containsEntry("keep", 500L * Spikes.SMALL);
    assertThat(peak.path("liveBytes").asLong())
        .isEqualTo(paths.values().stream().mapToLong(Long::longValue).sum());
    assertThat(flows().path("totals").path("live").asLong()).isZero();
  }

  @Test
  void rangesEndWithTheMinute() throws Exception {
    long boundary;
    try (RunningProgram program = start(Setting.newest())) {
      tell(program, "come 300");
      tell(program, "pass 20000");
      tell(program, "go 100");
      int open = ends(program).size() - 1;
      List<Long> ends = List.of();
      for (int i = 0; i < POLLS && ends.size() < open + 2; i++) {
        Thread.sleep(POLL_MILLIS);
        ends = ends(program);
      }
      assertThat(ends).as("a minute has ended").hasSizeGreaterThan(open + 1);
      boundary = ends.get(open);
      tell(program, "come 7");
      tell(program, "go 57");
      tell(program, "pass 10");
      String now = program.command("dump", "--from", "-1", "--format", "json").out();
      assertThat(new ObjectMapper().readTree(now).path("total").path("after").asLong())
          .isEqualTo(150);
      program.endInput();
    }
    assertThat(boundary % 60_000).as("ends with the minute").isLessThan(30_000);

    JsonNode first = range("--to", Long.toString(boundary)).path("total");
    assertThat(first.path("allocated").asLong()).isEqualTo(20_300);
    assertThat(first.path("allocatedBytes").asLong()).isEqualTo(300_000 + 2_000_000);
    assertThat(first.path("released").asLong()).isEqualTo(20_100);
    assertThat(first.path("grownBytes").asLong()).isEqualTo(200_000);

    JsonNode second = range("--from", Long.toString(boundary));
    JsonNode total = second.path("total");
    assertThat(total.path("allocated").asLong()).isEqualTo(17);
    assertThat(total.path("released").asLong()).isEqualTo(67);
    assertThat(total.path("beforeBytes").asLong()).isEqualTo(200_000);
    assertThat(total.path("afterBytes").asLong()).isEqualTo(150_000);
    JsonNode most = second.path("paths").path(0);
    assertThat(most.path("path").path("hops").toString()).endsWith("Spikes.keep\"]");
    assertThat(most.path("grownBytes").asLong()).isEqualTo(-50_000);
    long allocated = 0;
    for (JsonNode path : second.path("paths")) {
      allocated += path.path("allocated").asLong();
    }
    assertThat(allocated).isEqualTo(17);
  }

  /** When the intervals so far ended; the last ends with the snapshot. */
  private List<Long> ends(RunningProgram program) throws Exception {
    Path file = directory.resolve("now.json");
    assertThat(program.command("dump", "-o", file.toString()).exit()).isZero();
    List<Long> ends = new ArrayList<>();
    JsonNode minutes = new ObjectMapper().readTree(file.toFile()).path("minutes");
    minutes.path("ends").forEach(end -> ends.add(end.asLong()));
    return ends;
  }

  private JsonNode range(String option, String time) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory).runJar("report", "flows.json", option, time, "--format", "json");
    assertThat(result.exit()).as(result.err()).isZero();
    return new ObjectMapper().readTree(result.out());
  }

  @Test
  void whatCannotBeAnsweredIsSaidInOneLine() throws Exception {
    try (RunningProgram program = start(Setting.newest())) {
      tell(program, "pass 10");
      program.endInput();
    }
    assertRefused(2, "--from must be before --to", "--from", "-1", "--to", "-2");
    assertRefused(
        2,
        "--from and --to are for txt, json and llm, not for otlp",
        "--from",
        "-1",
        "-o",
        "a.otlp");
    assertRefused(1, "flows.json: knows of ", "--to", "2020-01-01T00:00:00Z");
    assertRefused(2, "'noon' is no time", "--from", "noon");
  }

  private void assertRefused(int exit, String why, String... options) throws Exception {
    List<String> line = new ArrayList<>(List.of("report", "flows.json"));
    line.addAll(List.of(options));
    ForkedJvm.Result result = new ForkedJvm(directory).runJar(line.toArray(new String[0]));
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    assertThat(result.err()).contains(why);
    assertThat(result.out()).isEmpty();
  }
}
