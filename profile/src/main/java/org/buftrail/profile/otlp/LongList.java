package org.buftrail.profile.otlp;

import java.util.Arrays;

/** Longs one after the other. */
final class LongList {
  private long[] values = new long[8];
  private int size;

  int size() {
    return size;
  }

  long get(int index) {
    return values[index];
  }

  void set(int index, long value) {
    values[index] = value;
  }

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.addExact(size, size >> 1));
    }
    values[size++] = value;
  }
}
