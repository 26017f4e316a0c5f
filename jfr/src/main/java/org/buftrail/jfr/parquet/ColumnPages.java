package org.buftrail.jfr.parquet;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a column of a row group, unpacked: of a dictionary, if there is one, and of data.
 *
 * @param dictionary null if values stand for themselves
 * @param entries of the dictionary
 * @param count of the values, nulls among them
 * @param encoding of the data
 */
record ColumnPages(
    @Nullable PageInput dictionary, int entries, PageInput data, int count, int encoding) {

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

    PageInput unpacked(byte[] bytes, int codec, Gzip gzip) throws DamagedParquetException {
      if (codec == PlacedColumn.UNCOMPRESSED) {
        return new PageInput(bytes, begin, begin + length);
      }
      byte[] packed = Arrays.copyOfRange(bytes, begin, begin + length);
      return new PageInput(gzip.unpack(packed, header.number(2, Integer.MAX_VALUE)));
    }
  }

  /** Checks the pages of a column, as far as that is seen without their values. */
  static void check(byte[] bytes, PlacedColumn column) throws DamagedParquetException {
    PageInput in = new PageInput(bytes);
    long plain = 0;
    long count = 0;
    while (in.left() > 0) {
      int begin = in.at();
      Page page = Page.next(bytes, in);
      plain += page.begin - begin + page.header.number(2);
      if (page.header.number(1) == ParquetFile.DATA_PAGE) {
        count += page.header.struct(5).number(1);
      }
    }
    if (plain != column.plain() || count != column.facts().count) {
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
      // Each takes a byte at least.
      entries = page.header.struct(7).number(1, dictionary.left());
      page = Page.next(bytes, in);
    }
    if (page.header.number(1) != ParquetFile.DATA_PAGE || in.left() > 0) {
      throw new DamagedParquetException("it has other pages than it should have");
    }
    ThriftStruct header = page.header.struct(5);
    PageInput data = page.unpacked(bytes, column.codec(), gzip);
    int count = header.number(1, column.facts().count);
    return new ColumnPages(dictionary, entries, data, count, header.number(2, Integer.MAX_VALUE));
  }
}
