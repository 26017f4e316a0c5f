package org.buftrail.jfr.parquet;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the columns of a row group, and adds their rows to others in memory. */
final class ColumnReader {
  /** Places of a dictionary whose text has none yet. */
  private static final int NONE = -1;

  private final int rows;
  private final boolean @Nullable [] kept;
  private final RowGroup to;

  /**
   * @param kept which rows are added; null for all
   */
  ColumnReader(int rows, boolean @Nullable [] kept, RowGroup to) {
    this.rows = rows;
    this.kept = kept;
    this.to = to;
  }

  private boolean isKept(int row) {
    return kept == null || kept[row];
  }

  void texts(int column, ColumnPages pages) throws DamagedParquetException {
    int[] levels = levels(pages, 1);
    int[] indices = indices(pages, sum(levels));
    if (indices.length == 0) {
      return;
    }
    Dictionary dictionary = new Dictionary(pages);
    RowGroup.Values values = to.values(column);
    int at = 0;
    int target = to.size();
    for (int row = 0; row < rows; row++) {
      int index = levels[row] == 0 ? NONE : indices[at++];
      if (isKept(row)) {
        if (index != NONE) {
          values.set(target, dictionary.place(index, values.texts));
        }
        target++;
      }
    }
  }

  void numbers(int column, ColumnPages pages, int type) throws DamagedParquetException {
    int[] levels = levels(pages, 1);
    long[] numbers = numbers(pages, type, sum(levels));
    if (numbers.length == 0) {
      return;
    }
    RowGroup.Values values = to.values(column);
    int at = 0;
    int target = to.size();
    for (int row = 0; row < rows; row++) {
      boolean isPresent = levels[row] != 0;
      if (isKept(row)) {
        if (isPresent) {
          values.set(target, numbers[at]);
        }
        target++;
      }
      at += levels[row];
    }
  }

  /** All numbers of a column; 0 for null. */
  static long[] all(ColumnPages pages, int type, int rows) throws DamagedParquetException {
    ColumnReader reader = new ColumnReader(rows, null, new RowGroup(List.of()));
    int[] levels = reader.levels(pages, 1);
    long[] numbers = numbers(pages, type, sum(levels));
    long[] all = new long[rows];
    int at = 0;
    for (int row = 0; row < rows; row++) {
      all[row] = levels[row] == 0 ? 0 : numbers[at++];
    }
    return all;
  }

  void maps(int column, ColumnPages keys, ColumnPages texts) throws DamagedParquetException {
    int[] repetitions = levels(keys, keys.count(), 1);
    int[] definitions = levels(keys, keys.count(), 2);
    int[] others = levels(texts, texts.count(), 1);
    int[] ofTexts = levels(texts, texts.count(), 3);
    int entries = 0;
    boolean isSound = Arrays.equals(repetitions, others);
    for (int i = 0; isSound && i < definitions.length; i++) {
      entries += definitions[i] == 2 ? 1 : 0;
      isSound = ofTexts[i] == (definitions[i] == 2 ? 3 : definitions[i]);
    }
    if (!isSound) {
      throw new DamagedParquetException("a map has keys without values");
    }
    if (definitions.length == 0 && rows > 0) {
      throw new DamagedParquetException("it has other rows than it should have");
    }
    checkNulls(keys, entries);
    checkNulls(texts, entries);
    int[] keyIndices = indices(keys, entries);
    int[] textIndices = indices(texts, entries);
    if (definitions.length > 0) {
      addMaps(column, repetitions, definitions, new Entries(keys, keyIndices, texts, textIndices));
    }
  }

  /** The entries of the maps of a column, one after the other. */
  private static final class Entries {
    private final Dictionary keys;
    private final int[] keyIndices;
    private final Dictionary texts;
    private final int[] textIndices;
    private int at;

    Entries(ColumnPages keys, int[] keyIndices, ColumnPages texts, int[] textIndices)
        throws DamagedParquetException {
      this.keys = new Dictionary(keys);
      this.keyIndices = keyIndices;
      this.texts = new Dictionary(texts);
      this.textIndices = textIndices;
    }

    void next(boolean isKept, RowGroup.Values values) {
      if (isKept) {
        values.addEntry(
            keys.place(keyIndices[at], values.keys), texts.place(textIndices[at], values.texts));
      }
      at++;
    }
  }

  private void addMaps(int column, int[] repetitions, int[] definitions, Entries entries)
      throws DamagedParquetException {
    RowGroup.Values values = to.values(column);
    int row = 0;
    int target = to.size();
    for (int i = 0; i < definitions.length; ) {
      boolean isAdded = row < rows && isKept(row);
      int first = i;
      do {
        if (definitions[i] == 2) {
          entries.next(isAdded, values);
        }
        i++;
      } while (i < definitions.length && repetitions[i] == 1);
      if (isAdded) {
        if (definitions[first] > 0) {
          values.set(target, values.endMap());
        }
        target++;
      }
      row++;
    }
    if (row != rows) {
      throw new DamagedParquetException("it has other rows than it should have");
    }
  }

  /** The texts of a dictionary, which get places in another as they are needed. */
  private static final class Dictionary {
    private final String[] texts;
    private final int[] places;

    Dictionary(ColumnPages pages) throws DamagedParquetException {
      texts = new String[pages.entries()];
      places = new int[texts.length];
      Arrays.fill(places, NONE);
      PageInput in = pages.dictionary();
      for (int i = 0; in != null && i < texts.length; i++) {
        texts[i] = in.text(in.int4());
      }
    }

    int place(int index, Texts in) {
      if (places[index] == NONE) {
        places[index] = in.place(texts[index]);
      }
      return places[index];
    }
  }

  private int[] levels(ColumnPages pages, int most) throws DamagedParquetException {
    if (pages.count() != rows) {
      throw new DamagedParquetException("it has other rows than it should have");
    }
    int[] levels = levels(pages, rows, most);
    checkNulls(pages, sum(levels));
    return levels;
  }

  private static void checkNulls(ColumnPages pages, int present) throws DamagedParquetException {
    if (pages.count() - present != pages.nulls()) {
      throw new DamagedParquetException("it has other rows than it should have");
    }
  }

  private static int[] levels(ColumnPages pages, int count, int most)
      throws DamagedParquetException {
    PageInput data = pages.data();
    return HybridRuns.read(count, HybridRuns.width(most), most, data.part(data.int4()));
  }

  private static int sum(int[] levels) {
    int sum = 0;
    for (int level : levels) {
      sum += level;
    }
    return sum;
  }

  /** Places in the dictionary; none where all is null. */
  private static int[] indices(ColumnPages pages, int count) throws DamagedParquetException {
    if (count == 0) {
      return new int[0];
    }
    if (pages.encoding() != ColumnChunk.RLE_DICTIONARY || pages.entries() == 0) {
      throw new DamagedParquetException("it has no dictionary");
    }
    int width = PageInput.below(pages.data().one(), Integer.SIZE);
    return HybridRuns.read(count, width, pages.entries() - 1, pages.data());
  }

  private static long[] numbers(ColumnPages pages, int type, int count)
      throws DamagedParquetException {
    PageInput dictionary = pages.dictionary();
    if (dictionary != null && count > 0) {
      long[] distinct = plain(dictionary, type, pages.entries());
      int[] indices = indices(pages, count);
      long[] numbers = new long[count];
      Arrays.setAll(numbers, i -> distinct[indices[i]]);
      return numbers;
    }
    long[] numbers =
        pages.encoding() == ColumnChunk.DELTA_BINARY_PACKED
            ? DeltaBlocks.read(count, pages.data())
            : plain(pages.data(), type, count);
    if (numbers.length != count) {
      throw new DamagedParquetException("it has other numbers than it should have");
    }
    return numbers;
  }

  private static long[] plain(PageInput in, int type, int count) throws DamagedParquetException {
    int size = type == ColumnChunk.INT32 ? Integer.BYTES : Long.BYTES;
    PageInput.below((long) count * size, in.left());
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = type == ColumnChunk.INT32 ? in.int4() : in.long8();
    }
    return numbers;
  }
}
