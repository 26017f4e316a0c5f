package org.buftrail.flow.scope;

import org.jspecify.annotations.Nullable;

/** A thread's stay in a scope. Immutable. */
public final class Stay {
  final Scope scope;

  /**
   * Whether the thread does work of the scope. Threads of an executor that was made there do not:
   * they may work for others.
   */
  final boolean isOwn;

  /** Whether it is known that the work is of no scope further in, as that of a closed one. */
  final boolean isExact;

  /** The handed task that brought the thread here, or null. */
  final @Nullable Object task;

  /** The scope that counts the task, or null. */
  final @Nullable Scope counting;

  /** Where the thread goes when the task ends; null for nowhere. */
  final @Nullable Stay before;

  private Stay(
      Scope scope,
      boolean isOwn,
      boolean isExact,
      @Nullable Object task,
      @Nullable Scope counting,
      @Nullable Stay before) {
    this.scope = scope;
    this.isOwn = isOwn;
    this.isExact = isExact;
    this.task = task;
    this.counting = counting;
    this.before = before;
  }

  /** The stay of a thread that does work of the scope. */
  static Stay own(Scope scope, boolean isExact) {
    return new Stay(scope, true, isExact, null, null, null);
  }

  /** The stay of a thread that works for any scope. */
  static Stay forOthers(Scope scope) {
    return new Stay(scope, false, false, null, null, null);
  }

  /**
   * The stay of a thread that runs the static initialiser of a class.
   *
   * @param scope whose is what it makes, whatever test runs
   */
  static Stay initializing(Scope scope, String className, @Nullable Stay wasBefore) {
    return new Stay(scope, false, true, className, null, wasBefore);
  }

  /** Whether the thread runs a static initialiser: what it makes may work for any scope. */
  boolean isInitializing() {
    return isExact && !isOwn;
  }

  /** A copy of this stay that lasts as long as a task. */
  Stay during(Object running, boolean isCounted, @Nullable Stay wasBefore) {
    return new Stay(scope, isOwn, isExact, running, isCounted ? scope : null, wasBefore);
  }

  /** The stay in the open scope around, since this one's is closed. */
  Stay in(Scope around) {
    boolean exact = isExact || (isOwn && scope.isInnermost());
    return new Stay(around, isOwn, exact, task, counting, before);
  }
}
