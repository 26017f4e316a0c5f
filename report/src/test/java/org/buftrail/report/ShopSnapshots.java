package org.buftrail.report;

import java.util.List;
import org.buftrail.model.Evidence;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Peak;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.SummedProcesses;
import org.buftrail.model.TrackedProcess;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots with all that one can have, for tests that look at a report as a whole. Figures are
 * distinct, so that none stands in another's place unnoticed.
 */
final class ShopSnapshots {
  static final String DIRECT = "io.netty.buffer.PooledByteBufAllocator.directBuffer";
  static final String HEAP = "io.netty.buffer.UnpooledByteBufAllocator.heapBuffer";
  static final String READ = "com.example.shop.Server.channelRead:31";

  private static final String RELEASE = "io.netty.buffer.ByteBuf.release [0]";
  private static final String CACHE = "com.example.shop.Cache.put:7";
  private static final String[] KEPT = {DIRECT, READ, "com.example.shop.Session.keep:53"};
  private static final long TAKEN_AT = SnapshotBuilder.TAKEN_AT;
  private static final long MIB = 1 << 20;

  private ShopSnapshots() {}

  /** A shop with every kind of leak, suspects, misuses and what holds its memory. */
  static Snapshot shop() {
    SnapshotBuilder b = new SnapshotBuilder().sampling(2).overflowed(19).suppressedErrors(3);
    b.direct(DIRECT, READ, "com.example.shop.Errors.reject:88 [1]")
        .leaked(71, 17_923)
        .live(3, 769)
        .ages(61_000, 4_000)
        .seen(TAKEN_AT - 90_250, TAKEN_AT - 250)
        .evidence(looks())
        .add();
    b.direct(DIRECT, READ, "com.example.shop.Errors.reject:88 [2]")
        .leaked(13, 3_331)
        .seen(TAKEN_AT - 95_250, TAKEN_AT - 1_250)
        .add();
    b.direct(DIRECT, READ, "com.example.shop.Errors.handle:41", RELEASE)
        .released(997, 99_709)
        .add();
    b.direct(DIRECT, READ, "com.example.shop.Audit.note:5", "com.example.shop.Log.write:9 reads")
        .leaked(29, 29_009)
        .holding(11)
        .seen(TAKEN_AT - 3_600_250, TAKEN_AT - 250)
        .add();
    b.heap(HEAP, READ, "com.example.shop.Json$Codec.encode_return:19 [1]").leaked(5, 643).add();
    b.heap(HEAP, READ, "com.example.shop.Json$Codec.encode:19 loop", RELEASE)
        .released(401, 40_111)
        .dropped(37, 3_701)
        .samples(47, 13)
        .add();
    b.heap("java.sql.Connection.open", "com.example.shop.Dao.query:38")
        .leaked(7, 0)
        .live(2, 0)
        .add();
    b.direct(KEPT).live(59, 590_003).ages(3_600_000, 1_800_000).together(23, message()).add();
    b.direct(DIRECT, CACHE).live(17, 278_529).ages(9_000, 8_000).add();
    b.direct(DIRECT, READ, "com.example.shop.Cart.refuse:48")
        .live(41, 10_501)
        .ages(60_000, 20_000)
        .add();
    b.direct(DIRECT, READ, "com.example.shop.Cart.receipt:53", RELEASE).released(499, 8_999).add();
    b.direct(DIRECT, READ, "com.example.shop.Router.deep:77 overflow")
        .live(1, 4_099)
        .ages(700, 700)
        .add();
    likeOthersButForOneFlag(b);
    b.heap("(in transit)").live(43, 4_337).add();
    misuses(b);
    return b.build()
        .of(
            new TrackedProcess(
                "shop", 1_507, "till-1", TAKEN_AT - 7_384_000, "17.0.15", "sample=2"))
        .with(pools())
        .with(ProcessMemoryTextTest.memory())
        .with(
            new Peak(
                TAKEN_AT - 60_000,
                flows(103, 900_007),
                List.of(
                    new Peak.Row(hops(KEPT), true, flows(83, 800_011)),
                    new Peak.Row(hops(HEAP, CACHE), false, flows(20, 99_991)))))
        .with(PastReportsTest.minutes())
        .with(
            new SummedProcesses(
                "shop 2",
                List.of(
                    new SummedProcesses.Share(
                        "till-1/1507", 907, flows(101, 40_009), "leaks 9 times as often as most"),
                    new SummedProcesses.Share("till-2/1511", 911, flows(11, 10_007), "")),
                List.of(
                    new SummedProcesses.PartialLeak(
                        "com.example.shop.Errors.reject:88", "till-1/1507")),
                2));
  }

  /** Hops that differ from those above in that they are no loop, no overflow, or had the buffer. */
  private static void likeOthersButForOneFlag(SnapshotBuilder b) {
    b.heap(HEAP, READ, "com.example.shop.Json$Codec.encode:19").live(3, 1_013).ages(50, 40).add();
    b.direct(DIRECT, READ, "com.example.shop.Router.deep:77").live(2, 2_003).ages(60, 30).add();
    b.direct(DIRECT, READ, "com.example.shop.Audit.note:5", "com.example.shop.Log.write:9", RELEASE)
        .released(23, 2_309)
        .add();
  }

  private static void misuses(SnapshotBuilder b) {
    List<String> cached = List.of(DIRECT, CACHE, RELEASE);
    b.misuse(
        Misuse.Kind.USE_AFTER_RELEASE,
        "com.example.shop.Cache.get:9",
        3,
        cached,
        List.of(DIRECT, READ, RELEASE));
    b.misuse(
        Misuse.Kind.DOUBLE_RELEASE, "com.example.shop.Server.close:77", 1_201, cached, List.of());
    b.status()
        .stop(new TrackerStatus.Stop(TAKEN_AT - 60_000, "switched off"))
        .lostReleases(2)
        .undecided(5)
        .atEnd(true)
        .add(new TrackerStatus.Unwoven("com.example.shop.Huge", "too large"))
        .add(
            new TrackerStatus.ThreadHealth(
                "buftrail-sweeper", 211, TAKEN_AT - 1_250, 4, "out of memory"));
  }

  private static @Nullable Evidence looks() {
    Site ask = new Site("com.example.shop.Pool", "take", "", 12, "");
    Site caller = new Site("com.example.shop.Server", "serve", "", 30, "");
    Evidence.Place place = new Evidence.Place(ask, List.of(caller), List.of(), 8);
    return new Evidence.Builder()
        .looks(8)
        .add(Evidence.Kind.ASKED_FOR, place)
        .add(Evidence.Kind.RETAINED, place)
        .build();
  }

  private static @Nullable Evidence message() {
    Site request = new Site("io.netty.codec.http.FullHttpRequest", "", "", 0, "");
    return new Evidence.Builder()
        .looks(9)
        .add(Evidence.Kind.MESSAGE, new Evidence.Place(null, List.of(request), List.of(), 9))
        .build();
  }

  private static PoolMemory pools() {
    return new PoolMemory(
            List.of(
                new PoolMemory.Pool("PooledByteBufAllocator", true, 80 * MIB, 64 * MIB, 12 * MIB)
                    .with(MIB, 59 * MIB),
                new PoolMemory.Pool(
                    "AdaptiveByteBufAllocator", false, 20 * MIB, 3 * MIB, 17 * MIB)),
            List.of(
                new PoolMemory.Holder(
                    hops(KEPT), true, flows(59, 590_003), 16, 64 * MIB, 60 * MIB, 56 * MIB),
                new PoolMemory.Holder(
                    hops(DIRECT, CACHE), true, flows(1, 278_529), 1, 4 * MIB, 2 * MIB, MIB)),
            List.of(
                new PoolMemory.Chunk(0, 4 * MIB, flows(3, 49_153), 3 * MIB, 0),
                new PoolMemory.Chunk(0, 2 * MIB, flows(1, 16_381), MIB, 1),
                new PoolMemory.Chunk(1, MIB, flows(7, 99_991), 0, PoolMemory.Chunk.SHARED)),
            List.of("this Netty has no PoolArena.qInit"))
        .with(PoolReportsTest.direct());
  }

  /** More leaks than are listed path by path, and more places than a column of the streams has. */
  static Snapshot many() {
    SnapshotBuilder b = new SnapshotBuilder();
    for (int i = 0; i < 29; i++) {
      String step = "com.example.step" + i % 5 + ".Step" + i % 7 + ".run:" + (10 + i % 11);
      String end = "com.example.end.End" + i % 13 + ".close" + i % 3 + ":" + (i % 13 + 1);
      b.direct(DIRECT, READ, "com.example.shop.Way.by:" + (100 + i), step, end)
          .leaked(i + 1, 1_000L * (i + 1) + (long) i * i)
          .seen(TAKEN_AT - 1_000L * (i + 3), TAKEN_AT - 1_000)
          .add();
    }
    b.heap(
            HEAP,
            READ,
            "com.example.shop.Deep.a:1",
            "com.example.shop.Deep.b:2",
            "com.example.shop.Deep.c:3",
            "com.example.shop.Deep.d:4",
            "com.example.shop.Deep.e:5",
            "com.example.shop.Deep.f:6",
            "com.example.shop.Deep.g:7",
            "com.example.shop.Deep.h:8",
            RELEASE)
        .released(211, 1_000_003)
        .add();
    b.status().undecided(7);
    return b.build();
  }

  /** Nothing leaks, and something is undecided. */
  static Snapshot quiet() {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct(DIRECT, READ, RELEASE).released(11, 1_103).add();
    b.direct(DIRECT, CACHE).live(7, 701).ages(900, 400).add();
    b.status().undecided(5);
    return b.build();
  }

  private static Path.Flows flows(long count, long bytes) {
    return new Path.Flows(count, bytes);
  }

  private static List<Path.Hop> hops(String... notations) {
    return List.of(notations).stream().map(SnapshotBuilder::hop).toList();
  }
}
