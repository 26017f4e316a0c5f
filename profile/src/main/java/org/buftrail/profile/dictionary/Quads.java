package org.buftrail.profile.dictionary;

import java.util.Arrays;
import java.util.Objects;
import org.buftrail.profile.hash.HashIndex;
import org.buftrail.profile.hash.Hashing;
import org.jspecify.annotations.Nullable;

/**
 * Interns records of four ints; record 0 is all zeros. 16 bytes an entry and its slot.
 *
 * <p>Where the first number is an index in another table and most records have one of their own, it
 * finds the first record that has it, and only those that follow need a slot: entries that are new
 * in both tables lie side by side in both, while slots are all over the memory.
 */
final class Quads {
  private static final int STRIDE = 4;

  private final HashIndex slots = new HashIndex();
  private int[] records = new int[STRIDE * 16];
  private int size = 1;
  private boolean hasSlots;
  // The first record of each first number; null if all records have slots.
  private int @Nullable [] firsts;
  // Hashes and what their slots hold, read ahead of their use.
  private int[] touched = new int[0];

  /** A table in which every record has a slot. */
  Quads() {}

  private Quads(int[] firsts) {
    this.firsts = firsts;
  }

  /** A table of records whose first number is an index, which most records do not share. */
  static Quads byFirst() {
    return new Quads(new int[16]);
  }

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
  void intern(int[] a, int[] b, int[] c, int from, int to, int[] indices, int at) {
    int count = to - from;
    if (touched.length < 2 * count) {
      touched = new int[2 * count];
    }
    for (int i = 0; i < count; i++) {
      int hash = Hashing.of(a[from + i], b[from + i], c[from + i], 0);
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
      int k = from + i;
      boolean zero = (a[k] | b[k] | c[k]) == 0;
      indices[at + i] = zero ? 0 : intern(touched[i], a[k], b[k], c[k], 0);
    }
  }

  private int intern(int hash, int a, int b, int c, int d) {
    if (firsts != null) {
      int index = first(firsts, a);
      if (index == 0) {
        return addFirst(a, b, c, d);
      }
      if (is(index, a, b, c, d)) {
        return index;
      }
    }
    int slot = slots.home(hash);
    for (int entry = slots.at(slot); entry != 0; entry = slots.at(slot)) {
      if (slots.matches(entry, hash)) {
        int index = slots.index(entry);
        if (is(index, a, b, c, d)) {
          return index;
        }
      }
      slot = slots.after(slot);
    }
    return insert(slot, hash, a, b, c, d);
  }

  private boolean is(int index, int a, int b, int c, int d) {
    int[] all = records;
    int at = index * STRIDE;
    return all[at] == a && all[at + 1] == b && all[at + 2] == c && all[at + 3] == d;
  }

  private static int first(int[] firsts, int a) {
    return a < firsts.length ? firsts[a] : 0;
  }

  private int addFirst(int a, int b, int c, int d) {
    int[] known = Objects.requireNonNull(firsts);
    if (a >= known.length) {
      known = Arrays.copyOf(known, Growth.of(known.length, a + 1L));
      firsts = known;
    }
    known[a] = size;
    return add(a, b, c, d);
  }

  private int insert(int slot, int hash, int a, int b, int c, int d) {
    int index = add(a, b, c, d);
    hasSlots = true;
    if (!slots.isFullWith(size)) {
      slots.put(slot, hash, index);
      return index;
    }
    // More than once if many have come that need no slot.
    do {
      slots.grow();
    } while (slots.isFullWith(size));
    for (int i = 1; i < size; i++) {
      if (firsts == null || first(firsts, first(i)) != i) {
        slots.putFree(Hashing.of(first(i), second(i), third(i), fourth(i)), i);
      }
    }
    return index;
  }

  private int add(int a, int b, int c, int d) {
    int at = size * STRIDE;
    if (at == records.length) {
      records = Arrays.copyOf(records, Growth.of(at, at + (long) STRIDE) & -STRIDE);
    }
    records[at] = a;
    records[at + 1] = b;
    records[at + 2] = c;
    records[at + 3] = d;
    return size++;
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
    if (hasSlots) {
      slots.clear();
    }
    if (firsts != null && size > 1) {
      Arrays.fill(firsts, 0);
    }
    size = 1;
    hasSlots = false;
  }
}
