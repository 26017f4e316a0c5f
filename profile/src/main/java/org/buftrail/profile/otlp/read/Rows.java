package org.buftrail.profile.otlp.read;

/** Where each row of a list of rows ends in the list of all elements. */
public final class Rows {
  private final IntList ends = new IntList();

  /** Number of rows. */
  public int size() {
    return ends.size();
  }

  /** Ends a row at the size that the list of elements has now. */
  public void end(int elements) {
    ends.add(elements);
  }

  public int from(int row) {
    return row == 0 ? 0 : ends.get(row - 1);
  }

  public int to(int row) {
    return ends.get(row);
  }

  public int length(int row) {
    return to(row) - from(row);
  }
}
