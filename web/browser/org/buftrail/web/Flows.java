package org.buftrail.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.Evidence;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Peak;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.buftrail.model.fixtures.CountedByHand;

/** Snapshots to look at. */
final class Flows {
  static final long TAKEN_AT = 1_769_860_800_250L;

  private static final String DIRECT = "io.netty.buffer.PooledByteBufAllocator.directBuffer";

  private static final String RELEASE = "io.netty.buffer.ByteBuf.release";

  private final List<Path> paths = new ArrayList<>();
  private final List<Misuse> misuses = new ArrayList<>();

  private Flows() {}

  /** Two leaks, one of them direct, live flows, released flows. */
  static Snapshot service() {
    Flows flows = new Flows();
    String read = "com.example.app.Server.channelRead:31";
    String dispatch = "com.example.app.Server.dispatch:44";
    flows.add(
        true,
        9_990,
        2_557_440,
        0,
        0,
        0,
        0,
        -1,
        DIRECT,
        read,
        dispatch,
        "com.example.app.Echo.reply:12");
    flows.add(
        true,
        0,
        0,
        7,
        1_792,
        3,
        768,
        61_000,
        DIRECT,
        read,
        dispatch,
        "com.example.app.Errors.reject:88");
    flows.add(
        false,
        0,
        0,
        2,
        64,
        0,
        0,
        -1,
        "io.netty.buffer.Unpooled.wrappedBuffer",
        "com.example.app.Json$Codec.encode_return:9");
    flows.add(
        true, 0, 0, 0, 0, 100, 104_857_600, 3_600_000, DIRECT, read, "com.example.app.Cache.put:7");
    return flows.snapshot(10_102, 16, 12);
  }

  /** Buffers that were used after their release, and connections that were not closed. */
  static Snapshot misused() {
    Flows flows = new Flows();
    String[] released = {DIRECT, "com.example.app.Server.channelRead:31", RELEASE};
    String[] cached = {DIRECT, "com.example.app.Cache.put:7", RELEASE};
    flows.add(true, 40, 4_000, 0, 0, 0, 0, -1, released);
    flows.add(true, 30, 3_000, 0, 0, 2, 512, 1_000, cached[0], cached[1]);
    flows.add(
        false, 0, 0, 3, 0, 1, 0, 500, "java.sql.Connection.open", "com.example.app.Dao.query:38");
    flows.misuse(Misuse.Kind.USE_AFTER_RELEASE, "com.example.app.Cache.get:9", 3, cached, released);
    flows.misuse(Misuse.Kind.DOUBLE_RELEASE, "com.example.app.Server.close:77", 1_200, released);
    return flows.snapshot(76, 1, 0);
  }

  private void misuse(
      Misuse.Kind kind, String place, long count, String[] release, String... earlier) {
    misuses.add(new Misuse(kind, hop(place, "").site(), count, hops(release), hops(earlier)));
  }

  /** Buffers that grow in one place and are released in another. */
  static Snapshot suspect() {
    Flows flows = new Flows();
    String shop = "com.example.app.Shop.";
    flows.add(true, 0, 0, 0, 0, 30, 7_680, 60_000, DIRECT, shop + "read:9", shop + "refuse:48");
    flows.add(true, 500, 9_000, 0, 0, 0, 0, -1, DIRECT, shop + "read:9", shop + "receipt:53");
    return flows.snapshot(530, 1, 0);
  }

  /** Requests of three buffers each that grow in one place. */
  static Snapshot requests() {
    Flows flows = new Flows();
    String shop = "com.example.app.Shop.";
    flows.add(true, 0, 0, 0, 0, 60, 7_680, 60_000, DIRECT, shop + "read:9", shop + "refuse:48");
    flows.add(true, 500, 9_000, 0, 0, 0, 0, -1, DIRECT, shop + "read:9", shop + "receipt:53");
    Site request = new Site("io.netty.codec.http.FullHttpRequest", "", "", 0, "");
    Evidence seen =
        new Evidence.Builder()
            .looks(18)
            .add(Evidence.Kind.MESSAGE, new Evidence.Place(null, List.of(request), List.of(), 18))
            .build();
    flows.paths.set(0, flows.paths.get(0).withLive(40, seen));
    return flows.snapshot(560, 1, 0);
  }

  /** Two suspects, neither of which is on the first path, below one leak. */
  static Snapshot suspectsBesideALeak() {
    Flows flows = new Flows();
    String shop = "com.example.app.Shop.";
    flows.add(true, 0, 0, 3, 96, 0, 0, -1, DIRECT, shop + "read:9", shop + "lose:17");
    flows.add(true, 0, 0, 0, 0, 30, 7_680, 60_000, DIRECT, shop + "read:9", shop + "refuse:48");
    flows.add(true, 0, 0, 0, 0, 41, 1_312, 70_000, DIRECT, shop + "read:9", shop + "park:61");
    return flows.snapshot(74, 1, 0);
  }

  /** A few buffers that hold many chunks, and one allocator of which nothing is known. */
  static Snapshot pinned() {
    Flows flows = new Flows();
    String[] few = {DIRECT, "com.example.app.Session.read:24", "com.example.app.Session.keep:31"};
    String[] cache = {DIRECT, "com.example.app.Cache.put:7"};
    flows.add(true, 0, 0, 0, 0, 40, 655_360, 9_000, few);
    flows.add(true, 0, 0, 0, 0, 2, 32_768, 9_000, cache);
    List<PoolMemory.Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      chunks.add(new PoolMemory.Chunk(0, 4 << 20, new Path.Flows(2, 32_768), 4_161_536, 0));
    }
    chunks.add(
        new PoolMemory.Chunk(
            0, 4 << 20, new Path.Flows(12, 196_608), 3_997_696, PoolMemory.Chunk.SHARED));
    return flows
        .snapshot(42, 1, 0)
        .with(
            new PoolMemory(
                    List.of(
                        new PoolMemory.Pool(
                                "PooledByteBufAllocator", true, 80 << 20, 64 << 20, 4 << 20)
                            .with(688_128, 66_420_736)),
                    List.of(
                        new PoolMemory.Holder(
                            hops(few),
                            true,
                            new Path.Flows(40, 655_360),
                            16,
                            64 << 20,
                            60 << 20,
                            56 << 20),
                        new PoolMemory.Holder(
                            hops(cache), true, new Path.Flows(2, 32_768), 1, 4 << 20, 0, 0)),
                    chunks,
                    List.of("AdaptiveByteBufAllocator: no field magazines"))
                .with(direct()));
  }

  /** The same, and of its two paths what was live at the highest moment. */
  static Snapshot pinnedWithItsPeak() {
    Path.Flows most = new Path.Flows(2_100_000, 1_023L << 20);
    List<Peak.Row> rows = new ArrayList<>();
    for (String end : List.of("Session.keep:31", "Cache.put:7")) {
      rows.add(new Peak.Row(hops(DIRECT, "com.example.app." + end), true, most));
    }
    Path.Flows all = new Path.Flows(4_200_000, 2 * most.bytes());
    return pinned().with(new Peak(TAKEN_AT - 60_000, all, rows));
  }

  private static DirectMemory direct() {
    Site load = new Site("com.example.app.Cache", "load", "", 31, "");
    Site copy = new Site("com.example.app.Codec", "copy", "", 9, "");
    return new DirectMemory(
        List.of(
            new DirectMemory.CallSite(
                load, new Path.Flows(8, 8 << 20), new Path.Flows(80, 80 << 20)),
            new DirectMemory.CallSite(
                copy, new Path.Flows(3, 12_288), new Path.Flows(9_000, 36_864_000))),
        List.of(
            new DirectMemory.Account("JVM, direct", 14, 9 << 20, 64 << 20),
            new DirectMemory.Account("JVM, mapped", 2, 12 << 20, DirectMemory.Account.UNKNOWN)));
  }

  /** Nothing leaks, but nobody knows yet. */
  static Snapshot undecided() {
    Flows flows = new Flows();
    flows.add(true, 11, 1_100, 0, 0, 7, 700, 900, DIRECT, "com.example.app.Server.read:9");
    return flows.snapshot(18, 1, 0, new TrackerStatus.Builder().undecided(5).atEnd(true).build());
  }

  /** The same while the JVM runs on. */
  static Snapshot undecidedYet() {
    Flows flows = new Flows();
    flows.add(true, 11, 1_100, 0, 0, 7, 700, 900, DIRECT, "com.example.app.Server.read:9");
    return flows.snapshot(18, 1, 0, new TrackerStatus.Builder().undecided(5).build());
  }

  /** Nothing leaked while it was looked at, which was some time ago. */
  static Snapshot stopped() {
    Flows flows = new Flows();
    flows.add(true, 11, 1_100, 0, 0, 0, 0, -1, DIRECT, "com.example.app.Server.read:9");
    TrackerStatus.Stop stop = new TrackerStatus.Stop(TAKEN_AT - 60_000, "switched off");
    return flows.snapshot(11, 1, 0, new TrackerStatus.Builder().stop(stop).build());
  }

  /** All is released. */
  static Snapshot clean() {
    Flows flows = new Flows();
    flows.add(true, 11, 1_100, 0, 0, 0, 0, -1, DIRECT, "com.example.app.Server.read:9");
    return flows.snapshot(11, 1, 0);
  }

  /** Some flows had no place when they were counted. */
  static Snapshot inTransit() {
    Flows flows = new Flows();
    flows.add(true, 11, 1_100, 0, 0, 7, 700, 900, DIRECT, "com.example.app.Server.read:9");
    Path.Flows none = new Path.Flows(0, 0);
    List<Path.Hop> nowhere =
        List.of(new Path.Hop(new Site("(in transit)", "", "", 0, ""), "1-2", false, false));
    flows.paths.add(
        new Path(
            nowhere, false, none, none, new Path.Flows(13, 1_300), 0, 0, Path.NEVER, Path.NEVER));
    return flows.snapshot(31, 1, 0);
  }

  /** A name that would like to be markup. */
  static Snapshot hostile() {
    Flows flows = new Flows();
    flows.add(
        true,
        0,
        0,
        1,
        1,
        0,
        0,
        -1,
        DIRECT,
        "p.</script><img/src=x/onerror=document.title='owned'>.m:1");
    return flows.snapshot(1, 1, 0);
  }

  static Snapshot empty() {
    return new Flows().snapshot(0, 1, 0);
  }

  /** As many paths as asked for, each with a leaf of its own. */
  static Snapshot many(int count) {
    Random random = new Random(7);
    Flows flows = new Flows();
    for (int i = 0; i < count; i++) {
      String[] hops = new String[4 + random.nextInt(8)];
      hops[0] = DIRECT;
      for (int h = 1; h < hops.length; h++) {
        hops[h] =
            "com.example.p"
                + random.nextInt(6)
                + ".Handler"
                + random.nextInt(30)
                + ".handle:"
                + random.nextInt(40);
      }
      hops[hops.length - 1] = "com.example.leaf.Leaf" + i + ".end:1";
      boolean leak = random.nextInt(10) == 0;
      long bytes = 256L << random.nextInt(10);
      flows.add(
          random.nextBoolean(),
          leak ? 0 : 5,
          leak ? 0 : 5 * bytes,
          leak ? 1 : 0,
          leak ? bytes : 0,
          1,
          bytes,
          i,
          hops);
    }
    return flows.snapshot(count * 5L, 1, 0);
  }

  private Snapshot snapshot(long allocated, int sampling, long overflowed) {
    return snapshot(allocated, sampling, overflowed, TrackerStatus.FINE);
  }

  private Snapshot snapshot(long allocated, int sampling, long overflowed, TrackerStatus status) {
    return new Snapshot(
        TAKEN_AT, sampling, allocated, overflowed, status, new CountedByHand(paths), misuses);
  }

  private void add(
      boolean direct,
      long released,
      long releasedBytes,
      long leaked,
      long leakedBytes,
      long live,
      long liveBytes,
      long oldest,
      String... hops) {
    List<Path.Hop> made = hops(hops);
    if (released > 0 && !hops[hops.length - 1].equals(RELEASE)) {
      made.add(hop(RELEASE, "0"));
    }
    paths.add(
        new Path(
            made,
            direct,
            new Path.Flows(released, releasedBytes),
            new Path.Flows(leaked, leakedBytes),
            new Path.Flows(live, liveBytes),
            oldest,
            oldest < 0 ? Path.NO_AGE : oldest / 2,
            leaked > 0 ? TAKEN_AT - 60_000 * leaked : Path.NEVER,
            leaked > 0 ? TAKEN_AT - 250 : Path.NEVER));
  }

  private static List<Path.Hop> hops(String... places) {
    List<Path.Hop> hops = new ArrayList<>();
    for (String place : places) {
      hops.add(hop(place, place.equals(RELEASE) ? "0" : "1-2"));
    }
    return hops;
  }

  private static Path.Hop hop(String place, String refs) {
    int colon = place.lastIndexOf(':');
    int line = colon < 0 ? 0 : Integer.parseInt(place.substring(colon + 1));
    String name = colon < 0 ? place : place.substring(0, colon);
    int dot = name.lastIndexOf('.');
    boolean exit = name.endsWith("_return");
    String method = name.substring(dot + 1, name.length() - (exit ? "_return".length() : 0));
    Site site = new Site(name.substring(0, dot), method, "", line, exit ? "_return" : "");
    return new Path.Hop(site, refs, false, false);
  }
}
