package org.buftrail.jfr.parquet;

import java.util.Arrays;

/** Integers that come one by one. */
final class Ints {
  private int[] all = new int[64];
  private int size;

  void add(int value) {
    if (size == all.length) {
      all = Arrays.copyOf(all, size * 2);
    }
    all[size++] = value;
  }

  int get(int place) {
    return all[place];
  }

  int size() {
    return size;
  }

  /** All of them, and perhaps more. */
  int[] all() {
    return all;
  }
}
