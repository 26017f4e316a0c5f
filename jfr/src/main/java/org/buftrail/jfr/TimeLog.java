package org.buftrail.jfr;

import java.util.Arrays;

/** The start and the values of single events, each with the row that it belongs to. */
final class TimeLog {
  private final int columns;
  private int[] rows = new int[256];
  private long[] ticks = new long[256];
  private long[] values;
  private int size;

  TimeLog(int columns) {
    this.columns = columns;
    this.values = new long[256 * columns];
  }

  /** Adds an event, whose values follow. */
  void add(int row, long start) {
    if (size == rows.length) {
      rows = Arrays.copyOf(rows, size * 2);
      ticks = Arrays.copyOf(ticks, size * 2);
      values = Arrays.copyOf(values, Math.multiplyExact(size * 2, columns));
    }
    rows[size] = row;
    ticks[size] = start;
    size++;
  }

  /** Sets a value of the event that was added last. */
  void value(int column, long value) {
    values[(size - 1) * columns + column] = value;
  }

  int size() {
    return size;
  }

  int row(int event) {
    return rows[event];
  }

  long ticks(int event) {
    return ticks[event];
  }

  long value(int event, int column) {
    return values[event * columns + column];
  }

  void clear() {
    size = 0;
  }
}
