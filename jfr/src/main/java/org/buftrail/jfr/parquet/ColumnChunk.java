package org.buftrail.jfr.parquet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.buftrail.jfr.table.LongIntMap;
import org.jspecify.annotations.Nullable;

/**
 * One column of a row group, as the bytes of its pages: a dictionary, unless most values differ or
 * there is none, and one page of data, in which long numbers without a dictionary are differences.
 */
final class ColumnChunk {
  static final int INT32 = 1;
  static final int INT64 = 2;
  static final int BYTE_ARRAY = 6;

  // Parquet's numbers of encodings.
  static final int PLAIN = 0;
  static final int DELTA_BINARY_PACKED = 5;
  static final int RLE_DICTIONARY = 8;

  /** Longer texts are no use as bounds. */
  private static final int LONGEST_BOUND = 256;

  final ColumnFacts facts;

  /** Null if values stand for themselves. */
  final byte @Nullable [] dictionary;

  /** Entries of the dictionary. */
  final int entries;

  final byte[] data;

  private ColumnChunk(
      ColumnFacts facts, byte @Nullable [] dictionary, int entries, PageBytes data) {
    this(facts, dictionary, entries, data.toByteArray());
  }

  private ColumnChunk(ColumnFacts facts, byte @Nullable [] dictionary, int entries, byte[] data) {
    this.facts = facts;
    this.dictionary = dictionary;
    this.entries = entries;
    this.data = data;
  }

  static ColumnChunk of(ColumnFacts facts, ColumnPages pages) {
    PageInput dictionary = pages.dictionary();
    return new ColumnChunk(
        facts, dictionary == null ? null : dictionary.rest(), pages.entries(), pages.data().rest());
  }

  /** The chunks of a column: two of a map, else one. */
  static List<ColumnChunk> of(RowGroup rows, int column) {
    ParquetColumn described = rows.columns().get(column);
    RowGroup.Values values = rows.valuesOf(column);
    if (values == null && described.type() != ParquetColumn.Type.TEXTS) {
      return List.of(nulls(described, rows.size()));
    }
    return switch (described.type()) {
      case TEXT -> List.of(text(described, values, rows, rows.isShared(column)));
      case TEXTS ->
          List.of(
              map(described, "key", true, values, rows),
              map(described, "value", false, values, rows));
      case INT -> List.of(number(described, INT32, values, rows, rows.isShared(column)));
      case LONG, MICROS, NANOS ->
          List.of(number(described, INT64, values, rows, rows.isShared(column)));
    };
  }

  private static ColumnChunk nulls(ParquetColumn column, int size) {
    PageBytes data = new PageBytes(16);
    same(0, size, data);
    int type =
        switch (column.type()) {
          case INT -> INT32;
          case LONG, MICROS, NANOS -> INT64;
          case TEXT, TEXTS -> BYTE_ARRAY;
        };
    ColumnFacts facts =
        new ColumnFacts(List.of(column.name()), type, size, size, PLAIN, null, null);
    return new ColumnChunk(facts, null, 0, data);
  }

  private static ColumnChunk text(
      ParquetColumn column, RowGroup.@Nullable Values values, RowGroup rows, boolean isShared) {
    int size = rows.size();
    int[] levels = new int[size];
    int[] indices = new int[size];
    int count = 0;
    for (int i = 0; values != null && i < size; i++) {
      int row = rows.place(isShared, rows.row(i));
      if (values.has(row)) {
        levels[i] = 1;
        indices[count++] = (int) values.number(row);
      }
    }
    List<String> texts = values == null ? List.of() : values.texts.all();
    PageBytes data = new PageBytes(size / 2 + 64);
    levels(levels, size, count, data);
    return indexed(List.of(column.name()), size, size - count, texts, indices, count, data);
  }

  private static ColumnChunk map(
      ParquetColumn column,
      String part,
      boolean isKey,
      RowGroup.@Nullable Values values,
      RowGroup rows) {
    List<String> path = List.of(column.name(), "key_value", part);
    if (values == null) {
      int size = rows.size();
      PageBytes data = new PageBytes(16);
      same(0, size, data);
      same(0, size, data);
      return indexed(path, size, size, List.of(), new int[0], 0, data);
    }
    Ints repetitions = new Ints();
    Ints definitions = new Ints();
    Ints indices = new Ints();
    int present = isKey ? 2 : 3;
    for (int i = 0; i < rows.size(); i++) {
      int row = rows.row(i);
      boolean isKnown = values.has(row);
      int entry = isKnown ? values.firstEntry(row) : 0;
      int end = isKnown ? values.endOfEntries(row) : 0;
      if (entry == end) {
        repetitions.add(0);
        definitions.add(isKnown ? 1 : 0);
      }
      for (int repetition = 0; entry < end; entry++) {
        repetitions.add(repetition);
        definitions.add(present);
        indices.add((isKey ? values.entryKeys : values.entryTexts).get(entry));
        repetition = 1;
      }
    }
    PageBytes data = new PageBytes(indices.size() + 64);
    mixed(repetitions.all(), repetitions.size(), 1, data);
    mixed(definitions.all(), definitions.size(), present, data);
    return indexed(
        path,
        definitions.size(),
        definitions.size() - indices.size(),
        (isKey ? values.keys : values.texts).all(),
        indices.all(),
        indices.size(),
        data);
  }

  private static ColumnChunk indexed(
      List<String> path,
      int count,
      int nulls,
      List<String> texts,
      int[] indices,
      int present,
      PageBytes data) {
    PageBytes dictionary = new PageBytes(Math.min(texts.size(), present) * 16 + 64);
    byte[] smallest = null;
    byte[] largest = null;
    // Only some of the texts may be of these rows.
    int[] places = new int[texts.size()];
    int entries = 0;
    for (int i = 0; i < present; i++) {
      int text = indices[i];
      if (places[text] == 0) {
        places[text] = ++entries;
        byte[] bytes = texts.get(text).getBytes(StandardCharsets.UTF_8);
        dictionary.putInt(bytes.length);
        dictionary.put(bytes);
        smallest =
            smallest == null || Arrays.compareUnsigned(bytes, smallest) < 0 ? bytes : smallest;
        largest = largest == null || Arrays.compareUnsigned(bytes, largest) > 0 ? bytes : largest;
      }
      indices[i] = places[text] - 1;
    }
    if (present > 0) {
      indices(indices, present, entries, data);
    }
    boolean isBounded =
        smallest != null
            && largest != null
            && Math.max(smallest.length, largest.length) <= LONGEST_BOUND;
    return new ColumnChunk(
        new ColumnFacts(
            path,
            BYTE_ARRAY,
            count,
            nulls,
            present > 0 ? RLE_DICTIONARY : PLAIN,
            isBounded ? smallest : null,
            isBounded ? largest : null),
        present > 0 ? dictionary.toByteArray() : null,
        entries,
        data);
  }

  private static ColumnChunk number(
      ParquetColumn column,
      int type,
      RowGroup.@Nullable Values values,
      RowGroup rows,
      boolean isShared) {
    int size = rows.size();
    int[] levels = new int[size];
    int[] indices = new int[size];
    long[] numbers = new long[size];
    int count = 0;
    LongIntMap places = new LongIntMap();
    boolean isIndexed = !column.isOfTimes();
    long smallest = Long.MAX_VALUE;
    long largest = Long.MIN_VALUE;
    for (int i = 0; values != null && i < size; i++) {
      int row = rows.place(isShared, rows.row(i));
      if (values.has(row)) {
        long number = values.number(row);
        levels[i] = 1;
        // Once most values are distinct, a dictionary is out of the question.
        boolean isSame = count > 0 && number == numbers[count - 1];
        indices[count] = isSame ? indices[count - 1] : isIndexed ? places.intern(number) : 0;
        isIndexed &= places.size() <= size / 2;
        numbers[count++] = number;
        smallest = Math.min(smallest, number);
        largest = Math.max(largest, number);
      }
    }
    PageBytes data = new PageBytes(count * 2 + 64);
    levels(levels, size, count, data);
    byte[] dictionary = null;
    boolean isDelta = type == INT64 && count > 0;
    if (isIndexed && count > 0 && places.size() <= count / 2) {
      dictionary = plain(distinct(numbers, indices, count, places.size()), places.size(), type);
      indices(indices, count, places.size(), data);
    } else if (isDelta) {
      DeltaBlocks.write(numbers, count, data);
    } else {
      data.put(plain(numbers, count, type));
    }
    return new ColumnChunk(
        new ColumnFacts(
            List.of(column.name()),
            type,
            size,
            size - count,
            dictionary != null ? RLE_DICTIONARY : isDelta ? DELTA_BINARY_PACKED : PLAIN,
            count == 0 ? null : plain(new long[] {smallest}, 1, type),
            count == 0 ? null : plain(new long[] {largest}, 1, type)),
        dictionary,
        places.size(),
        data);
  }

  private static long[] distinct(long[] numbers, int[] indices, int count, int size) {
    long[] distinct = new long[size];
    for (int i = 0; i < count; i++) {
      distinct[indices[i]] = numbers[i];
    }
    return distinct;
  }

  private static byte[] plain(long[] numbers, int count, int type) {
    PageBytes out = new PageBytes(count * Long.BYTES);
    for (int i = 0; i < count; i++) {
      if (type == INT32) {
        out.putInt((int) numbers[i]);
      } else {
        out.putLong(numbers[i]);
      }
    }
    return out.toByteArray();
  }

  private static void indices(int[] indices, int count, int entries, PageBytes data) {
    int width = HybridRuns.width(Math.max(1, entries - 1));
    data.put(width);
    HybridRuns.write(indices, count, width, data);
  }

  /** Levels of 0 and 1, of which so many are 1. */
  private static void levels(int[] levels, int size, int present, PageBytes data) {
    if (present == size) {
      same(1, size, data);
    } else {
      mixed(levels, size, 1, data);
    }
  }

  /** So many levels of 0, or of 1, whatever the largest is. */
  private static void same(int level, int size, PageBytes data) {
    PageBytes runs = new PageBytes(8);
    HybridRuns.repeat(level, size, 1, runs);
    data.putInt(runs.size());
    data.put(runs);
  }

  private static void mixed(int[] levels, int count, int most, PageBytes data) {
    PageBytes runs = new PageBytes(count / Byte.SIZE + 64);
    HybridRuns.write(levels, count, HybridRuns.width(most), runs);
    data.putInt(runs.size());
    data.put(runs);
  }
}
