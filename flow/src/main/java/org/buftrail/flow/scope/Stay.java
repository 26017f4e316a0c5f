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
  private final boolean isExact;

  /** The static initialiser that the thread runs or works for, or null. */
  private final @Nullable Initializer initializer;

  /** The handed task that brought the thread here, or null. */
  final @Nullable Object task;

  /** The scope that counts the task, or null. */
  final @Nullable Scope counting;

  /**
   * Where the thread goes when the task ends; null for nowhere. Without a task, where it was as it
   * entered the scope in a static initialiser, or null.
   */
  final @Nullable Stay before;

  /** One run of a static initialiser. */
  private static final class Initializer {
    final String className;
    volatile boolean hasEnded;

    Initializer(String className) {
      this.className = className;
    }
  }

  private Stay(
      Scope scope,
      boolean isOwn,
      boolean isExact,
      @Nullable Initializer initializer,
      @Nullable Object task,
      @Nullable Scope counting,
      @Nullable Stay before) {
    this.scope = scope;
    this.isOwn = isOwn;
    this.isExact = isExact;
    this.initializer = initializer;
    this.task = task;
    this.counting = counting;
    this.before = before;
  }

  /** The stay of a thread that does work of the scope. */
  static Stay own(Scope scope, boolean isExact) {
    return new Stay(scope, true, isExact, null, null, null, null);
  }

  /**
   * The stay of a thread that has entered the scope.
   *
   * @param wasBefore where it was, or null
   */
  static Stay entered(Scope scope, @Nullable Stay wasBefore) {
    Stay at = wasBefore;
    // A thread of a static initialiser has no task.
    while (at != null && at.task == null && !at.isInitializing()) {
      at = at.before;
    }
    Stay initializing = at != null && at.isInitializing() ? wasBefore : null;
    return new Stay(scope, true, false, null, null, null, initializing);
  }

  /** The stay of a thread that works for any scope. */
  static Stay forOthers(Scope scope) {
    return new Stay(scope, false, false, null, null, null, null);
  }

  /**
   * The stay of a thread that runs the static initialiser of a class.
   *
   * @param scope whose is what it makes, whatever test runs
   */
  static Stay initializing(Scope scope, String className, @Nullable Stay wasBefore) {
    return new Stay(scope, false, true, new Initializer(className), className, null, wasBefore);
  }

  /** The stay of a thread that works for the static initialiser until that ends. */
  Stay forInitializer() {
    return new Stay(scope, false, true, initializer, null, null, null);
  }

  /** The static initialiser of a class has ended, if it is this one. */
  void ended(Object className) {
    if (initializer != null && initializer.className == className) {
      initializer.hasEnded = true;
    }
  }

  /** Whether it is known now that the work is of no scope further in. */
  boolean isExact() {
    return isExact && (initializer == null || !initializer.hasEnded);
  }

  /** Whether the thread runs a static initialiser, or a task of one that goes on. */
  boolean isInitializing() {
    return initializer != null && !initializer.hasEnded;
  }

  /** A copy of this stay that lasts as long as a task. */
  Stay during(Object running, boolean isCounted, @Nullable Stay wasBefore) {
    return new Stay(
        scope, isOwn, isExact, initializer, running, isCounted ? scope : null, wasBefore);
  }

  /** Where the thread goes as it closes the scope: to who entered it, or to the one around. */
  @Nullable Stay outside() {
    if (task == null && before != null) {
      return before;
    }
    Scope around = scope.orAround();
    return around == null ? null : own(around, false);
  }

  /** The stay in the open scope around, since this one's is closed. */
  Stay in(Scope around) {
    boolean exact = isExact || (isOwn && scope.isInnermost());
    return new Stay(around, isOwn, exact, initializer, task, counting, before);
  }
}
