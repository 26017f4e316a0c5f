package org.buftrail.flow.census;

import java.util.Arrays;
import org.buftrail.model.Births;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Births} of those rows that have any, in three arrays. First rows are added in
 * ascending order, each with its minutes, then they are asked for.
 */
final class BirthRows {
  private static final int COLUMNS = 3;

  private int[] rows = {};

  /** The end of each row's numbers in {@link #numbers}. */
  private int[] ends = {};

  private int size;
  private long[] numbers = {};
  private int used;

  void begin(int row) {
    if (size == rows.length) {
      int more = Math.max(4, size + (size >> 1));
      rows = Arrays.copyOf(rows, more);
      ends = Arrays.copyOf(ends, more);
    }
    rows[size] = row;
    ends[size++] = used;
  }

  /** Adds to the last row, for whose minutes those of before come before. */
  void add(long minute, long count, long bytes) {
    int begin = size == 1 ? 0 : ends[size - 2];
    if (used == begin || numbers[used - COLUMNS] != minute) {
      if (used + COLUMNS > numbers.length) {
        numbers = Arrays.copyOf(numbers, Math.max(4 * COLUMNS, used + (used >> 1)));
      }
      numbers[used] = minute;
      used += COLUMNS;
      ends[size - 1] = used;
    }
    numbers[used - 2] += count;
    numbers[used - 1] += bytes;
  }

  /** Returns the births of a row; null if it was not added. */
  @Nullable Births of(int row) {
    int at = Arrays.binarySearch(rows, 0, size, row);
    if (at < 0) {
      return null;
    }
    return new Births(Arrays.copyOfRange(numbers, at == 0 ? 0 : ends[at - 1], ends[at]));
  }
}
