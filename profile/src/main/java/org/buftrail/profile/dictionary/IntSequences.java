package org.buftrail.profile.dictionary;

import java.util.Arrays;
import org.buftrail.profile.hash.HashIndex;
import org.buftrail.profile.hash.Hashing;

/**
 * Interns sequences of ints; sequence 0 is the empty one. 4 bytes an element, 8 bytes an entry and
 * its slot.
 */
final class IntSequences {
  private final HashIndex slots = new HashIndex();
  private int[] elements = new int[64];
  // The elements of sequence i end at ends[i] and begin where those of i - 1 end.
  private int[] ends = new int[16];
  private int[] hashes = new int[16];
  private int size = 1;
  // Hashes and what their slots hold, read ahead of their use.
  private int[] touched = new int[0];

  int size() {
    return size;
  }

  int intern(int[] values, int from, int to) {
    if (from == to) {
      return 0;
    }
    return intern(Hashing.of(values, from, to), values, from, to);
  }

  /**
   * Interns many sequences that lie one after the other; their misses of the cache overlap.
   *
   * @param bounds where the first begins and where each ends
   */
  void intern(int[] values, int[] bounds, int count, int[] indices) {
    if (touched.length < 2 * count) {
      touched = new int[2 * count];
    }
    for (int i = 0; i < count; i++) {
      int hash = Hashing.of(values, bounds[i], bounds[i + 1]);
      touched[i] = hash;
      touched[count + i] = slots.at(slots.home(hash));
    }
    for (int i = 0; i < count; i++) {
      indices[i] =
          bounds[i] == bounds[i + 1] ? 0 : intern(touched[i], values, bounds[i], bounds[i + 1]);
    }
  }

  private int intern(int hash, int[] values, int from, int to) {
    int slot = slots.home(hash);
    for (int entry = slots.at(slot); entry != 0; entry = slots.at(slot)) {
      int index = slots.index(entry);
      if (slots.matches(entry, hash)
          && Arrays.equals(elements, ends[index - 1], ends[index], values, from, to)) {
        return index;
      }
      slot = slots.after(slot);
    }
    return insert(slot, hash, values, from, to);
  }

  private int insert(int slot, int hash, int[] values, int from, int to) {
    int start = ends[size - 1];
    int length = to - from;
    if (length > elements.length - start) {
      elements = Arrays.copyOf(elements, Growth.of(elements.length, start + (long) length));
    }
    if (size == ends.length) {
      int room = Growth.of(size, size + 1L);
      ends = Arrays.copyOf(ends, room);
      hashes = Arrays.copyOf(hashes, room);
    }
    System.arraycopy(values, from, elements, start, length);
    ends[size] = start + length;
    hashes[size] = hash;
    int index = size++;
    slots.put(slot, hash, index);
    if (slots.isFullWith(size)) {
      slots.grow();
      for (int i = 1; i < size; i++) {
        slots.putFree(hashes[i], i);
      }
    }
    return index;
  }

  int length(int index) {
    return index == 0 ? 0 : ends[index] - ends[index - 1];
  }

  int element(int index, int position) {
    return elements[ends[index - 1] + position];
  }

  /** Copies a whole sequence to the start of a target that is long enough. */
  void copy(int index, int[] target) {
    if (index != 0) {
      System.arraycopy(elements, ends[index - 1], target, 0, length(index));
    }
  }

  /** Where a sequence ends among the elements of all, which lie one behind the other. */
  int end(int index) {
    return ends[index];
  }

  /** Copies elements of all, from one place to another, to the start of a target. */
  void copyElements(int from, int to, int[] target) {
    System.arraycopy(elements, from, target, 0, to - from);
  }

  /** About how many bytes the sequences take. */
  long bytes() {
    return 4L * ends[size - 1] + 16L * size;
  }

  void clear() {
    slots.clear();
    size = 1;
  }
}
