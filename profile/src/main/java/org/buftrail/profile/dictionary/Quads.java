package org.buftrail.profile.dictionary;

import java.util.Arrays;

/** Interns records of four ints; record 0 is all zeros. 16 bytes an entry and its slot. */
final class Quads {
  private static final int STRIDE = 4;

  private final Slots slots = new Slots();
  private int[] records = new int[STRIDE * 16];
  private int size = 1;
  // Hashes and what their slots hold, read ahead of their use.
  private int[] touched = new int[0];

  int size() {
    return size;
  }

  int intern(int a, int b, int c, int d) {
    if ((a | b | c | d) == 0) {
      return 0;
    }
    return intern(Hashing.of(a, b, c, d), a, b, c, d);
  }

  /** Interns many records whose fourth number is 0; their misses of the cache overlap. */
  void intern(int[] a, int[] b, int[] c, int count, int[] indices) {
    if (touched.length < 2 * count) {
      touched = new int[2 * count];
    }
    for (int i = 0; i < count; i++) {
      int hash = Hashing.of(a[i], b[i], c[i], 0);
      touched[i] = hash;
      touched[count + i] = slots.at(slots.home(hash));
    }
    for (int i = 0; i < count; i++) {
      int entry = touched[count + i];
      if (entry != 0 && slots.matches(entry, touched[i])) {
        touched[count + i] = records[slots.index(entry) * STRIDE];
      }
    }
    for (int i = 0; i < count; i++) {
      boolean zero = (a[i] | b[i] | c[i]) == 0;
      indices[i] = zero ? 0 : intern(touched[i], a[i], b[i], c[i], 0);
    }
  }

  private int intern(int hash, int a, int b, int c, int d) {
    int[] all = records;
    int slot = slots.home(hash);
    for (int entry = slots.at(slot); entry != 0; entry = slots.at(slot)) {
      if (slots.matches(entry, hash)) {
        int at = slots.index(entry) * STRIDE;
        if (all[at] == a && all[at + 1] == b && all[at + 2] == c && all[at + 3] == d) {
          return at / STRIDE;
        }
      }
      slot = slots.after(slot);
    }
    return insert(slot, hash, a, b, c, d);
  }

  private int insert(int slot, int hash, int a, int b, int c, int d) {
    int at = size * STRIDE;
    if (at == records.length) {
      records = Arrays.copyOf(records, Growth.of(at, at + (long) STRIDE) & -STRIDE);
    }
    records[at] = a;
    records[at + 1] = b;
    records[at + 2] = c;
    records[at + 3] = d;
    int index = size++;
    slots.put(slot, hash, index);
    if (slots.isFullWith(size)) {
      slots.grow();
      for (int i = 1; i < size; i++) {
        slots.putFree(Hashing.of(first(i), second(i), third(i), fourth(i)), i);
      }
    }
    return index;
  }

  int first(int index) {
    return records[index * STRIDE];
  }

  int second(int index) {
    return records[index * STRIDE + 1];
  }

  int third(int index) {
    return records[index * STRIDE + 2];
  }

  int fourth(int index) {
    return records[index * STRIDE + 3];
  }

  void clear() {
    slots.clear();
    size = 1;
  }
}
