package org.buftrail.junit;

import org.jspecify.annotations.Nullable;

/** What holds for one test or class. Immutable. */
final class Rules {
  final Until allowedUntil;

  /** In milliseconds, not negative. */
  final long grace;

  /** Whether an annotation says so, and not the run. */
  final boolean declaresGrace;

  final boolean misuses;
  final boolean strict;

  /** The budget of a test, which its class may state for all; null where there is none. */
  final @Nullable Budget budget;

  Rules(Until allowedUntil, long grace, boolean misuses, boolean strict) {
    this(allowedUntil, grace, false, misuses, strict, null);
  }

  private Rules(
      Until allowedUntil,
      long grace,
      boolean declaresGrace,
      boolean misuses,
      boolean strict,
      @Nullable Budget budget) {
    this.allowedUntil = allowedUntil;
    this.grace = grace;
    this.declaresGrace = declaresGrace;
    this.misuses = misuses;
    this.strict = strict;
    this.budget = budget;
  }

  /** The same with another budget. */
  Rules with(@Nullable Budget other) {
    return new Rules(allowedUntil, grace, declaresGrace, misuses, strict, other);
  }

  /** The same with a declared grace. */
  Rules withGrace(long millis) {
    return new Rules(allowedUntil, millis, true, misuses, strict, budget);
  }

  /** Whether a budget says how many buffers may be open at the end. */
  boolean limitsLive() {
    return budget != null && budget.live != Budget.UNLIMITED;
  }

  /** How many buffers may be open at the end and are no leak. */
  long allowedLive() {
    return budget == null ? 0 : budget.allowedLive();
  }
}
