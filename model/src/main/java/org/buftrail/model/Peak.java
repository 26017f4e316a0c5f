package org.buftrail.model;

import java.util.List;

/**
 * The buffers that were live at the highest moment since the start, by path. Immutable. Amounts are
 * scaled for sampling. Resources are no memory and are left out.
 */
public final class Peak {
  private final long atMillis;
  private final Path.Flows flows;
  private final List<Row> rows;

  /**
   * @param atMillis when it was, in milliseconds since the epoch
   * @param flows all that was live then
   * @param rows the paths with most of it, most bytes first
   */
  public Peak(long atMillis, Path.Flows flows, List<Row> rows) {
    this.atMillis = atMillis;
    this.flows = flows;
    this.rows = List.copyOf(rows);
  }

  /** When it was, in milliseconds since the epoch. */
  public long atMillis() {
    return atMillis;
  }

  /** All that was live then. */
  public Path.Flows flows() {
    return flows;
  }

  /** The paths with most of it, most bytes first; bounded. */
  public List<Row> rows() {
    return rows;
  }

  /** The flows that were live on paths other than the {@link #rows}. */
  public Path.Flows rest() {
    long count = flows.count();
    long bytes = flows.bytes();
    for (Row row : rows) {
      count -= row.flows.count();
      bytes -= row.flows.bytes();
    }
    return new Path.Flows(Math.max(0, count), Math.max(0, bytes));
  }

  /** The flows that were live on one path. */
  public static final class Row {
    private final List<Path.Hop> hops;
    private final boolean direct;
    private final Path.Flows flows;

    /**
     * @param hops root first, never empty
     * @param direct whether the memory is outside the heap
     * @param flows how many, and their capacities
     */
    public Row(List<Path.Hop> hops, boolean direct, Path.Flows flows) {
      this.hops = List.copyOf(hops);
      this.direct = direct;
      this.flows = flows;
    }

    /** The path, with what was live there as what is. */
    public Path path() {
      return new Path(
          hops, direct, Path.Flows.NONE, Path.Flows.NONE, flows, Path.NO_AGE, Path.NO_AGE);
    }

    /** Where the buffers were, root first. */
    public List<Path.Hop> hops() {
      return hops;
    }

    /** Whether the memory is outside the heap. */
    public boolean isDirect() {
      return direct;
    }

    /** How many, and their capacities. */
    public Path.Flows flows() {
      return flows;
    }
  }
}
