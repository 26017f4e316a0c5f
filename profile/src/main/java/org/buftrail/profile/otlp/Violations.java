package org.buftrail.profile.otlp;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong: the first of it in full, the rest as a number. */
final class Violations {
  static final int KEPT = 1000;

  private final List<Violation> first = new ArrayList<>();
  private long count;

  /** Says what is wrong at a place, given as its prefix and what follows. */
  void add(String place, String message) {
    if (count++ < KEPT) {
      first.add(new Violation(place, message));
    }
  }

  /**
   * Says what is wrong in an entry of a table. The text of the place is made only if it is kept.
   */
  void add(String table, int index, String field, String message) {
    if (count < KEPT) {
      add(table + "[" + index + "]" + field, message);
    } else {
      count++;
    }
  }

  /** The first {@value #KEPT}. */
  List<Violation> first() {
    return List.copyOf(first);
  }

  /** All, also those that are not kept. */
  long count() {
    return count;
  }
}
