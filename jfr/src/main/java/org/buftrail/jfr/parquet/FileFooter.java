package org.buftrail.jfr.parquet;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What stands at the end of a Parquet file: the columns, and where each row group has them. */
final class FileFooter {
  /** Who writes these files. */
  static final String WRITER = "buftrail";

  // Numbers of the format's enumerations.
  private static final int OPTIONAL = 1;
  private static final int REPEATED = 2;
  private static final int REQUIRED = 0;
  private static final int CONVERTED_UTF8 = 0;
  private static final int CONVERTED_MAP = 1;
  private static final int LOGICAL_STRING = 1;
  private static final int LOGICAL_MAP = 2;
  private static final int LOGICAL_TIMESTAMP = 8;
  private static final int MICROSECONDS = 2;
  private static final int RLE = 3;

  private final List<ParquetColumn> columns;
  private final Map<String, String> metadata;
  private final List<Group> groups = new ArrayList<>();

  private record Group(int rows, List<PlacedColumn> columns) {}

  FileFooter(List<ParquetColumn> columns, Map<String, String> metadata) {
    this.columns = List.copyOf(columns);
    this.metadata = Map.copyOf(metadata);
  }

  void add(int rows, List<PlacedColumn> placed) {
    groups.add(new Group(rows, List.copyOf(placed)));
  }

  byte[] bytes() {
    CompactThrift out = begin();
    out.i64(3, groups.stream().mapToLong(Group::rows).sum());
    out.list(4, CompactThrift.STRUCT, groups.size());
    groups.forEach(group -> write(group, out));
    out.list(5, CompactThrift.STRUCT, metadata.size());
    metadata.forEach(
        (key, value) -> {
          out.begin();
          out.text(1, key);
          out.text(2, value);
          out.end();
        });
    out.text(6, WRITER);
    orders(out);
    return out.finish();
  }

  /** What the footers of all files with these columns begin with. */
  byte[] beginning() {
    byte[] ended = begin().finish();
    return Arrays.copyOf(ended, ended.length - 1);
  }

  private CompactThrift begin() {
    CompactThrift out = new CompactThrift();
    out.i32(1, 1);
    schema(out);
    return out;
  }

  private void schema(CompactThrift out) {
    int elements = 1;
    for (ParquetColumn column : columns) {
      elements += column.type() == ParquetColumn.Type.TEXTS ? 4 : 1;
    }
    out.list(2, CompactThrift.STRUCT, elements);
    out.begin();
    out.text(4, "rows");
    out.i32(5, columns.size());
    out.end();
    columns.forEach(column -> describe(column, out));
  }

  private static void describe(ParquetColumn column, CompactThrift out) {
    switch (column.type()) {
      case TEXT -> text(column.name(), OPTIONAL, out);
      case INT -> number(column.name(), ColumnChunk.INT32, false, out);
      case LONG, NANOS -> number(column.name(), ColumnChunk.INT64, false, out);
      case MICROS -> number(column.name(), ColumnChunk.INT64, true, out);
      case TEXTS -> {
        out.begin();
        out.i32(3, OPTIONAL);
        out.text(4, column.name());
        out.i32(5, 1);
        out.i32(6, CONVERTED_MAP);
        logical(LOGICAL_MAP, out);
        out.end();
        out.begin();
        out.i32(3, REPEATED);
        out.text(4, "key_value");
        out.i32(5, 2);
        out.end();
        text("key", REQUIRED, out);
        text("value", OPTIONAL, out);
      }
    }
  }

  private static void text(String name, int repetition, CompactThrift out) {
    out.begin();
    out.i32(1, ColumnChunk.BYTE_ARRAY);
    out.i32(3, repetition);
    out.text(4, name);
    out.i32(6, CONVERTED_UTF8);
    logical(LOGICAL_STRING, out);
    out.end();
  }

  private static void number(String name, int type, boolean isTime, CompactThrift out) {
    out.begin();
    out.i32(1, type);
    out.i32(3, OPTIONAL);
    out.text(4, name);
    if (isTime) {
      out.begin(10);
      out.begin(LOGICAL_TIMESTAMP);
      out.bool(1, false);
      out.begin(2);
      out.begin(MICROSECONDS);
      out.end();
      out.end();
      out.end();
      out.end();
    }
    out.end();
  }

  private static void logical(int type, CompactThrift out) {
    out.begin(10);
    out.begin(type);
    out.end();
    out.end();
  }

  private static void write(Group group, CompactThrift out) {
    out.begin();
    out.list(1, CompactThrift.STRUCT, group.columns.size());
    group.columns.forEach(placed -> write(placed, out));
    out.i64(2, group.columns.stream().mapToLong(PlacedColumn::plain).sum());
    out.i64(3, group.rows);
    out.end();
  }

  private static void write(PlacedColumn placed, CompactThrift out) {
    ColumnFacts facts = placed.facts();
    out.begin();
    out.i64(2, 0);
    out.begin(3);
    out.i32(1, facts.type);
    boolean isPlain = facts.encoding == ColumnChunk.PLAIN;
    out.list(2, CompactThrift.I32, isPlain ? 2 : 3);
    out.element(ColumnChunk.PLAIN);
    out.element(RLE);
    if (!isPlain) {
      out.element(facts.encoding);
    }
    out.list(3, CompactThrift.BINARY, facts.path.size());
    facts.path.forEach(name -> out.element(name.getBytes(StandardCharsets.UTF_8)));
    out.i32(4, placed.codec());
    out.i64(5, facts.count);
    out.i64(6, placed.plain());
    out.i64(7, placed.packed());
    out.i64(9, placed.dataAt());
    if (placed.dictionaryAt() > 0) {
      out.i64(11, placed.dictionaryAt());
    }
    out.begin(12);
    out.i64(3, facts.nulls);
    byte[] smallest = facts.smallest;
    byte[] largest = facts.largest;
    if (smallest != null && largest != null) {
      out.bytes(5, largest);
      out.bytes(6, smallest);
    }
    out.end();
    out.end();
    out.end();
  }

  /** Says that bounds are by the order of each type, without which readers ignore them. */
  private void orders(CompactThrift out) {
    int leaves = 0;
    for (ParquetColumn column : columns) {
      leaves += column.type() == ParquetColumn.Type.TEXTS ? 2 : 1;
    }
    out.list(7, CompactThrift.STRUCT, leaves);
    for (int i = 0; i < leaves; i++) {
      out.begin();
      out.begin(1);
      out.end();
      out.end();
    }
  }
}
