package org.buftrail.agent.source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.model.Misuse;
import org.buftrail.model.MisuseKey;
import org.buftrail.model.Path;
import org.buftrail.model.PathKey;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;

/**
 * What happened after an earlier snapshot: its ended flows taken off a later one.
 *
 * <p>Live flows are what they are, whenever they began. Keeps only what ended before, by path.
 * Immutable.
 */
public final class Since {
  private final Map<PathKey, Path> before = new HashMap<>();
  private final Map<MisuseKey, Long> misusesBefore = new HashMap<>();
  private final long overflowed;
  private final TrackerStatus status;

  /** Counts from a snapshot on. */
  public Since(Snapshot base) {
    for (Path path : base.paths()) {
      if (path.flows() > path.live().count()) {
        before.put(new PathKey(path), path);
      }
    }
    for (Misuse misuse : base.misuses()) {
      misusesBefore.merge(new MisuseKey(misuse), misuse.count(), Long::sum);
    }
    overflowed = base.overflowed();
    status = base.status();
  }

  /**
   * Counts from a snapshot on, without what was reported before it. A count may fall for a while,
   * as that of a leak which turns out to be held by another.
   *
   * @param told reported up to that snapshot
   */
  public Since(Snapshot base, Since told) {
    this(base);
    for (Map.Entry<PathKey, Path> each : told.before.entrySet()) {
      Path path = before.get(each.getKey());
      before.put(each.getKey(), path == null ? each.getValue() : highest(path, each.getValue()));
    }
  }

  private static Path highest(Path one, Path other) {
    if (isAtLeast(one.released(), other.released())
        && isAtLeast(one.leaked(), other.leaked())
        && isAtLeast(one.dropped(), other.dropped())
        && one.held() >= other.held()) {
      return one;
    }
    Path.Flows none = Path.Flows.NONE;
    return new Path(
            one.hops(),
            one.isDirect(),
            highest(one.released(), other.released()),
            highest(one.leaked(), other.leaked()),
            none,
            Path.NO_AGE,
            Path.NO_AGE)
        .with(highest(one.dropped(), other.dropped()), Math.max(one.held(), other.held()));
  }

  private static boolean isAtLeast(Path.Flows one, Path.Flows other) {
    return one.count() >= other.count() && one.bytes() >= other.bytes();
  }

  private static Path.Flows highest(Path.Flows one, Path.Flows other) {
    return new Path.Flows(
        Math.max(one.count(), other.count()), Math.max(one.bytes(), other.bytes()));
  }

  /** Counts misuses alone from a snapshot on. */
  public static Since misusesOf(Snapshot base) {
    return new Since(
        new Snapshot(
            base.takenAtMillis(),
            base.sampling(),
            0,
            0,
            TrackerStatus.FINE,
            List.of(),
            base.misuses()));
  }

  /** A later snapshot without what had ended already. */
  public Snapshot of(Snapshot later) {
    List<Path> paths = new ArrayList<>();
    long ended = 0;
    for (Path path : later.paths()) {
      Path rest = of(path);
      ended += path.flows() - rest.flows();
      if (rest.flows() > 0 || rest.leaked().bytes() > 0) {
        paths.add(rest);
      }
    }
    return new Snapshot(
            later.takenAtMillis(),
            later.sampling(),
            Math.max(0, later.allocated() - ended),
            Math.max(0, later.overflowed() - overflowed),
            later.status().since(status),
            paths,
            misuses(later))
        .of(later.process())
        .withHopRules(later.hopRules())
        .with(later.pools())
        .with(later.peak());
  }

  /** The misuses of released buffers since then. */
  public List<Misuse> misuses(Snapshot later) {
    List<Misuse> after = new ArrayList<>();
    for (Misuse misuse : later.misuses()) {
      long count = misuse.count() - misusesBefore.getOrDefault(new MisuseKey(misuse), 0L);
      if (count > 0) {
        after.add(misuse.times(count));
      }
    }
    return after;
  }

  private Path of(Path path) {
    Path base = before.isEmpty() ? null : before.get(new PathKey(path));
    if (base == null) {
      return path;
    }
    Path.Flows released = less(path.released(), base.released());
    Path.Flows leaked = less(path.leaked(), base.leaked());
    return new Path(
            path.hops(),
            path.isDirect(),
            released,
            leaked,
            path.live(),
            path.oldestMillis(),
            path.medianMillis(),
            // The first since the base is not known; that the path had leaked before is.
            leaked.count() == 0 ? Path.NEVER : path.firstSeenMillis(),
            leaked.count() == 0 ? Path.NEVER : path.lastSeenMillis())
        .with(less(path.dropped(), base.dropped()), Math.max(0, path.held() - base.held()))
        .with(path.samples())
        .withLive(path.liveParts(), path.liveEvidence());
  }

  private static Path.Flows less(Path.Flows now, Path.Flows then) {
    long count = Math.max(0, now.count() - then.count());
    // Bytes alone grow where a leak is found to hold more.
    long bytes = Math.max(0, now.bytes() - then.bytes());
    return count == 0 && bytes == 0 ? Path.Flows.NONE : new Path.Flows(count, bytes);
  }
}
