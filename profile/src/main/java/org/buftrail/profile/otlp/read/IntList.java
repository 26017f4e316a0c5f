package org.buftrail.profile.otlp.read;

import java.util.Arrays;

/** Ints one after the other. */
public final class IntList {
  private int[] values = new int[8];
  private int size;

  public int size() {
    return size;
  }

  public int get(int index) {
    return values[index];
  }

  public void set(int index, int value) {
    values[index] = value;
  }

  public void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.addExact(size, size >> 1));
    }
    values[size++] = value;
  }

  /** The array behind the list; valid up to {@link #size}, until the next change. */
  public int[] array() {
    return values;
  }
}
