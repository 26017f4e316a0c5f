package org.buftrail.spark;

import java.io.Serializable;
import org.buftrail.jfr.RowRange;

/**
 * A recording, or a part of it, that one task reads.
 *
 * @param path the file's address
 * @param from chunks that begin there or behind it
 * @param to chunks that begin before it
 * @param part which rows
 */
record RecordingSlice(String path, long from, long to, Part part) implements Serializable {
  /** The rows of a part. */
  enum Part {
    WHOLE,
    CHUNKS,
    ENDS
  }

  static RecordingSlice whole(String path) {
    return new RecordingSlice(path, 0, Long.MAX_VALUE, Part.WHOLE);
  }

  RowRange range() {
    return switch (part) {
      case WHOLE -> RowRange.WHOLE;
      case CHUNKS -> RowRange.chunks(from, to);
      case ENDS -> RowRange.ends();
    };
  }
}
