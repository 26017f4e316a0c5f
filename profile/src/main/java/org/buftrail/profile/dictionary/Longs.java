package org.buftrail.profile.dictionary;

import java.util.Arrays;
import org.buftrail.profile.hash.HashIndex;
import org.buftrail.profile.hash.Hashing;

/**
 * Lets a record of ints hold 64-bit values. What fits into 31 bits stands for itself; any other
 * value is kept here once and stands as a negative number. Equal values have equal codes.
 */
final class Longs {
  private final HashIndex slots = new HashIndex();
  private long[] values = new long[16];
  private int size = 1;

  int encode(long value) {
    return value >>> 31 == 0 ? (int) value : ~intern(value);
  }

  long decode(int code) {
    return code >= 0 ? code : values[~code];
  }

  private int intern(long value) {
    int hash = Hashing.of(value);
    int slot = slots.home(hash);
    for (int entry = slots.at(slot); entry != 0; entry = slots.at(slot)) {
      if (slots.matches(entry, hash) && values[slots.index(entry)] == value) {
        return slots.index(entry);
      }
      slot = slots.after(slot);
    }
    if (size == values.length) {
      values = Arrays.copyOf(values, Growth.of(size, size + 1L));
    }
    values[size] = value;
    int index = size++;
    slots.put(slot, hash, index);
    if (slots.isFullWith(size)) {
      slots.grow();
      for (int i = 1; i < size; i++) {
        slots.putFree(Hashing.of(values[i]), i);
      }
    }
    return index;
  }

  void clear() {
    slots.clear();
    size = 1;
  }
}
