package org.buftrail.benchmarks.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.console.engine.SqlQuestion;
import org.buftrail.console.output.Terminal;
import org.buftrail.sql.DuckDbEngine;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The questions that docs/fleet.md shows find what was planted, and nothing else. */
@Tag("slow")
final class FleetTest {
  @TempDir private static Path directory;

  @BeforeAll
  static void write() throws IOException {
    assertThat(Fleet.write(directory.resolve("fleet"))).isEqualTo(20 * Fleet.RECORDINGS);
  }

  private static List<JsonNode> rows(String query) throws Exception {
    Path answer = directory.resolve("answer.json");
    Terminal terminal =
        new Terminal(new PrintStream(Files.newOutputStream(directory.resolve("out"))), System.err);
    int exit =
        new DuckDbEngine()
            .answer(
                new SqlQuestion(
                    query, List.of(directory.resolve("fleet")), answer.toString(), null, false),
                terminal);
    assertThat(exit).isZero();
    List<JsonNode> rows = new ArrayList<>();
    for (String line : Files.readAllLines(answer)) {
      rows.add(new ObjectMapper().readTree(line));
    }
    return rows;
  }

  @Test
  void whatGotSlowerIsFoundWithItsServiceAndHour() throws Exception {
    List<JsonNode> rows = rows("from changes_by_hour limit 2");

    assertThat(rows).hasSize(2);
    assertThat(rows.get(0).get("service").asText()).isEqualTo(Fleet.SLOWER);
    assertThat(rows.get(0).get("method").asText()).isEqualTo(Fleet.METHOD);
    assertThat(rows.get(0).get("before").asText()).isEqualTo("2026-11-20 12:00:00");
    assertThat(rows.get(0).get("hour").asText()).isEqualTo("2026-11-20 13:00:00");
    assertThat(rows.get(0).get("change").asDouble()).isGreaterThan(10);
    assertThat(rows.get(1).get("change").asDouble()).isLessThan(3);
  }

  @Test
  void itIsOnTopOfItsServiceAndOfNoOther() throws Exception {
    List<JsonNode> rows = rows("from top_by_service where method like '%.roundPrices'");

    assertThat(rows).hasSizeGreaterThan(1);
    double most = 0;
    for (JsonNode row : rows) {
      if (row.get("service").asText().equals(Fleet.SLOWER)) {
        most = row.get("percent").asDouble();
      } else {
        assertThat(row.get("percent").asDouble()).isLessThan(13);
      }
    }
    assertThat(most).isGreaterThan(15);
  }

  @Test
  void twoHoursAreComparedAsTheJdksReaderCounts() throws Exception {
    List<JsonNode> rows =
        rows("from diff('*/checkout/2026-11-20T12-*', '*/checkout/2026-11-20T13-*') limit 1");

    assertThat(rows.get(0).get("method").asText()).isEqualTo(Fleet.METHOD);
    assertThat(rows.get(0).get("before").asLong()).isEqualTo(samples("2026-11-20T12-"));
    assertThat(rows.get(0).get("after").asLong()).isEqualTo(samples("2026-11-20T13-"));
    assertThat(rows.get(0).get("after").asLong())
        .isGreaterThan(2 * rows.get(0).get("before").asLong());
  }

  private static long samples(String hour) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(directory.resolve("fleet").resolve(Fleet.SLOWER))) {
      files = all.filter(file -> file.getFileName().toString().startsWith(hour)).toList();
    }
    assertThat(files).hasSize((int) (Duration.ofHours(1).toMinutes() / 10));
    long samples = 0;
    for (Path file : files) {
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        if (event.getEventType().getName().equals("jdk.ExecutionSample")) {
          var method = event.getStackTrace().getFrames().get(0).getMethod();
          samples +=
              Fleet.METHOD.equals(method.getType().getName() + "." + method.getName()) ? 1 : 0;
        }
      }
    }
    return samples;
  }
}
