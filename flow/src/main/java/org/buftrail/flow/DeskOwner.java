package org.buftrail.flow;

import org.jspecify.annotations.Nullable;

/**
 * What other threads read of a {@link Desk}: a release asks the desk where the life began whether
 * it is its own. In front of the guard, so that none of them takes the line that the owner writes.
 */
abstract class DeskOwner {
  /** Null when shared. Held until the sweep after its end. */
  final @Nullable Thread owner;

  DeskOwner(@Nullable Thread owner) {
    this.owner = owner;
  }
}
