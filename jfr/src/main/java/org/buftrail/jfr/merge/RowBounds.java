package org.buftrail.jfr.merge;

import org.buftrail.jfr.kinds.EventKind;

/**
 * The part of a recording whose rows are asked for.
 *
 * @param from chunks that begin at this offset in the file or behind it
 * @param to chunks that begin before this offset
 * @param hasChunks whether rows of events come out
 * @param hasEnds whether rows of what a process left come out
 */
public record RowBounds(long from, long to, boolean hasChunks, boolean hasEnds) {
  static final RowBounds WHOLE = new RowBounds(0, Long.MAX_VALUE, true, true);

  boolean isWhole() {
    return equals(WHOLE);
  }

  /** Whether events of a kind have a part in the rows. */
  boolean needs(EventKind kind) {
    EventKind.Memory memory = kind.memory();
    if (kind.isGauge() || (memory != null && memory.isFreed())) {
      return hasEnds;
    }
    return hasChunks || memory != null;
  }
}
