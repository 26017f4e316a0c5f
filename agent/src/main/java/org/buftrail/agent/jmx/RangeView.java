package org.buftrail.agent.jmx;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.MemoryRange;

/** What happened in a range of time, as JMX carries it. Immutable. */
public final class RangeView {
  private final MemoryRange range;

  RangeView(MemoryRange range) {
    this.range = range;
  }

  /** When the first minute began, in milliseconds since the epoch. */
  public long getFromMillis() {
    return range.fromMillis();
  }

  /** When the last one ended. */
  public long getToMillis() {
    return range.toMillis();
  }

  /** All paths together. */
  public Row getTotal() {
    return new Row(range.total());
  }

  /** The paths that grew or shrank most, at most 50. */
  public List<Row> getPaths() {
    List<Row> rows = new ArrayList<>();
    for (MemoryRange.Row row : MemoryViews.first(range.rows())) {
      rows.add(new Row(row));
    }
    return rows;
  }

  /** What happened on a path, or on all together. Immutable. */
  public static final class Row {
    private final MemoryRange.Row row;

    Row(MemoryRange.Row row) {
      this.row = row;
    }

    /** {@code class.method:line} of each hop, the allocator first; empty for all paths together. */
    public List<String> getHops() {
      return PathView.hops(row.hops());
    }

    /** Whether the memory is outside the heap. */
    public boolean isDirect() {
      return row.isDirect();
    }

    /** How many were allocated; less than 0 where more went on to other paths. */
    public long getAllocatedCount() {
      return row.allocated();
    }

    public long getAllocatedBytes() {
      return row.allocatedBytes();
    }

    /** How many were released. */
    public long getReleasedCount() {
      return row.released();
    }

    public long getReleasedBytes() {
      return row.releasedBytes();
    }

    /** How many leaked or were dropped. */
    public long getLostCount() {
      return row.lost();
    }

    public long getLostBytes() {
      return row.lostBytes();
    }

    /** By how many bytes it grew; less than 0 where it shrank. */
    public long getGrownBytes() {
      return row.grownBytes();
    }

    /** How many were allocated in the range and are live now. */
    public long getKeptCount() {
      return row.kept().count();
    }

    public long getKeptBytes() {
      return row.kept().bytes();
    }
  }
}
