package org.buftrail.flow.nursery;

import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link ThreadRing} that other threads read: a thread that finds one in a table asks
 * whether it is its own. In front of the guard, so that none of them takes the line that the owner
 * writes.
 */
abstract class RingOwner {
  /** The bytes that a processor moves at a time. */
  static final int GUARD_BYTES = 64;

  /** Elements of a {@code long} array that make a guard: see {@link RingCounts}. */
  static final int GUARD_LONGS = GUARD_BYTES / Long.BYTES;

  /** The owning thread; null for a shared ring. Kept until the sweep after its end. */
  final @Nullable Thread owner;

  RingOwner(@Nullable Thread owner) {
    this.owner = owner;
  }
}
