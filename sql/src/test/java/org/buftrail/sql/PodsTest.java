package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flow snapshots of several processes. */
final class PodsTest {
  private static final String FLOWS =
      """
      {"format":"buftrail.flows","version":1,"takenAt":"2026-01-31T12:00:00Z","sampling":1,
       "process":{"name":"shop","version":"%s","pid":%d,"host":"web-%d"},
       "totals":{"allocated":%d,"released":0,"leaked":%d,"live":0,
                 "leakedBytes":%d,"liveBytes":0,"overflowed":0,"suppressedErrors":0},
       "paths":[
        {"hops":["Orders.refuse"],"refs":["1-2"],
         "sites":[{"class":"com.example.Orders","method":"refuse","line":42}],
         "direct":true,"released":0,"leaked":%d,"live":0,
         "releasedBytes":0,"leakedBytes":%d,"liveBytes":0}]}
      """;

  @TempDir private Path directory;

  private void pod(String version, int pid, int leaked) throws IOException {
    Files.writeString(
        directory.resolve(pid + ".json"),
        FLOWS.formatted(version, pid, pid, leaked, leaked, 100 * leaked, leaked, 100 * leaked));
  }

  @Test
  void leaksAreAddedUpByServiceAndVersionWithTheShareOfEachProcess() throws IOException {
    pod("1", 1, 30);
    pod("2", 2, 10);
    pod("2", 3, 90);
    Answer answer =
        Answer.to(
            "select service, version, host, process, leaked, bytes, percent, pods from"
                + " leaks_by_pod",
            directory.resolve("1.json"),
            directory.resolve("2.json"),
            directory.resolve("3.json"));

    assertThat(answer.exit()).as(answer.err()).isZero();
    assertThat(answer.rows())
        .containsExactly(
            List.of("shop", "1", "web-1", "1", "30", "3000", "100.0", "1"),
            List.of("shop", "2", "web-3", "3", "90", "9000", "90.0", "2"),
            List.of("shop", "2", "web-2", "2", "10", "1000", "10.0", "2"));
  }
}
