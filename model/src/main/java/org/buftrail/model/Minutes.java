package org.buftrail.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened to buffers in the last 24 hours, by path, in intervals of a minute. The last one
 * ends at the moment of the snapshot. Immutable. Amounts are scaled for sampling; resources are no
 * memory and are left out.
 */
public final class Minutes {
  private final long beganMillis;
  private final long[] ends;
  private final Series total;
  private final List<Series> paths;

  /**
   * @param beganMillis when the first interval began, in milliseconds since the epoch
   * @param ends when each interval ended, ascending; each begins where the one before ended
   * @param total over all paths; without hops
   * @param paths those of which most was live or released
   */
  public Minutes(long beganMillis, long[] ends, Series total, List<Series> paths) {
    this.beganMillis = beganMillis;
    this.ends = ends.clone();
    this.total = total;
    this.paths = List.copyOf(paths);
  }

  /** How many intervals there are. */
  public int size() {
    return ends.length;
  }

  /** When an interval began, in milliseconds since the epoch. */
  public long begin(int interval) {
    return interval == 0 ? beganMillis : ends[interval - 1];
  }

  /** When an interval ended, in milliseconds since the epoch. */
  public long end(int interval) {
    return ends[interval];
  }

  /**
   * The interval in which most of a minute lies; -1 if it is before the first. Intervals end a
   * moment after full minutes, and the first and the last may be shorter.
   *
   * @param minute when it began, in milliseconds since the epoch
   */
  int intervalOf(long minute) {
    if (minute + Births.MINUTE_MILLIS <= beganMillis) {
      return -1;
    }
    long middle = minute + Births.MINUTE_MILLIS / 2;
    int interval = 0;
    while (interval < ends.length - 1 && ends[interval] <= middle) {
      interval++;
    }
    return interval;
  }

  /** All paths together, also those that are not among {@link #paths}. */
  public Series total() {
    return total;
  }

  /** The paths of which most was live or released; bounded. */
  public List<Series> paths() {
    return paths;
  }

  /** What happened on a path, interval by interval. Immutable. */
  public static final class Series {
    private final List<Path.Hop> hops;
    private final boolean direct;
    private final Path.Flows before;
    private final List<Change> changes;
    private final @Nullable Births births;

    /**
     * @param hops root first; empty for all paths together
     * @param direct whether the memory is outside the heap
     * @param before what was live when the first interval began
     * @param changes the intervals in which something changed, ascending
     * @param births how much of what is live now began in which minute, or null
     */
    public Series(
        List<Path.Hop> hops,
        boolean direct,
        Path.Flows before,
        List<Change> changes,
        @Nullable Births births) {
      this.hops = List.copyOf(hops);
      this.direct = direct;
      this.before = before;
      this.changes = List.copyOf(changes);
      this.births = births;
    }

    /** Where the buffers were, root first; empty for all paths together. */
    public List<Path.Hop> hops() {
      return hops;
    }

    /** Whether the memory is outside the heap. */
    public boolean isDirect() {
      return direct;
    }

    /** The flows that were live when the first interval began. */
    public Path.Flows before() {
      return before;
    }

    /** The intervals in which something changed, ascending. */
    public List<Change> changes() {
      return changes;
    }

    /** How much of what is live now began in which minute, or null where nothing is live. */
    public @Nullable Births births() {
      return births;
    }
  }

  /** What happened in one interval. Immutable. */
  public static final class Change {
    private final int interval;
    private final Path.Flows released;
    private final Path.Flows lost;
    private final Path.Flows live;

    /**
     * @param interval its number
     * @param released what was released in it
     * @param lost what leaked, was held by leaked ones, or was dropped; less than 0 where a leak
     *     turned out to belong to another path
     * @param live what was live at its end
     */
    public Change(int interval, Path.Flows released, Path.Flows lost, Path.Flows live) {
      this.interval = interval;
      this.released = released;
      this.lost = lost;
      this.live = live;
    }

    /** The number of the interval. */
    public int interval() {
      return interval;
    }

    /** The flows that were released in it. */
    public Path.Flows released() {
      return released;
    }

    /** What leaked, was held by leaked ones, or was dropped. */
    public Path.Flows lost() {
      return lost;
    }

    /** The flows that were live at its end. */
    public Path.Flows live() {
      return live;
    }
  }
}
