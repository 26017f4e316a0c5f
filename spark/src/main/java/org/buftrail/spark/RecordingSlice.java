package org.buftrail.spark;

import java.io.Serializable;
import java.util.List;
import org.buftrail.jfr.Damage;
import org.buftrail.jfr.RowRange;
import org.jspecify.annotations.Nullable;

/**
 * A recording, or a part of it, that one task reads.
 *
 * @param path the file's address
 * @param from chunks that begin there or behind it
 * @param to chunks that begin before it
 * @param part which rows
 * @param directories values of the columns that directories stand for
 */
record RecordingSlice(
    String path, long from, long to, Part part, List<@Nullable Object> directories)
    implements Serializable {
  /** The rows of a part. */
  enum Part {
    WHOLE,
    CHUNKS,
    ENDS
  }

  static RecordingSlice whole(String path) {
    return whole(path, List.of());
  }

  static RecordingSlice whole(String path, List<@Nullable Object> directories) {
    return new RecordingSlice(path, 0, Long.MAX_VALUE, Part.WHOLE, directories);
  }

  /** Whether this slice, and no other of the recording, reports a damage: they may meet it too. */
  boolean tells(Damage damage) {
    return switch (part) {
      case WHOLE -> true;
      case CHUNKS -> damage.chunk() == Damage.WHOLE_FILE ? tellsOfFile() : from <= damage.offset();
      case ENDS -> false;
    };
  }

  /** Whether this slice reports what is wrong with the whole recording. */
  boolean tellsOfFile() {
    return from == 0 && part != Part.ENDS;
  }

  RecordingSlice part(long start, long end, Part which) {
    return new RecordingSlice(path, start, end, which, directories);
  }

  RowRange range() {
    return switch (part) {
      case WHOLE -> RowRange.WHOLE;
      case CHUNKS -> RowRange.chunks(from, to);
      case ENDS -> RowRange.ends();
    };
  }
}
