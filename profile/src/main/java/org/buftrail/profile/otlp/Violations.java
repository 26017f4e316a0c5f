package org.buftrail.profile.otlp;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong, and what could be better: the first of each in full, all as a number. */
public final class Violations {
  static final int KEPT = 1000;

  private final List<Violation> musts = new ArrayList<>();
  private final List<Violation> advices = new ArrayList<>();
  private long mustCount;
  private long adviceCount;

  /** Says what is wrong at a place, given as its prefix and what follows. */
  public void add(String place, String message) {
    if (mustCount++ < KEPT) {
      musts.add(new Violation(place, message, false));
    }
  }

  /**
   * Says what is wrong in an entry of a table. The text of the place is made only if it is kept.
   */
  public void add(String table, int index, String field, String message) {
    if (mustCount < KEPT) {
      add(table + "[" + index + "]" + field, message);
    } else {
      mustCount++;
    }
  }

  /** Says what the specification recommends, or a receiver asks for, at a place. */
  public void advise(String place, String message) {
    if (adviceCount++ < KEPT) {
      advices.add(new Violation(place, message, true));
    }
  }

  /** Like the method above, for an entry of a table. */
  public void advise(String table, int index, String field, String message) {
    if (adviceCount < KEPT) {
      advise(table + "[" + index + "]" + field, message);
    } else {
      adviceCount++;
    }
  }

  /** The first {@value #KEPT} that are wrong, and the first so many that could be better. */
  public List<Violation> first() {
    List<Violation> first = new ArrayList<>(musts);
    first.addAll(advices);
    return List.copyOf(first);
  }

  /** All that is wrong, also what is not kept. */
  public long count() {
    return mustCount;
  }

  /** All that could be better, also what is not kept. */
  public long adviceCount() {
    return adviceCount;
  }

  /** A text in quotes, cut to a length that fits a line, without control characters. */
  public static String quoted(String text) {
    String clean = text.replaceAll("\\p{Cntrl}", "?");
    return '"' + (clean.length() > 60 ? clean.substring(0, 57) + "..." : clean) + '"';
  }
}
