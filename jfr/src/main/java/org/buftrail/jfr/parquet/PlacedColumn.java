package org.buftrail.jfr.parquet;

/**
 * The footer's entry for a column of a row group.
 *
 * @param codec by its number in Parquet
 * @param dictionaryAt 0 if there is no dictionary
 * @param plain how long its pages would be if they were not packed
 * @param packed how long they are
 */
record PlacedColumn(
    ColumnFacts facts, int codec, long dictionaryAt, long dataAt, long plain, long packed) {
  static final int UNCOMPRESSED = 0;
  static final int SNAPPY = 1;
  static final int GZIP = 2;

  /** Where its first page is. */
  long begin() {
    return dictionaryAt == 0 ? dataAt : dictionaryAt;
  }

  /** The same pages at another place. */
  PlacedColumn at(long begin) {
    long moved = begin - begin();
    return new PlacedColumn(
        facts, codec, dictionaryAt == 0 ? 0 : dictionaryAt + moved, dataAt + moved, plain, packed);
  }
}
