package org.buftrail.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.Path;
import org.buftrail.model.Peak;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;

final class PrometheusTextTest {
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-z_]+)(\\{[a-z]+=\"(?:[^\"\\\\\\n]|\\\\[\\\\n\"])*\"})? (-?[0-9]+(?:\\.[0-9]+)?)");
  private final PrometheusText prometheus = new PrometheusText();

  /** Reads the format strictly: a head before its samples, no name or series twice. */
  private Map<String, String> read(Snapshot snapshot) throws IOException {
    StringBuilder text = new StringBuilder();
    prometheus.write(snapshot, text);
    assertThat(text.toString()).endsWith("\n");
    Map<String, String> samples = new LinkedHashMap<>();
    Set<String> heads = new HashSet<>();
    String current = "";
    for (String line : text.toString().split("\n", -1)) {
      if (line.startsWith("# HELP ")) {
        current = line.split(" ", -1)[2];
        assertThat(heads.add(current)).as(current).isTrue();
      } else if (line.startsWith("# TYPE ")) {
        assertThat(line).startsWith("# TYPE " + current + " ");
        assertThat(line.endsWith(" counter")).isEqualTo(current.endsWith("_total"));
      } else if (!line.isEmpty()) {
        Matcher m = SAMPLE.matcher(line);
        assertThat(m.matches()).as(line).isTrue();
        assertThat(m.group(1)).isEqualTo(current);
        String labels = m.group(2) == null ? "" : m.group(2);
        assertThat(samples.put(current + labels, m.group(3))).as(line).isNull();
      }
    }
    return samples;
  }

  @Test
  void totalsByMemoryAndRoot() throws IOException {
    Map<String, String> samples =
        read(
            SnapshotBuilder.none()
                .direct("directBuffer app.A.a", 10, 2, 3)
                .direct("directBuffer app.B.b", 1, 0, 1)
                .heap("heapBuffer app.B.b", 4, 1, 0)
                .suppressed(6)
                .build());
    assertThat(samples)
        .containsEntry("buftrail_buffers_allocated_total", "22")
        .containsEntry("buftrail_buffers_released_total{memory=\"direct\"}", "11")
        .containsEntry("buftrail_buffers_released_total{memory=\"heap\"}", "4")
        .containsEntry("buftrail_buffers_leaked_total{memory=\"direct\"}", "2")
        .containsEntry("buftrail_leaked_bytes_total{memory=\"heap\"}", "100")
        .containsEntry("buftrail_buffers_live{memory=\"direct\"}", "4")
        .containsEntry("buftrail_live_bytes{memory=\"direct\"}", "400")
        .containsEntry("buftrail_live_bytes{memory=\"heap\"}", "0")
        .containsEntry(
            "buftrail_root_live_bytes{root=\"PooledByteBufAllocator.directBuffer\"}", "400")
        .containsEntry(
            "buftrail_root_leaked_bytes_total{root=\"PooledByteBufAllocator.heapBuffer\"}", "100")
        .containsEntry("buftrail_oldest_live_seconds", "3.0")
        .containsEntry("buftrail_leak_paths", "2")
        .containsEntry("buftrail_suspect_paths", "0")
        .containsEntry("buftrail_paths", "3")
        .containsEntry("buftrail_sampling", "1")
        .containsEntry("buftrail_suppressed_errors_total", "6")
        .containsEntry("buftrail_tracking", "1");
  }

  @Test
  void whatAllocatorsKeepIsToldByAllocatorAndMemory() throws IOException {
    PoolMemory.Pool pool =
        new PoolMemory.Pool("PooledByteBufAllocator", true, 900, 450, 170).with(40, 400);
    List<Path.Hop> keep =
        List.of(new Path.Hop(new Site("app.Session", "keep", "", 31, ""), "1", false, false));
    Path.Flows live = new Path.Flows(2, 32);
    Snapshot snapshot =
        SnapshotBuilder.none()
            .build()
            .with(
                new PoolMemory(
                    List.of(pool),
                    List.of(new PoolMemory.Holder(keep, true, live, 1, 450, 300, 200)),
                    List.of(),
                    List.of()))
            .with(new Peak(5, live, List.of(new Peak.Row(keep, true, live))));
    assertThat(read(snapshot))
        .containsEntry("buftrail_pool_taken_bytes{pool=\"PooledByteBufAllocator, direct\"}", "40")
        .containsEntry("buftrail_pool_free_bytes{pool=\"PooledByteBufAllocator, direct\"}", "400")
        .containsEntry("buftrail_pool_other_bytes{pool=\"PooledByteBufAllocator, direct\"}", "10")
        .containsEntry("buftrail_pool_hold_bytes{holder=\"app.Session.keep:31\"}", "450")
        .containsEntry("buftrail_pool_alone_bytes{holder=\"app.Session.keep:31\"}", "300")
        .containsEntry("buftrail_pool_returned_bytes{holder=\"app.Session.keep:31\"}", "200")
        .containsEntry("buftrail_peak_place_bytes{holder=\"app.Session.keep:31\"}", "32")
        .containsEntry("buftrail_pool_bytes{pool=\"PooledByteBufAllocator, direct\"}", "900")
        .containsEntry("buftrail_pool_held_bytes{pool=\"PooledByteBufAllocator, direct\"}", "450")
        .containsEntry("buftrail_pool_idle_bytes{pool=\"PooledByteBufAllocator, direct\"}", "170");
    assertThat(read(SnapshotBuilder.none().build()).keySet())
        .noneMatch(key -> key.contains("pool_"));
  }

  @Test
  void directBuffersAreToldByCallAndAgainstTheirLimits() throws IOException {
    Site load = new Site("app.Cache", "load", "", 7, "");
    DirectMemory direct =
        new DirectMemory(
            List.of(
                new DirectMemory.CallSite(load, new Path.Flows(2, 64), new Path.Flows(3, 96)),
                new DirectMemory.CallSite(load, new Path.Flows(1, 16), new Path.Flows(1, 16))),
            List.of(
                new DirectMemory.Account("JVM, direct", 3, 100, 500),
                new DirectMemory.Account("JVM, mapped", 1, 7, DirectMemory.Account.UNKNOWN)));
    PoolMemory memory = new PoolMemory(List.of(), List.of(), List.of(), List.of());
    assertThat(read(SnapshotBuilder.none().build().with(memory.with(direct))))
        .containsEntry("buftrail_direct_call_bytes{call=\"app.Cache.load:7\"}", "80")
        .containsEntry("buftrail_direct_account_bytes{account=\"JVM, direct\"}", "100")
        .containsEntry("buftrail_direct_account_bytes{account=\"JVM, mapped\"}", "7")
        .containsEntry("buftrail_direct_limit_bytes{account=\"JVM, direct\"}", "500")
        .doesNotContainKey("buftrail_direct_limit_bytes{account=\"JVM, mapped\"}");
    assertThat(read(SnapshotBuilder.none().build().with(memory)).keySet())
        .noneMatch(key -> key.contains("direct_"));
  }

  @Test
  void sizesAndLifetimesAddUpByTheirBounds() throws IOException {
    long[] sizes = new long[ReleaseSamples.SIZES];
    long[] lifetimes = new long[ReleaseSamples.LIFETIMES];
    sizes[9] = 3;
    sizes[14] = 1;
    lifetimes[6] = 4;
    List<Path.Hop> hops = List.of(new Path.Hop(new Site("a.A", "b", "", 1, ""), "1", false, false));
    Path path =
        new Path(hops, true, new Path.Flows(256, 9), Path.Flows.NONE, Path.Flows.NONE, -1, -1)
            .with(new ReleaseSamples(lifetimes, sizes, 0, 0));
    Map<String, String> samples =
        read(new Snapshot(1, 1, 256, 0, TrackerStatus.FINE, List.of(path), List.of()));
    assertThat(samples)
        .containsEntry("buftrail_released_sizes_total{le=\"256\"}", "0")
        .containsEntry("buftrail_released_sizes_total{le=\"512\"}", "3")
        .containsEntry("buftrail_released_sizes_total{le=\"16384\"}", "4")
        .containsEntry("buftrail_released_sizes_total{le=\"+Inf\"}", "4")
        .containsEntry("buftrail_released_lifetimes_total{le=\"0.000032\"}", "0")
        .containsEntry("buftrail_released_lifetimes_total{le=\"0.000064\"}", "4")
        .containsEntry("buftrail_released_lifetimes_total{le=\"2.097152\"}", "4")
        .containsEntry("buftrail_released_lifetimes_total{le=\"+Inf\"}", "4");
    assertThat(read(SnapshotBuilder.none().build()).keySet())
        .noneMatch(key -> key.contains("released_sizes") || key.contains("released_lifetimes"));
  }

  @Test
  void countersNeverFallAndGaugesDo() throws IOException {
    read(SnapshotBuilder.none().direct("directBuffer app.A.a", 10, 2, 3).build());
    assertThat(read(SnapshotBuilder.none().direct("directBuffer app.A.a", 11, 1, 1).build()))
        .containsEntry("buftrail_buffers_allocated_total", "15")
        .containsEntry("buftrail_buffers_released_total{memory=\"direct\"}", "11")
        .containsEntry("buftrail_buffers_leaked_total{memory=\"direct\"}", "2")
        .containsEntry("buftrail_leaked_bytes_total{memory=\"direct\"}", "200")
        .containsEntry("buftrail_buffers_live{memory=\"direct\"}", "1");
    assertThat(new PrometheusTextTest().read(SnapshotBuilder.none().build()))
        .containsEntry("buftrail_buffers_allocated_total", "0");
  }

  @Test
  void whenNothingIsFollowedItSaysSinceWhenAndWhy() throws IOException {
    TrackerStatus status =
        new TrackerStatus.Builder()
            .stop(new TrackerStatus.Stop(2_500, "\"off\""))
            .lostReleases(4)
            .build();
    assertThat(read(new Snapshot(3_000, 1, 0, 0, status, List.of(), List.of())))
        .containsEntry("buftrail_tracking", "0")
        .containsEntry("buftrail_tracking_stopped_seconds{reason=\"\\\"off\\\"\"}", "2.5")
        .containsEntry("buftrail_lost_releases_total", "4");
  }

  @Test
  void resourcesAreNoBuffers() throws IOException {
    Map<String, String> samples =
        read(
            SnapshotBuilder.none()
                .heap("heapBuffer app.B.b", 4, 1, 2)
                .resource("java.sql.Connection.open app.C.query", 5, 3, 1)
                .resource("java.sql.Connection.open app.C.update", 1, 0, 0)
                .resource("java.io.FileInputStream.open app.D.read", 0, 0, 1)
                .build());
    assertThat(samples)
        .containsEntry("buftrail_buffers_allocated_total", "7")
        .containsEntry("buftrail_buffers_released_total{memory=\"heap\"}", "4")
        .containsEntry("buftrail_buffers_leaked_total{memory=\"heap\"}", "1")
        .containsEntry("buftrail_live_bytes{memory=\"heap\"}", "200")
        .containsEntry("buftrail_resources_closed_total{type=\"java.sql.Connection\"}", "6")
        .containsEntry("buftrail_resources_leaked_total{type=\"java.sql.Connection\"}", "3")
        .containsEntry("buftrail_resources_live{type=\"java.sql.Connection\"}", "1")
        .containsEntry("buftrail_resources_live{type=\"java.io.FileInputStream\"}", "1")
        .doesNotContainKey("buftrail_root_live_bytes{root=\"Connection.open\"}");
    assertThat(samples.keySet().stream().filter(name -> name.contains("memory=")))
        .allMatch(name -> name.contains("\"direct\"") || name.contains("\"heap\""));
  }

  @Test
  void anEmptySnapshotHasEveryMetricAt0() throws IOException {
    assertThat(read(SnapshotBuilder.none().build()))
        .containsEntry("buftrail_buffers_leaked_total{memory=\"direct\"}", "0")
        .containsEntry("buftrail_oldest_live_seconds", "0.0")
        .allSatisfy((name, value) -> assertThat(name).doesNotContain("resources"));
  }

  @Test
  void theAllocatedCounterNeverFalls() throws IOException {
    read(SnapshotBuilder.none().direct("directBuffer", 9, 0, 0).build());
    assertThat(read(SnapshotBuilder.none().direct("directBuffer", 8, 0, 0).build()))
        .containsEntry("buftrail_buffers_allocated_total", "9");
  }

  @Test
  void labelsAreEscaped() throws IOException {
    assertThat(read(SnapshotBuilder.none().direct("a\"b\\c.d", 0, 0, 1).build()))
        .containsKey("buftrail_root_live_bytes{root=\"a\\\"b\\\\c.d\"}");
  }

  @Test
  void saysHowTheThreadsAre() throws IOException {
    TrackerStatus status =
        new TrackerStatus.Builder()
            .add(new TrackerStatus.ThreadHealth("buftrail-watch", 7, 12_345_678, 2, "no memory"))
            .add(new TrackerStatus.ThreadHealth("buftrail-push", 0, -1, 0, null))
            .build();
    Map<String, String> samples = read(new Snapshot(0, 1, 0, 0, status, List.of(), List.of()));
    assertThat(samples)
        .containsEntry("buftrail_thread_failures_total{thread=\"buftrail-watch\"}", "2")
        .containsEntry("buftrail_thread_failures_total{thread=\"buftrail-push\"}", "0")
        .containsEntry("buftrail_thread_last_round_seconds{thread=\"buftrail-watch\"}", "12345.678")
        .containsEntry("buftrail_thread_last_round_seconds{thread=\"buftrail-push\"}", "0.0");
  }
}
