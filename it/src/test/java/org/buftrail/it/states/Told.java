package org.buftrail.it.states;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The figures that a surface told, by the names that the program's ledger has for them: {@code
 * leaked}, {@code direct.leakedBytes}, {@code lose.leaked} for what was last seen in the method
 * {@code lose}.
 */
final class Told {
  private final Map<String, Long> figures = new TreeMap<>();

  /** Takes a figure that is told once, or as often as you like with the same value. */
  Told put(String name, long value) {
    Long before = figures.put(name, value);
    if (before != null && before != value) {
      throw new AssertionError(name + " is both " + before + " and " + value);
    }
    return this;
  }

  /** Adds to a figure that is the sum of what is told. */
  Told add(String name, long value) {
    figures.merge(name, value, Long::sum);
    return this;
  }

  /** A row that stands for one path. */
  void row(String place, String end, long count) {
    if (count > 0) {
      add(place + "." + end, count);
    }
  }

  /** Adds a figure with its bytes. */
  void row(String place, String end, long count, long bytes) {
    row(place, end, count);
    if (count > 0) {
      add(place + "." + end + "Bytes", bytes);
    }
  }

  /**
   * What became of the flows of one path, for surfaces whose sums by memory are those of their
   * paths.
   *
   * @param memory {@code direct}, {@code heap} or {@code resource}
   */
  void path(List<String> hops, String memory, String end, long count, long bytes) {
    String place = Words.place(hops);
    row(place, end, count, bytes);
    if (!place.equals(memory)) {
      row(memory, end, count, bytes);
    }
  }

  /** Calls a figure by another name. */
  Told move(String from, String to) {
    Long value = figures.remove(from);
    return value == null ? this : put(to, value);
  }

  /** Adds what another part shows of something else. */
  void plus(Told part) {
    part.figures.forEach(this::add);
  }

  /** Takes what another part of the surface tells, which must agree. */
  Told alsoIn(Told part) {
    part.figures.forEach(this::put);
    return this;
  }

  Map<String, Long> figures() {
    return figures;
  }

  @Nullable Long get(String name) {
    return figures.get(name);
  }

  @Override
  public String toString() {
    return figures.toString();
  }
}
