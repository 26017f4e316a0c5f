package org.buftrail.agent.source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/**
 * What happened after an earlier snapshot: its ended flows taken off a later one.
 *
 * <p>Live flows are what they are, whenever they began. Keeps only what ended before, by path.
 * Immutable.
 */
public final class Since {
  private final Map<PathKey, Path> before = new HashMap<>();
  private final Map<MisuseKey, Long> misusesBefore = new HashMap<>();
  private final long ended;
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
    ended = base.released().count() + base.leaked().count() + base.held() + base.dropped().count();
    overflowed = base.overflowed();
    status = base.status();
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
    for (Path path : later.paths()) {
      Path rest = of(path);
      if (rest != null) {
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
        .of(later.process());
  }

  /** What was done to released buffers since then. */
  public List<Misuse> misuses(Snapshot later) {
    List<Misuse> after = new ArrayList<>();
    for (Misuse misuse : later.misuses()) {
      long count = misuse.count() - misusesBefore.getOrDefault(new MisuseKey(misuse), 0L);
      if (count > 0) {
        after.add(new Misuse(misuse.kind(), misuse.site(), count, misuse.hops(), misuse.earlier()));
      }
    }
    return after;
  }

  private @Nullable Path of(Path path) {
    Path base = before.isEmpty() ? null : before.get(new PathKey(path));
    if (base == null) {
      return path;
    }
    Path.Flows released = less(path.released(), base.released());
    Path.Flows leaked = less(path.leaked(), base.leaked());
    Path rest =
        new Path(
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
            .with(less(path.dropped(), base.dropped()), Math.max(0, path.held() - base.held()));
    return rest.flows() == 0 ? null : rest;
  }

  private static Path.Flows less(Path.Flows now, Path.Flows then) {
    long count = Math.max(0, now.count() - then.count());
    return count == 0
        ? Path.Flows.NONE
        : new Path.Flows(count, Math.max(0, now.bytes() - then.bytes()));
  }
}
