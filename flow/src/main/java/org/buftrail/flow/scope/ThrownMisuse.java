package org.buftrail.flow.scope;

import java.util.Set;
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

  /** The one whose exception this one's took the place of, or null. */
  private final @Nullable ThrownMisuse replaced;

  /** Whether the code of a test caught it. Guarded by this. */
  private boolean caught;

  /**
   * @param counts has it already
   * @param before the last one of the same thread, or null
   * @param tests names of classes of tests
   */
  ThrownMisuse(
      MisuseCounts counts,
      MisuseCounts.Key key,
      @Nullable Node earlier,
      StackTraceElement[] stack,
      @Nullable ThrownMisuse before,
      Set<String> tests) {
    this.counts = counts;
    this.key = key;
    this.earlier = earlier;
    this.stack = stack;
    this.replaced = before != null && isThrownOnTheWayOf(before, tests) ? before : null;
  }

  /**
   * Whether a method that the earlier exception passed did this to the same buffer further down, as
   * a {@code finally} that releases what a failed call was to release: then the earlier one is lost
   * to Java. Not in a test, which may misuse a buffer once after the other.
   */
  private boolean isThrownOnTheWayOf(ThrownMisuse before, Set<String> tests) {
    if (!key.isOfSameEnd(before.key)) {
      return false;
    }
    int mine = stack.length - 1;
    int theirs = before.stack.length - 1;
    while (mine >= 0 && theirs >= 0 && stack[mine].equals(before.stack[theirs])) {
      mine--;
      theirs--;
    }
    if (mine < 0 || theirs < 0) {
      return false;
    }
    StackTraceElement here = stack[mine];
    StackTraceElement there = before.stack[theirs];
    return here.getLineNumber() > there.getLineNumber()
        && there.getLineNumber() > 0
        && here.getMethodName().equals(there.getMethodName())
        && here.getClassName().equals(there.getClassName())
        && !tests.contains(here.getClassName());
  }

  /** Takes it out of the counts while it is caught, with those whose place it took. */
  void setCaught(boolean now) {
    for (ThrownMisuse at = this; at != null; at = at.replaced) {
      at.set(now);
    }
  }

  private synchronized void set(boolean now) {
    if (now && !caught) {
      counts.remove(key);
    } else if (!now && caught) {
      counts.add(key, earlier, null, stack);
    }
    caught = now;
  }
}
