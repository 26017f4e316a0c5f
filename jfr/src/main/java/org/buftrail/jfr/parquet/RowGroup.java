package org.buftrail.jfr.parquet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows in memory, column by column: numbers as they are, each text once. What is not set in a row
 * is null. Belongs to one thread.
 */
public final class RowGroup {
  private final List<ParquetColumn> columns;
  private final @Nullable Values[] values;
  private int size;
  private int @Nullable [] order;

  /** The values of a column: numbers, or places in a list of texts or maps from 1 on. */
  static final class Values {
    private static final int FIRST = 256;

    final List<String> texts = new ArrayList<>();
    final List<Map<String, String>> maps = new ArrayList<>();
    private final Map<Object, Integer> known;
    private long[] numbers = new long[FIRST];
    private boolean[] present = new boolean[FIRST];

    /** What was placed last, which often comes again at once. */
    private @Nullable Object last;

    private int lastPlace;

    Values(ParquetColumn.Type type) {
      // Equal maps are one object as a rule, and dear to compare.
      known = type == ParquetColumn.Type.TEXTS ? new IdentityHashMap<>() : new HashMap<>();
    }

    boolean has(int row) {
      return row < present.length && present[row];
    }

    long number(int row) {
      return numbers[row];
    }

    private void set(int row, long number) {
      if (row >= numbers.length) {
        int room = Math.max(row + 1, numbers.length * 2);
        numbers = Arrays.copyOf(numbers, room);
        present = Arrays.copyOf(present, room);
      }
      numbers[row] = number;
      present[row] = true;
    }

    @SuppressWarnings("ReferenceEquality") // An equal one is looked up.
    private <T> int place(T value, List<T> all) {
      if (value == last) {
        return lastPlace;
      }
      Integer place = known.get(value);
      if (place == null) {
        place = all.size();
        all.add(value);
        known.put(value, place);
      }
      last = value;
      lastPlace = place;
      return place;
    }
  }

  /** An empty group of rows with these columns. */
  public RowGroup(List<ParquetColumn> columns) {
    this.columns = List.copyOf(columns);
    values = new @Nullable Values[columns.size()];
  }

  /** Number of rows that are ended. */
  public int size() {
    return size;
  }

  /** Sets a number of the row at hand. */
  public void number(int column, long number) {
    values(column).set(size, number);
  }

  /** Sets a text of the row at hand; null leaves it unset. */
  public void text(int column, @Nullable String text) {
    if (text != null) {
      Values all = values(column);
      all.set(size, all.place(text, all.texts));
    }
  }

  /** Sets a map of the row at hand, which is not changed any more. */
  public void texts(int column, Map<String, String> map) {
    Values all = values(column);
    all.set(size, all.place(map, all.maps));
  }

  /** Ends the row at hand. */
  public void endRow() {
    size++;
  }

  /** Orders the rows by a column of texts, then by one of numbers; no row has null there. */
  public void sort(int text, int number) {
    Values texts = values(text);
    Values numbers = values(number);
    Integer[] rows = new Integer[size];
    Arrays.setAll(rows, row -> row);
    Arrays.sort(
        rows,
        Comparator.<Integer, String>comparing(row -> texts.texts.get((int) texts.number(row)))
            .thenComparingLong(numbers::number));
    order = Arrays.stream(rows).mapToInt(Integer::intValue).toArray();
  }

  /** The row at a place of the order. */
  int row(int place) {
    int[] sorted = order;
    return sorted == null ? place : sorted[place];
  }

  List<ParquetColumn> columns() {
    return columns;
  }

  /** The values of a column; null if no row has one. */
  @Nullable Values valuesOf(int column) {
    return values[column];
  }

  private Values values(int column) {
    Values known = values[column];
    if (known == null) {
      known = new Values(columns.get(column).type());
      values[column] = known;
    }
    return known;
  }
}
