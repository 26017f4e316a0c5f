package org.buftrail.jfr.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link ParquetFile} has written, and no other Parquet file. Every method throws {@link
 * DamagedParquetException} where the file is not as it was written. Belongs to one thread.
 */
public final class ParquetInput implements Closeable {
  /** The length of the footer, and what ends the file. */
  private static final int TAIL = 8;

  /** In bytes; longer ones are damage. */
  private static final long LONGEST_FOOTER = 256L << 20;

  /** A row group of ours has fewer, and more would take memory. */
  private static final int MOST_ROWS = 1 << 22;

  private static final int MOST_VALUES = 1 << 26;

  private final List<ParquetColumn> columns;
  private final FileChannel channel;
  private final Gzip gzip = new Gzip();
  private final List<Group> groups = new ArrayList<>();

  private record Group(int rows, List<PlacedColumn> columns) {}

  /**
   * Opens a file.
   *
   * @param columns which it has
   * @throws OtherWriterException if it has these, and is sound perhaps, but not one of ours
   */
  public ParquetInput(Path file, List<ParquetColumn> columns) throws IOException {
    this.columns = List.copyOf(columns);
    channel = FileChannel.open(file, StandardOpenOption.READ);
    boolean isOpen = false;
    try {
      readFooter();
      isOpen = true;
    } finally {
      if (!isOpen) {
        close();
      }
    }
  }

  private void readFooter() throws IOException {
    long size = channel.size();
    byte[] magic = ParquetFile.MAGIC;
    if (size == 0) {
      throw new DamagedParquetException("it is empty");
    }
    if (size < magic.length || !Arrays.equals(bytes(0, magic.length), magic)) {
      throw new DamagedParquetException("it is no Parquet file");
    }
    byte[] tail = size < magic.length + TAIL ? new byte[TAIL] : bytes(size - TAIL, TAIL);
    if (!Arrays.equals(tail, Integer.BYTES, TAIL, magic, 0, magic.length)) {
      throw new DamagedParquetException("its end is missing");
    }
    long length = new PageInput(tail).int4();
    if (length < 0 || length > Math.min(LONGEST_FOOTER, size - magic.length - TAIL)) {
      throw new DamagedParquetException("its footer is damaged");
    }
    byte[] footer = bytes(size - TAIL - length, (int) length);
    byte[] beginning = new FileFooter(columns, Map.of()).beginning();
    if (footer.length < beginning.length
        || !Arrays.equals(footer, 0, beginning.length, beginning, 0, beginning.length)) {
      checkWriter(footer);
      throw new DamagedParquetException("it has other columns, or its footer is damaged");
    }
    for (ThriftStruct group : ThriftStruct.read(new PageInput(footer)).structs(4)) {
      groups.add(group(group, size - TAIL - length));
    }
  }

  /** Says who wrote a file that has the columns, though not as we describe them. */
  private void checkWriter(byte[] footer) throws OtherWriterException {
    String writer;
    try {
      ThriftStruct read = ThriftStruct.read(new PageInput(footer));
      Set<String> names = new HashSet<>();
      for (ThriftStruct element : read.structs(2)) {
        names.add(text(element.bytes(4)));
      }
      writer = text(read.bytes(6));
      if (!columns.stream().allMatch(column -> names.contains(column.name()))) {
        return;
      }
    } catch (DamagedParquetException e) {
      // Nobody can be named.
      return;
    }
    if (!writer.isEmpty() && !writer.equals(FileFooter.WRITER)) {
      throw new OtherWriterException(writer);
    }
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }

  private Group group(ThriftStruct group, long end) throws DamagedParquetException {
    List<PlacedColumn> placed = new ArrayList<>();
    for (ThriftStruct column : group.structs(1)) {
      placed.add(column(column.struct(3), end));
    }
    int rows = group.number(3, MOST_ROWS);
    boolean isSound = placed.size() == leaf(columns.size());
    for (int column = 0; isSound && column < columns.size(); column++) {
      ParquetColumn described = columns.get(column);
      ColumnFacts facts = placed.get(leaf(column)).facts();
      if (described.type() == ParquetColumn.Type.TEXTS) {
        ColumnFacts texts = placed.get(leaf(column) + 1).facts();
        isSound =
            facts.count >= rows
                && facts.count == texts.count
                && is(facts, ColumnChunk.BYTE_ARRAY, described.name(), "key_value", "key")
                && is(texts, ColumnChunk.BYTE_ARRAY, described.name(), "key_value", "value");
      } else {
        int type =
            described.type() == ParquetColumn.Type.TEXT ? ColumnChunk.BYTE_ARRAY : type(column);
        isSound = facts.count == rows && is(facts, type, described.name());
      }
    }
    if (!isSound) {
      throw new DamagedParquetException("its footer is damaged");
    }
    return new Group(rows, placed);
  }

  private static boolean is(ColumnFacts facts, int type, String... path) {
    return facts.type == type && facts.nulls <= facts.count && facts.path.equals(List.of(path));
  }

  private static PlacedColumn column(ThriftStruct column, long end) throws DamagedParquetException {
    List<String> path = new ArrayList<>();
    for (byte[] name : column.list(3, byte[].class)) {
      path.add(new String(name, StandardCharsets.UTF_8));
    }
    List<Long> encodings = column.list(2, Long.class);
    ThriftStruct statistics = column.struct(12);
    ColumnFacts facts =
        new ColumnFacts(
            path,
            column.number(1, Integer.MAX_VALUE),
            column.number(5, MOST_VALUES),
            statistics.number(3, MOST_VALUES),
            // Plain, that of levels, and that of the data if it is another.
            encodings.size() > 2 ? encodings.get(2).intValue() : ColumnChunk.PLAIN,
            statistics.bytes(6),
            statistics.bytes(5));
    PlacedColumn placed =
        new PlacedColumn(
            facts,
            column.number(4, PlacedColumn.GZIP),
            column.has(11) ? column.number(11) : 0,
            column.number(9),
            column.number(6),
            column.number(7));
    if (placed.begin() < 0
        || placed.dataAt() < placed.begin()
        || placed.packed() < 0
        || placed.packed() > Integer.MAX_VALUE - Long.BYTES
        || placed.begin() > end - placed.packed()) {
      throw new DamagedParquetException("its footer is damaged");
    }
    return placed;
  }

  /** How many row groups it has. */
  public int groups() {
    return groups.size();
  }

  /** How many rows a row group has. */
  public int rows(int group) {
    return groups.get(group).rows;
  }

  /** How many bytes the pages of a group take where they are not packed. */
  public long plain(int group) {
    return columns(group).stream().mapToLong(PlacedColumn::plain).sum();
  }

  /** The text that a column has in all rows of a group; null if they differ. */
  public @Nullable String text(int group, int column) {
    ColumnFacts facts = groups.get(group).columns.get(leaf(column)).facts();
    byte[] smallest = facts.smallest;
    return smallest != null && Arrays.equals(smallest, facts.largest)
        ? new String(smallest, StandardCharsets.UTF_8)
        : null;
  }

  /** Whether a column has a value in all rows of a group. */
  public boolean isWhole(int group, int column) {
    return groups.get(group).columns.get(leaf(column)).facts().nulls == 0;
  }

  /** The numbers that a column has; 0 for null. */
  public long[] numbers(int group, int column) throws IOException {
    return ColumnReader.all(pages(group, leaf(column)), type(column), rows(group));
  }

  /**
   * Adds the rows of a group to others; after an exception these are of no use.
   *
   * @param kept which rows are added; null for all
   */
  public void read(int group, boolean @Nullable [] kept, RowGroup to) throws IOException {
    int rows = rows(group);
    ColumnReader reader = new ColumnReader(rows, kept, to);
    for (int column = 0; column < columns.size(); column++) {
      ColumnPages pages = pages(group, leaf(column));
      switch (columns.get(column).type()) {
        case TEXT -> reader.texts(column, pages);
        case TEXTS -> reader.maps(column, pages, pages(group, leaf(column) + 1));
        case INT, LONG, MICROS, NANOS -> reader.numbers(column, pages, type(column));
      }
    }
    int added = 0;
    for (int row = 0; row < rows; row++) {
      added += kept == null || kept[row] ? 1 : 0;
    }
    to.endRows(added);
  }

  /** Checks the pages of a group by their sums. */
  public void checkPages(int group) throws IOException {
    for (PlacedColumn column : columns(group)) {
      checkedPages(column);
    }
  }

  /** The bytes of all pages of a column of a row group, which are not damaged. */
  byte[] checkedPages(PlacedColumn column) throws IOException {
    byte[] pages = pages(column);
    ColumnPages.check(pages, column, gzip);
    return pages;
  }

  /** A column of a row group, unpacked. */
  ColumnChunk chunk(PlacedColumn column, byte[] pages) throws DamagedParquetException {
    return ColumnChunk.of(column.facts(), ColumnPages.read(pages, column, gzip));
  }

  private int type(int column) {
    return columns.get(column).type() == ParquetColumn.Type.INT
        ? ColumnChunk.INT32
        : ColumnChunk.INT64;
  }

  /** The place of a column among those of the file, where a map has two. */
  private int leaf(int column) {
    int leaf = 0;
    for (ParquetColumn before : columns.subList(0, column)) {
      leaf += before.type() == ParquetColumn.Type.TEXTS ? 2 : 1;
    }
    return leaf;
  }

  List<PlacedColumn> columns(int group) {
    return groups.get(group).columns;
  }

  private ColumnPages pages(int group, int leaf) throws IOException {
    PlacedColumn column = columns(group).get(leaf);
    return ColumnPages.read(pages(column), column, gzip);
  }

  /** The bytes of all pages of a column of a row group. */
  private byte[] pages(PlacedColumn column) throws IOException {
    return bytes(column.begin(), (int) column.packed());
  }

  private byte[] bytes(long at, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, at + bytes.position()) < 0) {
        throw new DamagedParquetException("its end is missing");
      }
    }
    return bytes.array();
  }

  @Override
  public void close() throws IOException {
    gzip.close();
    channel.close();
  }
}
