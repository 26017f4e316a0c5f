package org.buftrail.jfr.parquet;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a column of a row group, unpacked: of a dictionary, if there is one, and of data.
 *
 * @param dictionary null if values stand for themselves
 * @param entries of the dictionary
 * @param count of the values, nulls among them
 * @param nulls how many of them the footer says are null
 * @param encoding of the data
 */
record ColumnPages(
    @Nullable PageInput dictionary,
    int entries,
    PageInput data,
    int count,
    int nulls,
    int encoding) {

  /** Where a page is, and what its header says. */
  private record Page(ThriftStruct header, int begin, int length) {
    static Page next(byte[] bytes, PageInput in) throws DamagedParquetException {
      ThriftStruct header = ThriftStruct.read(in);
      int length = header.number(3, in.left());
      int begin = in.skip(length);
      if (header.has(4) && header.number(4) != ParquetFile.sum(bytes, begin, length)) {
        throw new DamagedParquetException("a page has another sum than it should have");
      }
      return new Page(header, begin, length);
    }

    void check(int type, byte[] bytes, int codec, Gzip gzip) throws DamagedParquetException {
      if (header.number(1) != type) {
        throw new DamagedParquetException("it has other pages than it should have");
      }
      if (!header.has(4)) {
        // Without a sum here, what gzip packed ends with one.
        unpacked(bytes, codec, gzip);
      }
    }

    PageInput unpacked(byte[] bytes, int codec, Gzip gzip) throws DamagedParquetException {
      if (codec == PlacedColumn.UNCOMPRESSED) {
        if (header.number(2) != length) {
          throw new DamagedParquetException("it has other pages than it should have");
        }
        return new PageInput(bytes, begin, begin + length);
      }
      byte[] packed = Arrays.copyOfRange(bytes, begin, begin + length);
      int size = header.number(2, Integer.MAX_VALUE);
      if (codec == PlacedColumn.GZIP) {
        return new PageInput(gzip.unpack(packed, size));
      }
      if (!header.has(4)) {
        throw new DamagedParquetException("a page has no sum");
      }
      return new PageInput(Snappy.unpack(packed, size));
    }
  }

  /** Checks that the pages of a column are those that the footer describes, and not damaged. */
  static void check(byte[] bytes, PlacedColumn column, Gzip gzip) throws DamagedParquetException {
    PageInput in = new PageInput(bytes);
    long plain = 0;
    boolean isDictionary = column.dictionaryAt() > 0;
    if (isDictionary) {
      Page page = Page.next(bytes, in);
      page.check(ParquetFile.DICTIONARY_PAGE, bytes, column.codec(), gzip);
      page.header.struct(7);
      plain = page.begin + page.header.number(2);
    }
    int dataAt = in.at();
    Page page = Page.next(bytes, in);
    page.check(ParquetFile.DATA_PAGE, bytes, column.codec(), gzip);
    ThriftStruct data = page.header.struct(5);
    plain += page.begin - dataAt + page.header.number(2);
    ColumnFacts facts = column.facts();
    if (dataAt != column.dataAt() - column.begin()
        || in.left() > 0
        || isDictionary != (facts.encoding == ColumnChunk.RLE_DICTIONARY)
        || data.number(2) != facts.encoding
        || data.number(1) != facts.count
        || plain != column.plain()) {
      throw new DamagedParquetException("it has other pages than it should have");
    }
  }

  static ColumnPages read(byte[] bytes, PlacedColumn column, Gzip gzip)
      throws DamagedParquetException {
    PageInput in = new PageInput(bytes);
    PageInput dictionary = null;
    int entries = 0;
    Page page = Page.next(bytes, in);
    if (page.header.number(1) == ParquetFile.DICTIONARY_PAGE) {
      dictionary = page.unpacked(bytes, column.codec(), gzip);
      // Each takes four bytes at least.
      entries = page.header.struct(7).number(1, dictionary.left() / Integer.BYTES);
      page = Page.next(bytes, in);
    }
    if (page.header.number(1) != ParquetFile.DATA_PAGE || in.left() > 0) {
      throw new DamagedParquetException("it has other pages than it should have");
    }
    ThriftStruct header = page.header.struct(5);
    PageInput data = page.unpacked(bytes, column.codec(), gzip);
    int count = header.number(1, column.facts().count);
    int encoding = header.number(2, Integer.MAX_VALUE);
    return new ColumnPages(dictionary, entries, data, count, column.facts().nulls, encoding);
  }
}
