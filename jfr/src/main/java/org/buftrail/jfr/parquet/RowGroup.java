package org.buftrail.jfr.parquet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows in memory, column by column: numbers as they are, each text once. What is not set in a row
 * is null. Belongs to one thread.
 */
public final class RowGroup {
  private final List<ParquetColumn> columns;
  private final @Nullable Values[] values;

  /** Where in the order this begins. */
  private final int first;

  /** The columns of which several rows share the values. */
  private final Set<Integer> shared;

  /** For each row, the place of the values that it shares. */
  private final Ints places;

  private int size;
  private int @Nullable [] order;

  /**
   * The values of a column: numbers, or places in a list of texts, or of maps, whose entries have
   * places of a key and of a text.
   */
  static final class Values {
    private static final int FIRST = 256;

    final Texts texts = new Texts();
    final Texts keys = new Texts();
    final Ints entryKeys = new Ints();
    final Ints entryTexts = new Ints();
    private final Ints endsOfMaps = new Ints();

    /** Equal maps are one object as a rule, and dear to compare. */
    private final IdentityHashMap<Map<String, String>, Integer> maps = new IdentityHashMap<>();

    private long[] numbers = new long[FIRST];
    private boolean[] present = new boolean[FIRST];

    /** What was placed last, which often comes again at once. */
    private @Nullable String lastText;

    private int lastPlace;

    boolean has(int row) {
      return row < present.length && present[row];
    }

    long number(int row) {
      return numbers[row];
    }

    /** The first entry of a row's map, by its place. */
    int firstEntry(int row) {
      return numbers[row] == 0 ? 0 : endsOfMaps.get((int) numbers[row] - 1);
    }

    int endOfEntries(int row) {
      return endsOfMaps.get((int) numbers[row]);
    }

    void set(int row, long number) {
      if (row >= numbers.length) {
        int room = Math.max(row + 1, numbers.length * 2);
        numbers = Arrays.copyOf(numbers, room);
        present = Arrays.copyOf(present, room);
      }
      numbers[row] = number;
      present[row] = true;
    }

    @SuppressWarnings("ReferenceEquality") // An equal one is looked up.
    private void set(int row, String text) {
      if (text != lastText) {
        lastPlace = texts.place(text);
        lastText = text;
      }
      set(row, lastPlace);
    }

    private void set(int row, Map<String, String> map) {
      Integer place = maps.get(map);
      if (place == null) {
        map.forEach((key, text) -> addEntry(keys.place(key), texts.place(text)));
        place = endMap();
        maps.put(map, place);
      }
      set(row, place);
    }

    /** Adds an entry to the map at hand. */
    void addEntry(int key, int text) {
      entryKeys.add(key);
      entryTexts.add(text);
    }

    /** How many bytes its texts and maps take, about. */
    long weight() {
      long ints = entryKeys.size() + (long) entryTexts.size() + endsOfMaps.size();
      return texts.weight() + keys.weight() + ints * Integer.BYTES;
    }

    /** Ends the map at hand; answers its place. */
    int endMap() {
      endsOfMaps.add(entryKeys.size());
      return endsOfMaps.size() - 1;
    }
  }

  /** An empty group of rows with these columns. */
  public RowGroup(List<ParquetColumn> columns) {
    this(columns, Set.of());
  }

  /**
   * An empty group of rows.
   *
   * @param shared columns that have values by places, which rows {@link #share}
   */
  public RowGroup(List<ParquetColumn> columns, Set<Integer> shared) {
    this.columns = List.copyOf(columns);
    this.shared = Set.copyOf(shared);
    places = new Ints();
    values = new @Nullable Values[columns.size()];
    first = 0;
  }

  /** Some of the rows of another, in its order. */
  private RowGroup(RowGroup all, int first, int end) {
    columns = all.columns;
    values = all.values;
    shared = all.shared;
    places = all.places;
    order = all.order;
    this.first = first;
    size = end - first;
  }

  /** Number of rows that are ended. */
  public int size() {
    return size;
  }

  /** How many bytes the texts and maps of all rows take, about. */
  public long weight() {
    long weight = 0;
    for (Values column : values) {
      weight += column == null ? 0 : column.weight();
    }
    return weight;
  }

  /** Sets a number of the row at hand. */
  public void number(int column, long number) {
    values(column).set(size, number);
  }

  /** Sets a text of the row at hand; null leaves it unset. */
  public void text(int column, @Nullable String text) {
    if (text != null) {
      values(column).set(size, text);
    }
  }

  /** Sets a map of the row at hand, which is not changed any more. */
  public void texts(int column, Map<String, String> map) {
    values(column).set(size, map);
  }

  /** Has the row at hand the values at a place, in the columns of which rows share them. */
  public void share(int place) {
    places.add(place);
  }

  /** Sets a text at a place that rows share. */
  public void sharedText(int column, int place, String text) {
    values(column).set(place, text);
  }

  /** Sets a number at a place that rows share. */
  public void sharedNumber(int column, int place, long number) {
    values(column).set(place, number);
  }

  /** Ends the row at hand. */
  public void endRow() {
    size++;
  }

  /** Ends as many rows, whose values were set by their numbers. */
  void endRows(int count) {
    size += count;
  }

  /** Orders the rows by a column of texts, then by one of numbers; no row has null there. */
  public void sort(int text, int number) {
    int[] ranks = ranks(values(text).texts.all());
    Values texts = values(text);
    Values numbers = values(number);
    Integer[] rows = new Integer[size];
    Arrays.setAll(rows, row -> row);
    Arrays.sort(
        rows,
        (a, b) -> {
          int order = Integer.compare(ranks[(int) texts.number(a)], ranks[(int) texts.number(b)]);
          return order != 0 ? order : Long.compare(numbers.number(a), numbers.number(b));
        });
    order = Arrays.stream(rows).mapToInt(Integer::intValue).toArray();
  }

  /**
   * Parts of these rows, in their order: a new one begins with another text or number of a column,
   * where no row has null, once the last one has rows enough.
   */
  public List<RowGroup> parts(int column, int least) {
    Values known = values(column);
    List<RowGroup> parts = new ArrayList<>();
    int begin = 0;
    for (int i = 1; i < size; i++) {
      if (i - begin >= least && known.number(row(i)) != known.number(row(i - 1))) {
        parts.add(new RowGroup(this, begin, i));
        begin = i;
      }
    }
    parts.add(new RowGroup(this, begin, size));
    return parts;
  }

  /** The place of each text in their order. */
  private static int[] ranks(List<String> texts) {
    List<String> sorted = new ArrayList<>(texts);
    Collections.sort(sorted);
    Map<String, Integer> places = new HashMap<>();
    sorted.forEach(text -> places.put(text, places.size()));
    return texts.stream().mapToInt(places::get).toArray();
  }

  /** The row at a place of the order. */
  int row(int place) {
    int[] sorted = order;
    return sorted == null ? first + place : sorted[first + place];
  }

  /** The place of a column's value in a row. */
  int place(boolean isShared, int row) {
    return isShared ? places.get(row) : row;
  }

  boolean isShared(int column) {
    return shared.contains(column);
  }

  List<ParquetColumn> columns() {
    return columns;
  }

  /** The values of a column; null if no row has one. */
  @Nullable Values valuesOf(int column) {
    return values[column];
  }

  /** The values of a column, to which some are added. */
  Values values(int column) {
    Values known = values[column];
    if (known == null) {
      known = new Values();
      values[column] = known;
    }
    return known;
  }
}
