package org.buftrail.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackedProcess;
import org.buftrail.model.TrackerStatus;

/** Snapshots of any shape made from a seed, with names of any characters. */
final class RandomSnapshots {
  private static final long LATEST = 4_102_444_800_000L;

  private final Random random;

  private RandomSnapshots(long seed) {
    random = new Random(seed);
  }

  static Snapshot of(long seed) {
    return new RandomSnapshots(seed).snapshot();
  }

  private Snapshot snapshot() {
    List<Path> paths = new ArrayList<>();
    for (int i = random.nextInt(7); i > 0; i--) {
      paths.add(path());
    }
    return new Snapshot(
            between(1, LATEST),
            (int) between(1, Integer.MAX_VALUE),
            (int) between(0, 1 << 20),
            (int) between(0, 1 << 20),
            new TrackerStatus.Builder().suppressedErrors(between(0, 1 << 20)).build(),
            paths,
            List.of())
        .of(random.nextInt(3) == 0 ? null : process());
  }

  private TrackedProcess process() {
    String[] texts = {"", "orders", "a\"b\n…", "sample=8;otlp=on"};
    TrackedProcess process =
        new TrackedProcess(
            texts[random.nextInt(4)],
            between(0, Long.MAX_VALUE - 2),
            texts[random.nextInt(4)],
            random.nextBoolean() ? Path.NEVER : between(0, LATEST),
            texts[random.nextInt(4)],
            texts[random.nextInt(4)]);
    return process.withVersion(texts[random.nextInt(4)]);
  }

  /** A number of a range, whose ends and small ones are as likely as any. */
  private long between(long from, long to) {
    return switch (random.nextInt(5)) {
      case 0 -> from;
      case 1 -> to;
      case 2 -> from + random.nextInt(3);
      default -> from + (long) (random.nextDouble() * (to - from));
    };
  }

  private Path.Flows flows() {
    return new Path.Flows(between(0, 1L << 40), between(0, 1L << 50));
  }

  private Path path() {
    List<Path.Hop> hops = new ArrayList<>();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      hops.add(hop());
    }
    Path path =
        new Path(
            hops,
            random.nextBoolean(),
            flows(),
            flows(),
            flows(),
            between(Path.NO_AGE, 1L << 40),
            between(Path.NO_AGE, 1L << 40),
            between(Path.NEVER, LATEST),
            between(Path.NEVER, LATEST));
    return path.with(flows(), flows().count());
  }

  private Path.Hop hop() {
    String suffix = random.nextBoolean() ? "" : "_return";
    return new Path.Hop(
        new Site(name(), name(), "(I)V", (int) between(0, 70_000), suffix),
        List.of("0", "1-2", "3-5", "6+").get(random.nextInt(4)),
        random.nextBoolean(),
        random.nextBoolean());
  }

  private String name() {
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(9); i > 0; i--) {
      name.append((char) (random.nextInt(0x1_0000) >> random.nextInt(14)));
    }
    return name.toString();
  }
}
