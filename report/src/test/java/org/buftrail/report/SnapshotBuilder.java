package org.buftrail.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Evidence;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.buftrail.model.fixtures.CountedByHand;
import org.jspecify.annotations.Nullable;

/** Makes snapshots out of short hop notations: {@code "com.example.Handler.read:31 [1-2]"}. */
final class SnapshotBuilder {
  static final long TAKEN_AT = Instant.parse("2026-01-31T12:00:00.250Z").toEpochMilli();

  private final List<Path> paths = new ArrayList<>();
  private final List<Misuse> misuses = new ArrayList<>();
  private int sampling = 1;
  private long overflowed;
  private final TrackerStatus.Builder status = new TrackerStatus.Builder();

  SnapshotBuilder sampling(int n) {
    sampling = n;
    return this;
  }

  SnapshotBuilder overflowed(long n) {
    overflowed = n;
    return this;
  }

  SnapshotBuilder suppressedErrors(long n) {
    status.suppressedErrors(n);
    return this;
  }

  /** For what has no method here. */
  TrackerStatus.Builder status() {
    return status;
  }

  PathBuilder direct(String... hops) {
    return new PathBuilder(true, hops);
  }

  PathBuilder heap(String... hops) {
    return new PathBuilder(false, hops);
  }

  SnapshotBuilder misuse(
      Misuse.Kind kind, String place, long count, List<String> release, List<String> earlier) {
    misuses.add(new Misuse(kind, hop(place).site(), count, hops(release), hops(earlier)));
    return this;
  }

  /** Adds a misuse that was looked at. */
  SnapshotBuilder misuse(Misuse misuse) {
    misuses.add(misuse);
    return this;
  }

  private static List<Path.Hop> hops(List<String> notations) {
    return notations.stream().map(SnapshotBuilder::hop).toList();
  }

  Snapshot build() {
    long allocated = 0;
    for (Path path : paths) {
      allocated += path.flows();
    }
    return new Snapshot(
        TAKEN_AT,
        sampling,
        allocated,
        overflowed,
        status.build(),
        new CountedByHand(paths),
        misuses);
  }

  /** A service with a direct leak, a heap leak and live buffers. */
  static Snapshot service() {
    SnapshotBuilder b = new SnapshotBuilder();
    String root = "io.netty.buffer.PooledByteBufAllocator.directBuffer";
    String read = "com.example.app.Server.channelRead:31";
    String dispatch = "com.example.app.Server.dispatch:44";
    b.direct(
            root,
            read,
            dispatch,
            "com.example.app.Echo.reply:12",
            "io.netty.buffer.ByteBuf.release [0]")
        .released(9_990, 2_557_440)
        .add();
    b.direct(root, read, dispatch, "com.example.app.Errors.reject:88")
        .leaked(7, 1_792)
        .live(3, 768)
        .ages(61_000, 4_000)
        .seen(TAKEN_AT - 90_250, TAKEN_AT - 250)
        .add();
    b.heap("io.netty.buffer.Unpooled.wrappedBuffer", "com.example.app.Json$Codec.encode_return:9")
        .leaked(2, 64)
        .add();
    b.direct(root, read, "com.example.app.Cache.put:7")
        .live(100, 104_857_600)
        .ages(3_600_000, 1_800_000)
        .add();
    return b.build();
  }

  /** A service with a leak that holds others, and buffers that were dropped with nothing lost. */
  static Snapshot droppingService() {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct("io.netty.buffer.PooledByteBufAllocator.compositeDirectBuffer", "app.Api.refuse:48")
        .leaked(20, 8_192)
        .holding(40)
        .add();
    b.heap("io.netty.buffer.Unpooled.wrappedBuffer", "app.Codec.decode:9")
        .released(5, 80)
        .dropped(3_000, 48_000)
        .add();
    return b.build();
  }

  /** One path under construction; {@link #add} ends it. */
  final class PathBuilder {
    private final boolean direct;
    private final List<Path.Hop> hops = new ArrayList<>();
    private Path.Flows released = Path.Flows.NONE;
    private Path.Flows leaked = Path.Flows.NONE;
    private Path.Flows dropped = Path.Flows.NONE;
    private Path.Flows live = Path.Flows.NONE;
    private long held;
    private long oldest = Path.NO_AGE;
    private long median = Path.NO_AGE;
    private long firstSeen = Path.NEVER;
    private long lastSeen = Path.NEVER;
    private @Nullable ReleaseSamples samples;
    private @Nullable Evidence evidence;
    private long liveParts;
    private @Nullable Evidence liveEvidence;

    private PathBuilder(boolean direct, String... notations) {
      this.direct = direct;
      for (String notation : notations) {
        hops.add(hop(notation));
      }
    }

    PathBuilder released(long count, long bytes) {
      released = new Path.Flows(count, bytes);
      return this;
    }

    PathBuilder leaked(long count, long bytes) {
      leaked = new Path.Flows(count, bytes);
      return this;
    }

    PathBuilder holding(long more) {
      held = more;
      return this;
    }

    PathBuilder dropped(long count, long bytes) {
      dropped = new Path.Flows(count, bytes);
      return this;
    }

    PathBuilder live(long count, long bytes) {
      live = new Path.Flows(count, bytes);
      return this;
    }

    PathBuilder ages(long oldestMillis, long medianMillis) {
      oldest = oldestMillis;
      median = medianMillis;
      return this;
    }

    PathBuilder seen(long firstMillis, long lastMillis) {
      firstSeen = firstMillis;
      lastSeen = lastMillis;
      return this;
    }

    /** So many releases, each after less than 2^{@code lifetime} microseconds. */
    PathBuilder samples(int count, int lifetime) {
      long[] lifetimes = new long[ReleaseSamples.LIFETIMES];
      lifetimes[lifetime] = count;
      long[] sizes = new long[ReleaseSamples.SIZES];
      sizes[7] = count;
      samples = new ReleaseSamples(lifetimes, sizes, 40, 20);
      return this;
    }

    PathBuilder evidence(@Nullable Evidence of) {
      evidence = of;
      return this;
    }

    /** Sets how many live flows are parts of others, and what looks saw of the rest. */
    PathBuilder together(long parts, @Nullable Evidence seen) {
      liveParts = parts;
      liveEvidence = seen;
      return this;
    }

    SnapshotBuilder add() {
      paths.add(
          new Path(hops, direct, released, leaked, live, oldest, median, firstSeen, lastSeen)
              .with(dropped, held)
              .with(samples)
              .with(evidence)
              .withLive(liveParts, liveEvidence));
      return SnapshotBuilder.this;
    }
  }

  /** Reads {@code class.method[:line][ [refs]][ reads][ collects:a:1,b:2][ loop][ overflow]}. */
  static Path.Hop hop(String notation) {
    if (notation.equals("(in transit)")) {
      return new Path.Hop(new Site(notation, "", "", 0, ""), "1-2", false, false);
    }
    String[] words = notation.split(" ");
    int colon = words[0].indexOf(':');
    String qualified = colon < 0 ? words[0] : words[0].substring(0, colon);
    int line = colon < 0 ? 0 : Integer.parseInt(words[0].substring(colon + 1));
    int dot = qualified.lastIndexOf('.');
    String method = qualified.substring(dot + 1);
    boolean exit = method.endsWith("_return");
    Site site =
        new Site(
            qualified.substring(0, dot),
            exit ? method.substring(0, method.length() - "_return".length()) : method,
            "",
            line,
            exit ? "_return" : "");
    String refs = "1-2";
    for (String word : words) {
      if (word.startsWith("collects")) {
        site = site.ofCollector(releasing(word.substring("collects".length())));
      }
      if (word.startsWith("[")) {
        refs = word.substring(1, word.length() - 1);
      }
    }
    List<String> flags = List.of(words);
    return new Path.Hop(
        flags.contains("reads") ? site.ofReader() : site,
        refs,
        flags.contains("loop"),
        flags.contains("overflow"));
  }

  private static List<String> releasing(String notation) {
    return notation.isEmpty() ? List.of() : List.of(notation.substring(1).split(","));
  }
}
