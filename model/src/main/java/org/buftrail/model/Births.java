package org.buftrail.model;

/**
 * How much of what is live on a path began in which minute. A life's beginning is known to half a
 * second. Immutable.
 */
public final class Births {
  /** The length of a minute in milliseconds. */
  public static final long MINUTE_MILLIS = 60_000;

  private static final int COLUMNS = 3;

  /** By minute, the earliest first: when it began in milliseconds since the epoch, flows, bytes. */
  private final long[] rows;

  /**
   * @param rows three numbers for each minute, the earliest first: when it began in milliseconds
   *     since the epoch, how many flows, their bytes
   */
  public Births(long[] rows) {
    this.rows = rows.clone();
  }

  /** How many minutes there are in which something began. */
  public int size() {
    return rows.length / COLUMNS;
  }

  /** When a minute began, in milliseconds since the epoch. */
  public long minute(int index) {
    return rows[index * COLUMNS];
  }

  /** What began in a minute and is live. */
  public Path.Flows flows(int index) {
    return new Path.Flows(rows[index * COLUMNS + 1], rows[index * COLUMNS + 2]);
  }
}
