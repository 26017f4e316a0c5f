package org.buftrail.jfr.constants;

import java.util.Arrays;
import org.buftrail.jfr.stacks.StackDecoder;
import org.buftrail.jfr.table.LongIntMap;

/** The constants of one type that are a few integers: classes and methods. */
public final class ConstantPool implements StackDecoder.Frames {
  private final int columns;
  private final LongIntMap indices = new LongIntMap();
  private long[] records;

  /**
   * @param columns integers of a constant
   */
  public ConstantPool(int columns) {
    this.columns = columns;
    this.records = new long[columns * 128];
  }

  /** Adds a constant, or replaces the one of the same key. */
  public void put(long key, long[] values) {
    int at = indices.intern(key) * columns;
    if (at == records.length) {
      records = Arrays.copyOf(records, at * 2);
    }
    System.arraycopy(values, 0, records, at, columns);
  }

  /** The index of a key, or {@link LongIntMap#NONE}. */
  @Override
  public int indexOf(long key) {
    return indices.get(key);
  }

  /** The key of a constant. */
  public long key(int index) {
    return indices.key(index);
  }

  /** One integer of a constant. */
  @Override
  public long get(int index, int column) {
    return records[index * columns + column];
  }

  /** Number of constants. */
  public int size() {
    return indices.size();
  }

  /** Forgets all constants and keeps the memory. */
  public void clear() {
    indices.clear();
  }
}
