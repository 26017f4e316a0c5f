package org.buftrail.jfr.constants;

import java.util.Arrays;
import org.buftrail.jfr.table.LongIntMap;

/**
 * The constants of one type of which only those that events name are decoded: stack traces and
 * threads. First the keys are asked for, then they are found, then they are resolved in the order
 * of the file.
 */
public final class LazyConstantPool {
  private final LongIntMap indices = new LongIntMap();

  private long[] offsets = new long[64];
  private int[] lengths = new int[64];
  private int[] order = new int[64];
  private int[] resolved = new int[64];
  private int found;

  /** Asks for a constant, which an event names. */
  public void want(long key) {
    int before = indices.size();
    int index = indices.intern(key);
    if (index == before) {
      if (index == offsets.length) {
        lengths = Arrays.copyOf(lengths, index * 2);
        resolved = Arrays.copyOf(resolved, index * 2);
        order = Arrays.copyOf(order, index * 2);
        offsets = Arrays.copyOf(offsets, index * 2);
      }
      offsets[index] = 0;
      resolved[index] = 0;
    }
  }

  /**
   * Notes in which bytes of the file the value of a key is, if anyone asked for it.
   *
   * @param length 0 if nobody will ask for it
   */
  public void found(long key, long offset, int length) {
    int index = indices.get(key);
    if (index >= 0 && offsets[index] == 0) {
      offsets[index] = offset;
      lengths[index] = length;
      order[found++] = index;
    }
  }

  /** Whether a constant was asked for and has not been found yet. */
  public boolean isWanted(long key) {
    int index = indices.get(key);
    return index >= 0 && offsets[index] == 0;
  }

  /** The index of a key, or {@link LongIntMap#NONE} if nobody asked for it. */
  public int indexOf(long key) {
    return indices.get(key);
  }

  /** How many of the wanted constants have been found. */
  public int found() {
    return found;
  }

  /** The index of a found constant, by its rank in the file. */
  public int inOrder(int rank) {
    return order[rank];
  }

  /** Where a constant's value begins in the file; 0 if it has not been found. */
  public long offset(int index) {
    return offsets[index];
  }

  /** How many bytes the value of a found constant takes. */
  public int length(int index) {
    return lengths[index];
  }

  /** Says what a constant has become. */
  public void resolve(int index, int value) {
    resolved[index] = value;
  }

  /** The result for a constant; 0 if it was not found. */
  public int resolved(int index) {
    return resolved[index];
  }

  /** Forgets all constants and keeps the memory. */
  public void clear() {
    indices.clear();
    found = 0;
  }
}
