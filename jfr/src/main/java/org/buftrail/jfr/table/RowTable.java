package org.buftrail.jfr.table;

import java.util.Arrays;
import org.buftrail.profile.hash.HashIndex;

/**
 * Sums of values by a key of several {@code long} columns: how the events of a chunk are added up
 * before any of their constants is known.
 *
 * <p>Rows lie one after the other in one array, key columns first.
 */
public final class RowTable {
  private final HashIndex slots = new HashIndex();
  private final long[] factors;
  private final int keys;
  private final int stride;
  private long[] rows;
  private int size;

  /**
   * @param keys columns of the key
   * @param values columns to add to
   */
  public RowTable(int keys, int values) {
    this.keys = keys;
    this.factors = HashSeed.draw(2 * keys);
    this.stride = keys + values;
    this.rows = new long[stride * 32];
  }

  /** Number of rows. */
  public int size() {
    return size;
  }

  /** The row of the key in the first elements of an array; a new row has zeros for values. */
  public int row(long[] key) {
    int hash = hash(key, 0);
    int slot = slots.home(hash);
    for (int entry = slots.at(slot); entry != 0; entry = slots.at(slot)) {
      int row = slots.index(entry) - 1;
      if (slots.matches(entry, hash) && matches(key, row * stride)) {
        return row;
      }
      slot = slots.after(slot);
    }
    return insert(slot, hash, key);
  }

  public long key(int row, int column) {
    return rows[row * stride + column];
  }

  public long value(int row, int column) {
    return rows[row * stride + keys + column];
  }

  /** Adds to a value of a row, which stays at the end of its range once it is there. */
  public void add(int row, int column, long amount) {
    int at = row * stride + keys + column;
    rows[at] = SaturatingMath.plus(rows[at], amount);
  }

  /** Adds one to a value of a row. */
  public void increment(int row, int column) {
    rows[row * stride + keys + column]++;
  }

  /** Replaces a value of a row. */
  public void set(int row, int column, long value) {
    rows[row * stride + keys + column] = value;
  }

  /** Forgets all rows and keeps the memory. */
  public void clear() {
    if (size > 0) {
      slots.clear();
      size = 0;
    }
  }

  private boolean matches(long[] key, int at) {
    long[] all = rows;
    for (int i = 0; i < keys; i++) {
      if (all[at + i] != key[i]) {
        return false;
      }
    }
    return true;
  }

  private int hash(long[] from, int at) {
    // The products do not wait for each other. A factor for each half of a column: with one alone,
    // keys can be told whose sums have the same upper half whatever the factors are.
    long hash = 0;
    for (int i = 0; i < keys; i++) {
      long column = from[at + i];
      hash += column * factors[2 * i] + (column >>> 32) * factors[2 * i + 1];
    }
    return (int) (hash >>> 32);
  }

  private int insert(int slot, int hash, long[] key) {
    int at = size * stride;
    if (at + stride > rows.length) {
      rows = Arrays.copyOf(rows, Math.max(at + stride, Math.addExact(at, at)));
    }
    System.arraycopy(key, 0, rows, at, keys);
    Arrays.fill(rows, at + keys, at + stride, 0);
    slots.put(slot, hash, ++size);
    if (slots.isFullWith(size)) {
      slots.grow();
      for (int row = 0; row < size; row++) {
        slots.putFree(hash(rows, row * stride), row + 1);
      }
    }
    return size - 1;
  }
}
