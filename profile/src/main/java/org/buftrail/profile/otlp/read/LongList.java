package org.buftrail.profile.otlp.read;

import java.util.Arrays;

/** Longs one after the other. */
public final class LongList {
  private long[] values = new long[8];
  private int size;

  public int size() {
    return size;
  }

  public long get(int index) {
    return values[index];
  }

  public void set(int index, long value) {
    values[index] = value;
  }

  public void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.addExact(size, size >> 1));
    }
    values[size++] = value;
  }
}
