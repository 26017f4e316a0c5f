package org.buftrail.jfr.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Writes a Parquet file: each row group as it comes, then the footer. Belongs to one thread.
 *
 * <pre>
 * PAR1
 *   row group: for each column a dictionary page, if there is one, and a data page
 *   ...
 * footer, its length in 4 bytes, PAR1
 * </pre>
 */
public final class ParquetFile implements Closeable {
  static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  // Numbers of the format's enumerations.
  private static final int RLE = 3;
  static final int DATA_PAGE = 0;
  static final int DICTIONARY_PAGE = 2;

  /** The least size in bytes that is worth compressing. */
  private static final int SMALLEST_PACKED = 64;

  private final OutputStream out;
  private final Gzip gzip = new Gzip();
  private final Snappy snappy = new Snappy();
  private final FileFooter footer;
  private long position;

  /**
   * @param out closed with this
   * @param metadata for the footer
   */
  public ParquetFile(OutputStream out, List<ParquetColumn> columns, Map<String, String> metadata)
      throws IOException {
    this.out = out;
    footer = new FileFooter(columns, metadata);
    put(MAGIC);
  }

  /** Writes rows, which have the columns of the file. */
  public void write(RowGroup rows) throws IOException {
    write(rows, false);
  }

  /** Writes rows whose file others will take the place of: in less time, and in more bytes. */
  public void writeQuickly(RowGroup rows) throws IOException {
    write(rows, true);
  }

  private void write(RowGroup rows, boolean isQuick) throws IOException {
    List<PlacedColumn> placed = new ArrayList<>();
    for (int column = 0; column < rows.columns().size(); column++) {
      for (ColumnChunk chunk : chunks(rows, column)) {
        placed.add(write(chunk, isQuick));
      }
    }
    footer.add(rows.size(), placed);
  }

  private static List<ColumnChunk> chunks(RowGroup rows, int column) throws IOException {
    try {
      return ColumnChunk.of(rows, column);
    } catch (UncheckedIOException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Writes a row group of another file, and reads none of its values. Pages that were packed
   * quickly are packed anew.
   *
   * @throws DamagedParquetException if its pages are damaged; this file is of no use then
   */
  public void copy(ParquetInput from, int group) throws IOException {
    List<PlacedColumn> placed = new ArrayList<>();
    for (PlacedColumn column : from.columns(group)) {
      byte[] pages = from.checkedPages(column);
      if (column.codec() == PlacedColumn.SNAPPY) {
        placed.add(write(from.chunk(column, pages), false));
      } else {
        placed.add(column.at(position));
        put(pages);
      }
    }
    footer.add(from.rows(group), placed);
  }

  private PlacedColumn write(ColumnChunk chunk, boolean isQuick) throws IOException {
    byte[] dictionary = chunk.dictionary;
    int size = chunk.data.length + (dictionary == null ? 0 : dictionary.length);
    int codec =
        size < SMALLEST_PACKED
            ? PlacedColumn.UNCOMPRESSED
            : isQuick ? PlacedColumn.SNAPPY : PlacedColumn.GZIP;
    long begin = position;
    long plain = 0;
    if (dictionary != null) {
      byte[] body = packed(dictionary, codec);
      plain += page(DICTIONARY_PAGE, dictionary.length, body, chunk.entries, ColumnChunk.PLAIN);
    }
    long dataAt = position;
    byte[] body = packed(chunk.data, codec);
    plain += page(DATA_PAGE, chunk.data.length, body, chunk.facts.count, chunk.facts.encoding);
    return new PlacedColumn(
        chunk.facts, codec, dictionary == null ? 0 : begin, dataAt, plain, position - begin);
  }

  private byte[] packed(byte[] plain, int codec) {
    return switch (codec) {
      case PlacedColumn.SNAPPY -> snappy.pack(plain);
      case PlacedColumn.GZIP -> gzip.pack(plain);
      default -> plain;
    };
  }

  /** Writes a page; answers how long it would be if it were not packed. */
  private long page(int type, int plain, byte[] body, int values, int encoding) throws IOException {
    CompactThrift header = new CompactThrift();
    header.i32(1, type);
    header.i32(2, plain);
    header.i32(3, body.length);
    header.i32(4, sum(body, 0, body.length));
    header.begin(type == DATA_PAGE ? 5 : 7);
    header.i32(1, values);
    header.i32(2, encoding);
    if (type == DATA_PAGE) {
      header.i32(3, RLE);
      header.i32(4, RLE);
    }
    header.end();
    byte[] bytes = header.finish();
    put(bytes);
    put(body);
    return (long) bytes.length + plain;
  }

  /** The sum of a page as it is in the file, which readers may check. */
  static int sum(byte[] bytes, int from, int length) {
    CRC32 sum = new CRC32();
    sum.update(bytes, from, length);
    return (int) sum.getValue();
  }

  private void put(byte[] bytes) throws IOException {
    out.write(bytes);
    position += bytes.length;
  }

  @Override
  public void close() throws IOException {
    try (out) {
      byte[] bytes = footer.bytes();
      put(bytes);
      PageBytes length = new PageBytes(Integer.BYTES);
      length.putInt(bytes.length);
      put(length.toByteArray());
      put(MAGIC);
    } finally {
      gzip.close();
    }
  }
}
