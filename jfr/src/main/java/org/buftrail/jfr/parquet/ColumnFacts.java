package org.buftrail.jfr.parquet;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a file's footer says of a column of a row group, but for where it is. */
final class ColumnFacts {
  /** Names from the outermost group to the values. */
  final List<String> path;

  /** Parquet's number of the physical type. */
  final int type;

  /** How many values there are, nulls among them. */
  final int count;

  final int nulls;

  /** The encoding of the data, by its number in Parquet. */
  final int encoding;

  /** The least value, as statistics have it; null if that is not known. */
  final byte @Nullable [] smallest;

  final byte @Nullable [] largest;

  ColumnFacts(
      List<String> path,
      int type,
      int count,
      int nulls,
      int encoding,
      byte @Nullable [] smallest,
      byte @Nullable [] largest) {
    this.path = path;
    this.type = type;
    this.count = count;
    this.nulls = nulls;
    this.encoding = encoding;
    this.smallest = smallest;
    this.largest = largest;
  }
}
