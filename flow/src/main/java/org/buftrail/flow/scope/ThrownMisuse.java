package org.buftrail.flow.scope;

import org.buftrail.flow.tree.MisuseCounts;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * A misuse whose exception may still reach the code of a test. It does not refer to the exception.
 * Thread-safe.
 */
final class ThrownMisuse {
  private final MisuseCounts counts;
  private final MisuseCounts.Key key;
  private final @Nullable Node earlier;
  private final StackTraceElement[] stack;

  /** Whether the code of a test caught it. Guarded by this. */
  private boolean caught;

  /**
   * @param counts has it already
   */
  ThrownMisuse(
      MisuseCounts counts,
      MisuseCounts.Key key,
      @Nullable Node earlier,
      StackTraceElement[] stack) {
    this.counts = counts;
    this.key = key;
    this.earlier = earlier;
    this.stack = stack;
  }

  /** Takes it out of the counts while it is caught. */
  synchronized void setCaught(boolean now) {
    if (now && !caught) {
      counts.remove(key);
    } else if (!now && caught) {
      counts.add(key, earlier, null, stack);
    }
    caught = now;
  }
}
