package org.buftrail.profile.otlp;

import java.util.Arrays;

/** Ints one after the other. */
final class IntList {
  private int[] values = new int[8];
  private int size;

  int size() {
    return size;
  }

  int get(int index) {
    return values[index];
  }

  void set(int index, int value) {
    values[index] = value;
  }

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.addExact(size, size >> 1));
    }
    values[size++] = value;
  }

  /** The array behind the list; valid up to {@link #size}, until the next change. */
  int[] array() {
    return values;
  }
}
