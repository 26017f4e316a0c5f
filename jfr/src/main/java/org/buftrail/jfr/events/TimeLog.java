package org.buftrail.jfr.events;

import java.util.Arrays;

/** The start, the place and the values of single events, each with the row that it belongs to. */
public final class TimeLog {
  private final int columns;
  private int[] rows = new int[256];
  private long[] ticks = new long[256];
  private long[] places = new long[256];
  private long[] values;
  private int size;

  public TimeLog(int columns) {
    this.columns = columns;
    this.values = new long[256 * columns];
  }

  /**
   * Adds an event, whose values follow.
   *
   * @param place where in the file it ends, which tells it from all others there
   */
  public void add(int row, long start, long place) {
    if (size == rows.length) {
      rows = Arrays.copyOf(rows, size * 2);
      ticks = Arrays.copyOf(ticks, size * 2);
      places = Arrays.copyOf(places, size * 2);
      values = Arrays.copyOf(values, Math.multiplyExact(size * 2, columns));
    }
    rows[size] = row;
    ticks[size] = start;
    places[size] = place;
    size++;
  }

  /** Sets a value of the event that was added last. */
  public void value(int column, long value) {
    values[(size - 1) * columns + column] = value;
  }

  public int size() {
    return size;
  }

  public int row(int event) {
    return rows[event];
  }

  public long ticks(int event) {
    return ticks[event];
  }

  /** Where in the file the event ends. */
  public long place(int event) {
    return places[event];
  }

  public long value(int event, int column) {
    return values[event * columns + column];
  }

  public void clear() {
    size = 0;
  }
}
