package org.buftrail.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What was allocated and released in a range of time, and by how much it grew, by path. Immutable.
 *
 * <p>A buffer that was live when the range began and went on to another path counts where it went:
 * there it is allocated, and the path that it left has as much less. The sum over all paths is
 * exact.
 */
public final class MemoryRange {
  private final long fromMillis;
  private final long toMillis;
  private final Row total;
  private final List<Row> rows;

  private MemoryRange(long fromMillis, long toMillis, Row total, List<Row> rows) {
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
    this.total = total;
    this.rows = List.copyOf(rows);
  }

  /**
   * The range that comes nearest to the one that is asked for: of whole intervals, at least one.
   *
   * @param minutes with at least one interval
   * @param fromMillis in milliseconds since the epoch
   * @param toMillis in milliseconds since the epoch
   */
  public static MemoryRange of(Minutes minutes, long fromMillis, long toMillis) {
    int first = 0;
    int last = minutes.size() - 1;
    while (first < last && middle(minutes, first) < fromMillis) {
      first++;
    }
    while (last > first && middle(minutes, last) >= toMillis) {
      last--;
    }
    List<Row> rows = new ArrayList<>();
    for (Minutes.Series path : minutes.paths()) {
      Row row = new Row(minutes, path, first, last);
      if (!row.isEmpty()) {
        rows.add(row);
      }
    }
    rows.sort(new MostGrownFirst());
    Row total = new Row(minutes, minutes.total(), first, last);
    return new MemoryRange(minutes.begin(first), minutes.end(last), total, rows);
  }

  private static final class MostGrownFirst implements Comparator<Row> {
    @Override
    public int compare(Row one, Row other) {
      int grown = Long.compare(Math.abs(other.grownBytes()), Math.abs(one.grownBytes()));
      return grown != 0 ? grown : Long.compare(other.allocatedBytes(), one.allocatedBytes());
    }
  }

  private static long middle(Minutes minutes, int interval) {
    return minutes.begin(interval) / 2 + minutes.end(interval) / 2;
  }

  /** When the first interval began, in milliseconds since the epoch. */
  public long fromMillis() {
    return fromMillis;
  }

  /** When the last interval ended, in milliseconds since the epoch. */
  public long toMillis() {
    return toMillis;
  }

  /** All paths together, also those that are not among the {@link #rows}. */
  public Row total() {
    return total;
  }

  /** The paths on which something happened, the one that grew or shrank most first. */
  public List<Row> rows() {
    return rows;
  }

  /** What happened on a path. */
  public static final class Row {
    private final Minutes.Series path;
    private long released;
    private long releasedBytes;
    private long lost;
    private long lostBytes;
    private Path.Flows before;
    private Path.Flows after;
    private long kept;
    private long keptBytes;

    private Row(Minutes minutes, Minutes.Series path, int first, int last) {
      this.path = path;
      before = path.before();
      after = path.before();
      for (Minutes.Change change : path.changes()) {
        if (change.interval() < first) {
          before = change.live();
        }
        if (change.interval() <= last) {
          after = change.live();
        }
        if (change.interval() >= first && change.interval() <= last) {
          released += change.released().count();
          releasedBytes += change.released().bytes();
          lost += change.lost().count();
          lostBytes += change.lost().bytes();
        }
      }
      addKept(minutes, first, last);
    }

    private void addKept(Minutes minutes, int first, int last) {
      Births births = path.births();
      for (int i = 0; births != null && i < births.size(); i++) {
        int interval = minutes.intervalOf(births.minute(i));
        if (interval >= first && interval <= last) {
          kept += births.flows(i).count();
          keptBytes += births.flows(i).bytes();
        }
      }
    }

    private boolean isEmpty() {
      return released == 0
          && lost == 0
          && lostBytes == 0
          && kept == 0
          && before.count() == after.count()
          && before.bytes() == after.bytes();
    }

    /** Where the buffers were, root first; empty for all paths together. */
    public List<Path.Hop> hops() {
      return path.hops();
    }

    /** Whether the memory is outside the heap. */
    public boolean isDirect() {
      return path.isDirect();
    }

    /** How many were allocated; less than 0 where more went on to other paths. */
    public long allocated() {
      return released + lost + after.count() - before.count();
    }

    /** Their bytes; less than 0 where more went on to other paths. */
    public long allocatedBytes() {
      return releasedBytes + lostBytes + grownBytes();
    }

    /** How many were released. */
    public long released() {
      return released;
    }

    public long releasedBytes() {
      return releasedBytes;
    }

    /** How many leaked, were held by leaked ones, or were dropped. */
    public long lost() {
      return lost;
    }

    public long lostBytes() {
      return lostBytes;
    }

    /** The flows that were live when the range began. */
    public Path.Flows before() {
      return before;
    }

    /** The flows that were live when it ended. */
    public Path.Flows after() {
      return after;
    }

    /** By how many bytes it grew; less than 0 where it shrank. */
    public long grownBytes() {
      return after.bytes() - before.bytes();
    }

    /** The flows that were allocated in the range and are live at the moment of the snapshot. */
    public Path.Flows kept() {
      return new Path.Flows(kept, keptBytes);
    }
  }
}
