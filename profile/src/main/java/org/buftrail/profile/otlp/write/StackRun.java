package org.buftrail.profile.otlp.write;

import org.buftrail.profile.dictionary.StackTable;

/**
 * Walks over the used stacks of a table, some at a time with their locations in one array: most
 * stacks are short, and to copy each alone takes longer than what is done with it.
 */
final class StackRun {
  /** Locations that are copied together, unless a single stack has more. */
  private static final int MOST = 4096;

  private final Numbering used;
  private int end;
  private int[] locations = new int[MOST];
  private int from;
  private int to;
  private int frames;

  /**
   * @param used which stacks are walked over
   */
  StackRun(Numbering used) {
    this.used = used;
  }

  /**
   * Goes to before the first used stack of a range.
   *
   * @param first the first stack, not the empty one
   * @param newEnd behind the last stack
   */
  void begin(int first, int newEnd) {
    end = newEnd;
    to = first;
  }

  /**
   * Goes on to the next stacks.
   *
   * @param table the same for the whole range
   * @return false if there are none
   */
  boolean next(StackTable table) {
    from = to;
    while (from < end && !used.isUsed(from)) {
      from++;
    }
    int start = table.end(from - 1);
    to = from;
    while (to < end && used.isUsed(to) && (to == from || table.end(to) - start <= MOST)) {
      to++;
    }
    if (from == to) {
      return false;
    }
    frames = table.end(to - 1) - start;
    if (locations.length < frames) {
      locations = new int[frames];
    }
    table.copyLocations(start, start + frames, locations);
    return true;
  }

  /** The first of these stacks. */
  int from() {
    return from;
  }

  /** Behind the last of these stacks. */
  int to() {
    return to;
  }

  /** How many locations these stacks have together. */
  int frames() {
    return frames;
  }

  /** The locations of these stacks, each leaf first; may be changed. */
  int[] locations() {
    return locations;
  }
}
