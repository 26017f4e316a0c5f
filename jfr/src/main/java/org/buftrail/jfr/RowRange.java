package org.buftrail.jfr;

import org.buftrail.jfr.merge.RowBounds;

/**
 * A part of a recording whose rows are asked for, so that several readers can share one file. Rows
 * of a recording are those of {@link #chunks} that together cover it, and those of {@link #ends},
 * which go over all of its chunks: what was live in a process, and values of which the last counts.
 *
 * <p>What a chunk says of its process holds for those behind it. Of chunks before the range the
 * first is read for that, and where async-profiler wrote some, all.
 *
 * @param from chunks that begin at this offset in the file or behind it
 * @param to chunks that begin before this offset
 * @param hasChunks whether rows of events come out
 * @param hasEnds whether rows of what a process left come out
 */
public record RowRange(long from, long to, boolean hasChunks, boolean hasEnds) {
  /** All rows of a recording. */
  public static final RowRange WHOLE = new RowRange(0, Long.MAX_VALUE, true, true);

  /** The events of chunks that begin at some offsets. */
  public static RowRange chunks(long from, long to) {
    return new RowRange(from, to, true, false);
  }

  /** What processes left when they ended. */
  public static RowRange ends() {
    return new RowRange(0, Long.MAX_VALUE, false, true);
  }

  RowBounds bounds() {
    return new RowBounds(from, to, hasChunks, hasEnds);
  }
}
