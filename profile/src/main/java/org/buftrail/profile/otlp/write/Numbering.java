package org.buftrail.profile.otlp.write;

import java.util.Arrays;

/**
 * Which entries of a table are used, and which numbers they get when the others are left out. The
 * order stays; entry 0 is always there. 4 bytes an entry of the table.
 */
final class Numbering {
  private int[] numbers = new int[0];
  private int size;

  /** Begins anew for a table of a given size: nothing is used but entry 0. */
  void reset(int tableSize) {
    if (numbers.length < tableSize) {
      numbers = new int[tableSize];
    } else {
      Arrays.fill(numbers, 0, tableSize, 0);
    }
    numbers[0] = 1;
    size = tableSize;
  }

  /** Marks an entry as used. */
  void use(int index) {
    numbers[index] = 1;
  }

  /** Marks the first of some entries as used. */
  void use(int[] indices, int length) {
    int[] all = numbers;
    for (int i = 0; i < length; i++) {
      all[indices[i]] = 1;
    }
  }

  /** Whether an entry is marked; later, whether it has a number. Entry 0 is not asked for. */
  boolean isUsed(int index) {
    return numbers[index] > 0;
  }

  /** Hands out the numbers; nothing may be marked any more. */
  void number() {
    int next = 0;
    for (int i = 0; i < size; i++) {
      if (numbers[i] != 0) {
        numbers[i] = next++;
      }
    }
  }

  /** The number of a used entry. */
  int of(int index) {
    return numbers[index];
  }

  /** Replaces the first of some used entries by their numbers. */
  void replace(int[] indices, int length) {
    int[] all = numbers;
    for (int i = 0; i < length; i++) {
      indices[i] = all[indices[i]];
    }
  }
}
