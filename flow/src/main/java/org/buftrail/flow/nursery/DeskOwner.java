package org.buftrail.flow.nursery;

import org.jspecify.annotations.Nullable;

/**
 * What other threads read of a {@link Desk}: who finds one in a table asks it whether it is its
 * own. In front of the guard, so that none of them takes the line that the owner writes.
 */
abstract class DeskOwner {
  /** What a processor moves at a time. */
  static final int GUARD_BYTES = 64;

  /** Elements of a {@code long} array that make a guard: see {@link DeskCounts}. */
  static final int GUARD_LONGS = GUARD_BYTES / Long.BYTES;

  /** Null when shared. Held until the sweep after its end. */
  final @Nullable Thread owner;

  DeskOwner(@Nullable Thread owner) {
    this.owner = owner;
  }
}
