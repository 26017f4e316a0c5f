package org.buftrail.agent.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.model.LeakPaths;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;

/** Finds what leaked between two looks, by the paths of {@link LeakPaths}. Used by one thread. */
public final class LeakFinder {
  private final Map<Object, Path.Flows> known = new HashMap<>();
  private boolean started;

  /** Leaks on one path since the look before. Immutable. */
  public static final class Growth {
    private final Path path;
    private final long count;
    private final long bytes;
    private final boolean first;

    Growth(Path path, long count, long bytes, boolean first) {
      this.path = path;
      this.count = count;
      this.bytes = bytes;
      this.first = first;
    }

    /** Where, with all that is known now. */
    public Path path() {
      return path;
    }

    /** Buffers leaked since the look before. */
    public long count() {
      return count;
    }

    public long bytes() {
      return bytes;
    }

    /** Whether none was seen to leak there before. */
    public boolean isNew() {
      return first;
    }
  }

  /**
   * What leaked since the look before; the first look only learns what had leaked already.
   *
   * @param now everything since the start
   */
  public List<Growth> look(Snapshot now) {
    List<Growth> grown = new ArrayList<>();
    for (Path path : LeakPaths.of(now.paths())) {
      Object key = LeakPaths.key(path);
      Path.Flows before = known.get(key);
      long count = path.leaked().count() - (before == null ? 0 : before.count());
      // A count falls when a leak turns out to be held by another: what was reported stays
      // reported.
      if (count > 0) {
        known.put(key, path.leaked());
        long bytes = path.leaked().bytes() - (before == null ? 0 : before.bytes());
        if (started) {
          grown.add(new Growth(path, count, Math.max(0, bytes), before == null));
        }
      }
    }
    started = true;
    return grown;
  }
}
