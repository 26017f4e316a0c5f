package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.buftrail.model.Births;
import org.buftrail.model.MemoryRange;
import org.buftrail.model.Minutes;
import org.buftrail.model.Path;
import org.buftrail.model.Peak;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.output.ProfileFormat;
import org.junit.jupiter.api.Test;

/** The peak and what happened before, in each form, and read back. */
final class PastReportsTest {
  private static final long MIB = 1 << 20;

  /** A full minute. */
  private static final long NOON = 1_769_860_800_000L;

  private static final List<Path.Hop> KEEP =
      List.of(
          SnapshotBuilder.hop("io.netty.buffer.PooledByteBufAllocator.directBuffer"),
          SnapshotBuilder.hop("com.example.Session.keep:31"));
  private static final List<Path.Hop> READ =
      List.of(
          SnapshotBuilder.hop("io.netty.buffer.PooledByteBufAllocator.heapBuffer"),
          SnapshotBuilder.hop("com.example.Session.read:24"));

  static Peak peak() {
    return new Peak(
        NOON + 3_050,
        flows(51, 70 * MIB),
        List.of(
            new Peak.Row(KEEP, true, flows(40, 64 * MIB)),
            new Peak.Row(READ, false, flows(10, 5 * MIB))));
  }

  /** Three intervals: 40 buffers come in the first, 30 are released in the second. */
  static Minutes minutes() {
    Path.Flows none = Path.Flows.NONE;
    Minutes.Series keep =
        new Minutes.Series(
            KEEP,
            true,
            none,
            List.of(
                new Minutes.Change(0, none, none, flows(40, 40 * MIB)),
                new Minutes.Change(1, flows(30, 30 * MIB), none, flows(10, 10 * MIB))),
            new Births(new long[] {NOON, 10, 10 * MIB}));
    Minutes.Series read =
        new Minutes.Series(
            READ,
            false,
            flows(2, MIB),
            List.of(new Minutes.Change(1, flows(100, 50 * MIB), flows(1, 7), flows(1, 5))),
            null);
    Minutes.Series total =
        new Minutes.Series(
            List.of(),
            false,
            flows(2, MIB),
            List.of(
                new Minutes.Change(0, none, none, flows(42, 41 * MIB)),
                new Minutes.Change(1, flows(130, 80 * MIB), flows(1, 7), flows(11, 10 * MIB + 5))),
            new Births(new long[] {NOON, 10, 10 * MIB}));
    long[] ends = {NOON + 60_040, NOON + 120_030, NOON + 130_000};
    return new Minutes(NOON + 7_000, ends, total, List.of(keep, read));
  }

  private static Path.Flows flows(long count, long bytes) {
    return new Path.Flows(count, bytes);
  }

  private static Snapshot snapshot() {
    return SnapshotBuilder.service().with(peak()).with(minutes());
  }

  private static String json(Snapshot snapshot) throws IOException {
    StringBuilder json = new StringBuilder();
    SnapshotJson.write(snapshot, json);
    return json.toString();
  }

  private static String range(long from, long to, ProfileFormat format) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RangeReport.write(MemoryRange.of(minutes(), from, to), format, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void allOfItIsReadBack() throws IOException {
    String json = json(snapshot());
    Snapshot read = SnapshotJsonReader.read(new StringReader(json));
    assertThat(json(read)).isEqualTo(json);
    assertThat(json)
        .contains(
            "\"peak\":{\"at\":\"2026-01-31T12:00:03.050Z\",\"live\":51,\"liveBytes\":73400320,")
        .contains("\"direct\":true,\"live\":40,\"liveBytes\":67108864}")
        .contains("\"beganAt\":\"2026-01-31T12:00:07Z\",\"ends\":[1769860860040,")
        .contains(
            "\"direct\":false,\"before\":2,\"beforeBytes\":1048576,\"at\":[1],\"released\":[100],"
                + "\"releasedBytes\":[52428800],\"lost\":[1],\"lostBytes\":[7],\"live\":[1],"
                + "\"liveBytes\":[5],\"born\":[],\"bornLive\":[],\"bornLiveBytes\":[]}")
        .contains("\"born\":[1769860800000],\"bornLive\":[10],\"bornLiveBytes\":[10485760]");
  }

  @Test
  void thePeakIsTold() throws IOException {
    StringBuilder text = new StringBuilder();
    TreeReport.write(snapshot(), text);
    assertThat(text.toString())
        .contains(
            """

            PEAK 70.0 MiB in 51 buffers live at 2026-01-31T12:00:03.050Z, most bytes first
              64.0 MiB in 40 buffers direct, 91.4 %
                PooledByteBufAllocator.directBuffer > Session.keep:31
              5.0 MiB in 10 buffers heap, 7.1 %
                PooledByteBufAllocator.heapBuffer > Session.read:24
              ... and 1.0 MiB in 1 buffer on other paths
            """);
    StringBuilder lines = new StringBuilder();
    LlmReport.write(snapshot().with(PoolReportsTest.memory()), lines);
    assertThat(lines.toString())
        .contains(
            "peak_total at=2026-01-31T12:00:03.050Z live=51 live_bytes=73400320\n"
                + "peak memory=direct live=40 live_bytes=67108864"
                + " path=io.netty.buffer.PooledByteBufAllocator.directBuffer[1-2]"
                + " > com.example.Session.keep:31[1-2]\n")
        .contains(
            "pool allocator=PooledByteBufAllocator memory=direct bytes=83886080 held=67108864"
                + " idle=12582912 not_located=4194304 taken=1048576 free=61865984 other=4194304\n"
                + "holder memory=direct buffers=40 buffer_bytes=655360 chunks=16 held=67108864"
                + " alone=62914560 returned=58720256 path=")
        .contains("not_explained=\"this Netty has no PoolArena.qInit\"\n");
  }

  @Test
  void aRangeIsOfWholeIntervals() throws IOException {
    assertThat(range(NOON + 60_000, NOON + 120_000, ProfileFormat.TEXT))
        .isEqualTo(
            """
            FROM 2026-01-31T12:01:00.040Z TO 2026-01-31T12:02:00.030Z
              live 41.0 MiB before, 10.0 MiB after
              shrank by 31.0 MiB: allocated 100 (49.0 MiB); released 130 (80.0 MiB); lost 1 (7 B)

            BY PATH, most grown or shrunk first
              shrank by 30.0 MiB: allocated 0 (0 B); released 30 (30.0 MiB); direct
                PooledByteBufAllocator.directBuffer > Session.keep:31
              shrank by 1.0 MiB: allocated 100 (49.0 MiB); released 100 (50.0 MiB); lost 1 (7 B); heap
                PooledByteBufAllocator.heapBuffer > Session.read:24
            """);
    assertThat(range(0, Long.MAX_VALUE, ProfileFormat.TEXT))
        .contains(
            "  grew by 10.0 MiB: allocated 40 (40.0 MiB), of which 10 (10.0 MiB) are live now;"
                + " released 30 (30.0 MiB); direct\n");
    assertThat(range(0, Long.MAX_VALUE, ProfileFormat.LLM))
        .contains("from=2026-01-31T12:00:07Z to=2026-01-31T12:02:10Z allocated=140")
        .contains("range memory=direct allocated=40 allocated_bytes=41943040 released=30")
        .contains("kept=10 kept_bytes=10485760 path=io.netty");
    assertThat(range(NOON, NOON + 60_000, ProfileFormat.JSON))
        .startsWith(
            "{\"format\":\"buftrail.range\",\"version\":1,\"from\":\"2026-01-31T12:00:07Z\","
                + "\"to\":\"2026-01-31T12:01:00.040Z\",\"total\":{\"allocated\":40,")
        .contains("\"grownBytes\":41943040,\"kept\":10,\"keptBytes\":10485760}");
  }

  @Test
  void aRangeWithinAnIntervalIsThatInterval() {
    MemoryRange range = MemoryRange.of(minutes(), NOON + 125_000, NOON + 125_001);
    assertThat(range.fromMillis()).isEqualTo(NOON + 120_030);
    assertThat(range.toMillis()).isEqualTo(NOON + 130_000);
    assertThat(range.rows()).isEmpty();
    assertThat(range.total().after().count()).isEqualTo(11);
  }

  @Test
  void whatDoesNotFitTogetherIsRefused() throws IOException {
    String json = json(snapshot());
    assertRefused(json.replace("\"at\":[1]", "\"at\":[3]"), "name intervals");
    assertRefused(json.replace("\"at\":[0,1]", "\"at\":[1,1]"), "must rise");
    assertRefused(json.replace("\"lost\":[1]", "\"lost\":[1,2]"), "one length");
    assertRefused(json.replace("\"ends\":[1769860860040,", "\"ends\":[5,"), "must rise");
    assertRefused(json.replaceFirst("\"ends\":\\[[0-9,]+]", "\"ends\":[]"), "needs");
  }

  private static void assertRefused(String json, String reason) {
    assertThatThrownBy(() -> SnapshotJsonReader.read(new StringReader(json)))
        .hasMessageContaining(reason);
  }
}
