package org.buftrail.junit;

/** What holds for one test or class. Immutable. */
final class Rules {
  final Until allowedUntil;

  /** In milliseconds, not negative. */
  final long grace;

  final boolean misuses;
  final boolean strict;

  Rules(Until allowedUntil, long grace, boolean misuses, boolean strict) {
    this.allowedUntil = allowedUntil;
    this.grace = grace;
    this.misuses = misuses;
    this.strict = strict;
  }
}
