package org.buftrail.profile.otlp;

/** Where each row of a list of rows ends in the list of all elements. */
final class Rows {
  private final IntList ends = new IntList();

  /** Number of rows. */
  int size() {
    return ends.size();
  }

  /** Ends a row at the size that the list of elements has now. */
  void end(int elements) {
    ends.add(elements);
  }

  int from(int row) {
    return row == 0 ? 0 : ends.get(row - 1);
  }

  int to(int row) {
    return ends.get(row);
  }

  int length(int row) {
    return to(row) - from(row);
  }
}
