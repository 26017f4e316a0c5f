package org.buftrail.jfr.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** Names from the outermost group to the values. */
  final List<String> path;

  /** Parquet's number of the physical type. */
  final int type;

  /** How many values there are, nulls among them. */
  final int count;

  final int nulls;

  /** Null if values stand for themselves. */
  final byte @Nullable [] dictionary;

  /** Entries of the dictionary. */
  final int entries;

  /** The encoding of the data, by its number in Parquet. */
  final int encoding;

  final byte[] data;

  /** The least value, as statistics have it; null if that is not known. */
  final byte @Nullable [] smallest;

  final byte @Nullable [] largest;

  private ColumnChunk(
      List<String> path,
      int type,
      int count,
      int nulls,
      byte @Nullable [] dictionary,
      int entries,
      int encoding,
      byte[] data,
      byte @Nullable [] smallest,
      byte @Nullable [] largest) {
    this.path = path;
    this.type = type;
    this.count = count;
    this.nulls = nulls;
    this.dictionary = dictionary;
    this.entries = entries;
    this.encoding = encoding;
    this.data = data;
    this.smallest = smallest;
    this.largest = largest;
  }

  /** The chunks of a column: two of a map, else one. */
  static List<ColumnChunk> of(RowGroup rows, int column) {
    ParquetColumn described = rows.columns().get(column);
    RowGroup.Values values = rows.valuesOf(column);
    return switch (described.type()) {
      case TEXT -> List.of(text(described, values, rows));
      case TEXTS ->
          List.of(
              map(described, "key", true, values, rows),
              map(described, "value", false, values, rows));
      case INT -> List.of(number(described, INT32, values, rows));
      case LONG, MICROS -> List.of(number(described, INT64, values, rows));
    };
  }

  private static ColumnChunk text(
      ParquetColumn column, RowGroup.@Nullable Values values, RowGroup rows) {
    int size = rows.size();
    int[] levels = new int[size];
    int[] indices = new int[size];
    int count = 0;
    for (int i = 0; values != null && i < size; i++) {
      int row = rows.row(i);
      if (values.has(row)) {
        levels[i] = 1;
        indices[count++] = (int) values.number(row);
      }
    }
    List<String> texts = values == null ? List.of() : values.texts;
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    levels(levels, size, 1, data);
    return indexed(List.of(column.name()), size, size - count, texts, indices, count, data);
  }

  private static ColumnChunk map(
      ParquetColumn column,
      String part,
      boolean isKey,
      RowGroup.@Nullable Values values,
      RowGroup rows) {
    Ints repetitions = new Ints();
    Ints definitions = new Ints();
    Ints indices = new Ints();
    Map<String, Integer> places = new LinkedHashMap<>();
    int present = isKey ? 2 : 3;
    int nulls = 0;
    for (int i = 0; i < rows.size(); i++) {
      int row = rows.row(i);
      boolean isKnown = values != null && values.has(row);
      Map<String, String> map =
          isKnown && values != null ? values.maps.get((int) values.number(row)) : Map.of();
      if (map.isEmpty()) {
        repetitions.add(0);
        definitions.add(isKnown ? 1 : 0);
        nulls++;
      }
      int repetition = 0;
      for (Map.Entry<String, String> entry : map.entrySet()) {
        repetitions.add(repetition);
        definitions.add(present);
        String text = isKey ? entry.getKey() : entry.getValue();
        Integer place = places.putIfAbsent(text, places.size());
        indices.add(place == null ? places.size() - 1 : place);
        repetition = 1;
      }
    }
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    levels(repetitions.all, repetitions.size, 1, data);
    levels(definitions.all, definitions.size, present, data);
    return indexed(
        List.of(column.name(), "key_value", part),
        definitions.size,
        nulls,
        List.copyOf(places.keySet()),
        indices.all,
        indices.size,
        data);
  }

  /** Integers that come one by one. */
  private static final class Ints {
    private int[] all = new int[64];
    private int size;

    void add(int value) {
      if (size == all.length) {
        all = Arrays.copyOf(all, size * 2);
      }
      all[size++] = value;
    }
  }

  private static ColumnChunk indexed(
      List<String> path,
      int count,
      int nulls,
      List<String> texts,
      int[] indices,
      int present,
      ByteArrayOutputStream data) {
    ByteArrayOutputStream dictionary = new ByteArrayOutputStream();
    byte[] smallest = null;
    byte[] largest = null;
    for (String text : texts) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      Bytes.littleEndian(bytes.length, dictionary);
      dictionary.writeBytes(bytes);
      smallest = smallest == null || Arrays.compareUnsigned(bytes, smallest) < 0 ? bytes : smallest;
      largest = largest == null || Arrays.compareUnsigned(bytes, largest) > 0 ? bytes : largest;
    }
    if (present > 0) {
      indices(indices, present, texts.size(), data);
    }
    boolean isBounded =
        smallest != null
            && largest != null
            && Math.max(smallest.length, largest.length) <= LONGEST_BOUND;
    return new ColumnChunk(
        path,
        BYTE_ARRAY,
        count,
        nulls,
        present > 0 ? dictionary.toByteArray() : null,
        texts.size(),
        present > 0 ? RLE_DICTIONARY : PLAIN,
        data.toByteArray(),
        isBounded ? smallest : null,
        isBounded ? largest : null);
  }

  private static ColumnChunk number(
      ParquetColumn column, int type, RowGroup.@Nullable Values values, RowGroup rows) {
    int size = rows.size();
    int[] levels = new int[size];
    int[] indices = new int[size];
    long[] numbers = new long[size];
    int count = 0;
    LongIntMap places = new LongIntMap();
    long smallest = Long.MAX_VALUE;
    long largest = Long.MIN_VALUE;
    for (int i = 0; values != null && i < size; i++) {
      int row = rows.row(i);
      if (values.has(row)) {
        long number = values.number(row);
        levels[i] = 1;
        numbers[count] = number;
        indices[count++] = places.intern(number);
        smallest = Math.min(smallest, number);
        largest = Math.max(largest, number);
      }
    }
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    levels(levels, size, 1, data);
    byte[] dictionary = null;
    boolean isDelta = type == INT64 && count > 0;
    if (count > 0 && places.size() <= count / 2) {
      dictionary = plain(distinct(numbers, indices, count, places.size()), places.size(), type);
      indices(indices, count, places.size(), data);
    } else if (isDelta) {
      DeltaBlocks.write(numbers, count, data);
    } else {
      data.writeBytes(plain(numbers, count, type));
    }
    return new ColumnChunk(
        List.of(column.name()),
        type,
        size,
        size - count,
        dictionary,
        places.size(),
        dictionary != null ? RLE_DICTIONARY : isDelta ? DELTA_BINARY_PACKED : PLAIN,
        data.toByteArray(),
        count == 0 ? null : plain(new long[] {smallest}, 1, type),
        count == 0 ? null : plain(new long[] {largest}, 1, type));
  }

  private static long[] distinct(long[] numbers, int[] indices, int count, int size) {
    long[] distinct = new long[size];
    for (int i = 0; i < count; i++) {
      distinct[indices[i]] = numbers[i];
    }
    return distinct;
  }

  private static byte[] plain(long[] numbers, int count, int type) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(count * Long.BYTES);
    for (int i = 0; i < count; i++) {
      if (type == INT32) {
        Bytes.littleEndian((int) numbers[i], out);
      } else {
        Bytes.littleEndian(numbers[i], out);
      }
    }
    return out.toByteArray();
  }

  private static void indices(int[] indices, int count, int entries, ByteArrayOutputStream data) {
    int width = HybridRuns.width(Math.max(1, entries - 1));
    data.write(width);
    HybridRuns.write(indices, count, width, data);
  }

  private static void levels(int[] levels, int count, int most, ByteArrayOutputStream data) {
    ByteArrayOutputStream runs = new ByteArrayOutputStream();
    HybridRuns.write(levels, count, HybridRuns.width(most), runs);
    Bytes.littleEndian(runs.size(), data);
    data.writeBytes(runs.toByteArray());
  }
}
