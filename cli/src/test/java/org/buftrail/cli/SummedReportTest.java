package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code report} of several snapshots. */
final class SummedReportTest {
  private static final String FLOWS =
      """
      {"format":"buftrail.flows","version":1,"takenAt":"2026-01-31T12:00:00Z","sampling":1,
       "process":{"name":"%s","version":"%s","pid":%d,"host":"%s"},
       "totals":{"allocated":%d,"released":%d,"leaked":%d,"live":0,
                 "leakedBytes":%d,"liveBytes":0,"overflowed":0,"suppressedErrors":0},
       "paths":[
        {"hops":["PooledByteBufAllocator.directBuffer","Orders.%s"],"refs":["1-2","1-2"],
         "sites":[{"class":"io.netty.buffer.PooledByteBufAllocator","method":"directBuffer"},
                  {"class":"com.example.Orders","method":"%s","line":42}],
         "direct":true,"released":%d,"leaked":%d,"live":0,
         "releasedBytes":0,"leakedBytes":%d,"liveBytes":0}]}
      """;

  @TempDir private Path directory;

  private String pod(String service, String version, int pid, int allocated, int leaked, String in)
      throws IOException {
    int released = allocated - leaked;
    String text =
        FLOWS.formatted(
            service,
            version,
            pid,
            "web-" + pid,
            allocated,
            released,
            leaked,
            100 * leaked,
            in,
            in,
            released,
            leaked,
            100 * leaked);
    Path file = directory.resolve(service + version + "-" + pid + ".json");
    return Files.writeString(file, text).toString();
  }

  @Test
  void snapshotsOfOneServiceAreAddedUpAndThoseThatDifferAreNamed() throws IOException {
    Run run =
        Run.of(
            "report",
            pod("shop", "2", 1, 1000, 10, "refuse"),
            pod("shop", "2", 2, 1000, 10, "refuse"),
            pod("shop", "2", 3, 1000, 100, "refuse"),
            pod("shop", "2", 4, 1000, 0, "refuse"),
            pod("shop", "2", 5, 1000, 7, "cancel"));

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("shop 2: 5 processes")
        .containsPattern("web-1/1 +1,000 +10 +1000 B\n")
        .containsPattern("web-3/3 +1,000 +100 +9.8 KiB  leaks 10 times as often as most\n")
        .containsPattern("web-4/4 +1,000 +0 +0 B  leaks nothing, unlike most\n")
        .containsPattern("web-5/5 +1,000 +7 +700 B\n")
        .contains("leaks in web-5/5 alone: last seen in com.example.Orders.cancel:42")
        .contains("leaks in web-1/1, web-2/2, web-3/3 alone: last seen in")
        // The report of all.
        .contains("LEAK 1 of 2")
        .contains("120 flows");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void processesThatLeakAlikeAreNotSaidToDiffer() throws IOException {
    Run run =
        Run.of(
            "report",
            pod("shop", "", 1, 1000, 10, "refuse"),
            pod("shop", "", 2, 2000, 21, "refuse"));

    assertThat(run.out()).contains("shop: 2 processes").contains("31 flows");
    assertThat(run.out()).doesNotContain("most").doesNotContain("alone");
  }

  @Test
  void servicesAndVersionsStayApart() throws IOException {
    String old = pod("shop", "1", 1, 1000, 10, "refuse");
    String young = pod("shop", "2", 2, 1000, 20, "refuse");
    String other = pod("cart", "2", 3, 1000, 30, "refuse");
    Run run = Run.of("report", old, young, other);
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .containsSubsequence(
            "shop 1: 1 process\n", "10 flows", "\n\nshop 2: 1 process\n", "20 flows")
        .containsSubsequence("cart 2: 1 process\n", "30 flows");

    Path sum = directory.resolve("sum.json");
    Run refused = Run.of("report", old, young, "-o", sum.toString());
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err()).contains("2 services and versions: shop 1, shop 2");
    assertThat(sum).doesNotExist();
  }

  @Test
  void theSumIsASnapshotLikeOthers() throws IOException {
    Path sum = directory.resolve("sum.json");
    Run run =
        Run.of(
            "report",
            pod("shop", "2", 1, 1000, 10, "refuse"),
            pod("shop", "2", 2, 500, 20, "refuse"),
            "-o",
            sum.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.err()).contains("shop 2: 2 processes").contains("1 paths as json");
    assertThat(Files.readString(sum)).contains("\"allocated\":1500").contains("\"leaked\":30");
    assertThat(Run.of("report", sum.toString()).out()).contains("30 flows");
  }

  @Test
  void everyFormSaysWhichProcessesDiffer() throws IOException {
    List<String> pods =
        List.of(
            pod("shop", "2", 1, 1000, 10, "refuse"),
            pod("shop", "2", 2, 1000, 10, "refuse"),
            pod("shop", "2", 3, 1000, 100, "cancel"));
    Path json = sum(pods, "sum.json");
    assertThat(Run.of("report", json.toString()).out())
        .as("also once it is read again")
        .contains("shop 2: 3 processes")
        .containsPattern("web-3/3 +1,000 +100 +9.8 KiB  leaks 10 times as often as most\n")
        .contains("leaks in web-3/3 alone: last seen in com.example.Orders.cancel:42");
    assertThat(Files.readString(sum(pods, "sum.txt")))
        .contains("leaks 10 times as often as most")
        .contains("leaks in web-3/3 alone");
    assertThat(Files.readString(sum(pods, "sum.llm")))
        .contains(
            "process name=\"web-3/3\" allocated=1000 leaked=100 leaked_bytes=10000"
                + " unlike_most=\"leaks 10 times as often as most\"\n")
        .contains("leak_of_some last_seen=com.example.Orders.cancel:42 only_in=\"web-3/3\"\n");
    assertThat(Files.readString(sum(pods, "sum.html")))
        .contains("\"process\":\"web-3/3\",\"allocated\":1000,\"leaked\":100")
        .contains("\"difference\":\"leaks 10 times as often as most\"")
        .contains("{\"place\":\"com.example.Orders.cancel:42\",\"in\":\"web-3/3\"}");
  }

  @Test
  void theProcessesOfASumStayApart() throws IOException {
    Path sum =
        sum(
            List.of(
                pod("shop", "2", 1, 1000, 10, "refuse"),
                pod("shop", "2", 2, 1000, 10, "refuse"),
                pod("shop", "2", 3, 1000, 100, "cancel")),
            "sum.json");
    Run again = Run.of("report", sum.toString(), pod("shop", "2", 4, 1000, 20, "refuse"));
    assertThat(again.out())
        .contains("shop 2: 4 processes")
        .containsPattern("web-2/2 +1,000 +10 +1000 B\n")
        .containsPattern("web-3/3 +1,000 +100 +9.8 KiB  leaks 10 times as often as most\n")
        .containsPattern("web-4/4 +1,000 +20 +2.0 KiB\n")
        .contains("leaks in web-3/3 alone: last seen in com.example.Orders.cancel:42")
        .contains("leaks in web-1/1, web-2/2, web-4/4 alone: last seen in com.example.Orders.ref");
  }

  @Test
  void aLeakThatAllOfASumHaveIsSaidOfAllOfThem() throws IOException {
    Path sum =
        sum(
            List.of(
                pod("shop", "2", 1, 1000, 10, "refuse"), pod("shop", "2", 2, 1000, 10, "refuse")),
            "sum.json");
    Run again = Run.of("report", sum.toString(), pod("shop", "2", 3, 1000, 20, "cancel"));
    assertThat(again.out())
        .contains("leaks in web-3/3 alone: last seen in com.example.Orders.cancel:42")
        .contains("leaks in all 2 added up before alone: last seen in com.example.Orders.refuse:4");
  }

  @Test
  void aLeakOfManyOfASumIsCounted() throws IOException {
    List<String> pods = new ArrayList<>();
    for (int pid = 1; pid <= 5; pid++) {
      pods.add(pod("shop", "2", pid, 1000, 10, pid < 5 ? "refuse" : "cancel"));
    }
    Path sum = sum(pods, "sum.json");
    Run again = Run.of("report", sum.toString(), pod("shop", "2", 6, 1000, 20, "refuse"));
    assertThat(again.out())
        .contains(
            "leaks in 4 of 5 added up before, web-6/6 alone: last seen in com.example.Orders");
  }

  private Path sum(List<String> pods, String name) {
    Path file = directory.resolve(name);
    List<String> line = new ArrayList<>(List.of("report"));
    line.addAll(pods);
    line.addAll(List.of("-o", file.toString()));
    Run run = Run.of(line.toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isZero();
    return file;
  }

  @Test
  void onlySnapshotsAreAddedUp() throws IOException {
    Path stacks = Files.writeString(directory.resolve("a.collapsed"), "main;run 3\n");
    Run run = Run.of("report", pod("shop", "2", 1, 10, 1, "refuse"), stacks.toString());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("several inputs must be flow snapshots, unlike " + stacks);
  }
}
