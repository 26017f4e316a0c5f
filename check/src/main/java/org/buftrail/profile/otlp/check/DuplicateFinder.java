package org.buftrail.profile.otlp.check;

import java.util.Arrays;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.StackTable;
import org.buftrail.profile.otlp.read.IntList;

/** Tells records that were seen before, by their ints. */
final class DuplicateFinder {
  // A stack table interns any sequence of ints.
  private final StackTable seen = new Dictionary().stacks();
  private final IntList firstEntries = new IntList();
  private int[] record = new int[16];
  private int length;

  DuplicateFinder() {
    firstEntries.add(-1);
  }

  /** Begins a record. It never is the empty one. */
  DuplicateFinder begin() {
    record[0] = 1;
    length = 1;
    return this;
  }

  DuplicateFinder add(int value) {
    if (length == record.length) {
      record = Arrays.copyOf(record, Math.addExact(length, length));
    }
    record[length++] = value;
    return this;
  }

  DuplicateFinder add(long value) {
    return add((int) value).add((int) (value >>> 32));
  }

  DuplicateFinder add(byte[] bytes) {
    add(bytes.length);
    for (byte b : bytes) {
      add(b);
    }
    return this;
  }

  /** Adds a part of a list, in its order. */
  DuplicateFinder add(IntList values, int from, int to) {
    for (int i = from; i < to; i++) {
      add(values.get(i));
    }
    return this;
  }

  /** Adds a part of a list whose order means nothing. */
  DuplicateFinder addSet(IntList values, int from, int to) {
    int start = length;
    add(values, from, to);
    Arrays.sort(record, start, length);
    return this;
  }

  /** The entry that had the same record, or -1 if this is the first. */
  int end(int entry) {
    int index = seen.intern(record, 0, length);
    if (index < firstEntries.size()) {
      return firstEntries.get(index);
    }
    firstEntries.add(entry);
    return -1;
  }
}
