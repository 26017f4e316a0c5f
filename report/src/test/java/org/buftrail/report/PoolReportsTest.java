package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.Path;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;

/** What allocators keep, in each form, and read back. */
class PoolReportsTest {
  private static final long MIB = 1 << 20;

  private static Snapshot pinned() {
    return SnapshotBuilder.service().with(memory());
  }

  static PoolMemory memory() {
    List<Path.Hop> keep =
        List.of(
            SnapshotBuilder.hop("io.netty.buffer.PooledByteBufAllocator.directBuffer"),
            SnapshotBuilder.hop("com.example.Session.keep:31"));
    Path.Flows forty = new Path.Flows(40, 655_360);
    return new PoolMemory(
            List.of(
                new PoolMemory.Pool("PooledByteBufAllocator", true, 80 * MIB, 64 * MIB, 12 * MIB)
                    .with(MIB, 59 * MIB)),
            List.of(new PoolMemory.Holder(keep, true, forty, 16, 64 * MIB, 60 * MIB, 56 * MIB)),
            List.of(
                new PoolMemory.Chunk(0, 4 * MIB, new Path.Flows(3, 49_152), 3 * MIB, 0),
                new PoolMemory.Chunk(
                    0, MIB, new Path.Flows(1, 16_384), 0, PoolMemory.Chunk.SHARED)),
            List.of("this Netty has no PoolArena.qInit"))
        .with(direct());
  }

  static DirectMemory direct() {
    Path.Flows eight = new Path.Flows(8, 8 * MIB);
    return new DirectMemory(
        List.of(
            new DirectMemory.CallSite(
                new Site("com.example.Cache", "load", "", 7, ""),
                eight,
                new Path.Flows(80, 80 * MIB)),
            new DirectMemory.CallSite(
                new Site("com.example.Cache", "copy", "", 9, ""),
                Path.Flows.NONE,
                new Path.Flows(1, 4_096))),
        List.of(
            new DirectMemory.Account("JVM, direct", 10, 12 * MIB, 48 * MIB),
            new DirectMemory.Account(
                "Netty, io.netty.maxDirectMemory",
                DirectMemory.Account.UNKNOWN,
                80 * MIB,
                DirectMemory.Account.UNKNOWN)));
  }

  @Test
  void directBuffersAreToldByCall() throws IOException {
    StringBuilder text = new StringBuilder();
    TreeReport.write(pinned(), text);
    assertThat(text.toString())
        .contains(
            """

            DIRECT BUFFERS of the application's own calls, most live bytes first
              8.0 MiB in 8 buffers of Cache.load:7; 80.0 MiB in 80 buffers since the start
              0 B in 0 buffers of Cache.copy:9; 4.0 KiB in 1 buffer since the start
              JVM, direct: 12.0 MiB in 10 buffers, 4.0 MiB not by these calls: NIO's own by \
            thread, Netty's, and libraries'; at most 48.0 MiB, 25.0 % used
              Netty, io.netty.maxDirectMemory: 80.0 MiB
            """);
    StringBuilder lines = new StringBuilder();
    LlmReport.write(pinned(), lines);
    assertThat(lines.toString())
        .contains("; taken, free, other=what live buffers take of a pool's held, ")
        .contains("call live=8 live_bytes=8388608 allocated=80 allocated_bytes=83886080 at=")
        .contains("account name=\"JVM, direct\" buffers=10 bytes=12582912 limit=50331648\n")
        .contains("account name=\"Netty, io.netty.maxDirectMemory\" bytes=83886080\n");
  }

  @Test
  void aSentenceSaysWhoHoldsHowMuchAndWhatComesBack() throws IOException {
    StringBuilder text = new StringBuilder();
    TreeReport.write(pinned(), text);
    assertThat(text.toString())
        .contains(
            """

            WHO HOLDS THE MEMORY of Netty's pools, most held alone first
              40 buffers of Session.keep:31 (640.0 KiB) hold 64.0 MiB of direct memory
                in 16 chunks, 60.0 MiB of it alone; their release gives back at least 56.0 MiB
                PooledByteBufAllocator.directBuffer > Session.keep:31
              PooledByteBufAllocator, direct: 80.0 MiB = held by buffers 64.0 MiB + idle 12.0 MiB \
            + not located 4.0 MiB
                held: 1.0 MiB of live buffers, 59.0 MiB free, 4.0 MiB other: caches of threads, \
            rounding, free parts of pages in use, buffers that are not followed
              not explained: this Netty has no PoolArena.qInit
            """);
  }

  @Test
  void allOfItIsReadBack() throws IOException {
    StringBuilder json = new StringBuilder();
    SnapshotJson.write(pinned(), json);
    Snapshot read = SnapshotJsonReader.read(new StringReader(json.toString()));
    StringBuilder again = new StringBuilder();
    SnapshotJson.write(read, again);
    assertThat(again.toString()).isEqualTo(json.toString());
    assertThat(json.toString())
        .contains(
            "\"bytes\":83886080,\"held\":67108864,\"idle\":12582912,\"notLocated\":4194304,\"taken\":1048576,\"free\":61865984,\"other\":4194304}")
        .contains(
            "\"direct\":true,\"buffers\":40,\"bufferBytes\":655360,\"chunks\":16,\"held\":67108864,"
                + "\"alone\":62914560,\"returned\":58720256}")
        .contains(
            "{\"pool\":0,\"size\":4194304,\"buffers\":3,\"taken\":49152,\"free\":3145728,"
                + "\"other\":999424,\"holder\":0}")
        .contains("\"buffers\":1,\"taken\":16384,\"free\":0,\"other\":1032192}")
        .contains("\"unexplained\":[\"this Netty has no PoolArena.qInit\"]")
        .contains("\"live\":8,\"liveBytes\":8388608,\"allocated\":80,\"allocatedBytes\":83886080}")
        .contains(
            "{\"account\":\"JVM, direct\",\"buffers\":10,\"bytes\":12582912,\"limit\":50331648}");
  }

  @Test
  void nothingIsSaidWhereNobodyAsked() throws IOException {
    StringBuilder both = new StringBuilder();
    TreeReport.write(SnapshotBuilder.service(), both);
    SnapshotJson.write(SnapshotBuilder.service(), both);
    assertThat(both.toString()).doesNotContain("WHO HOLDS").doesNotContain("\"memory\"");
  }
}
