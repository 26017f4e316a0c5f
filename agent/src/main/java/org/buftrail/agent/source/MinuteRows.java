package org.buftrail.agent.source;

import java.util.Arrays;

/**
 * The rows of one interval: by number of the path, how much each of six amounts changed. Packed.
 *
 * <pre>
 *   row      number of the path, less that of the row before; which amounts follow; the amounts
 *   number   7 bits a byte, the lowest first, the highest bit set but in the last
 *   amount   a number, its sign in the lowest bit
 * </pre>
 *
 * <p>Confined to one thread.
 */
final class MinuteRows {
  /** Released, lost and live: how many, and their bytes. */
  static final int AMOUNTS = 6;

  /** More than a row takes. */
  private static final int ROOM = 1 + (AMOUNTS + 1) * 10;

  private byte[] bytes = new byte[256];
  private int size;
  private int last;

  /** Takes what is in a row. */
  interface Reader {
    /**
     * @param path its number
     * @param changes of each amount; used again for the next row
     */
    void row(int path, long[] changes);
  }

  /**
   * Adds a row.
   *
   * @param path larger than that of the row before
   */
  void add(int path, long[] changes) {
    if (size + ROOM > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    number(path - last);
    last = path;
    int present = 0;
    for (int i = 0; i < AMOUNTS; i++) {
      present |= changes[i] == 0 ? 0 : 1 << i;
    }
    bytes[size++] = (byte) present;
    for (int i = 0; i < AMOUNTS; i++) {
      if (changes[i] != 0) {
        number(changes[i] << 1 ^ changes[i] >> 63);
      }
    }
  }

  private void number(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) ((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** The number of bytes in use. */
  int size() {
    return size;
  }

  byte[] packed() {
    return Arrays.copyOf(bytes, size);
  }

  /** Calls with each row. */
  static void read(byte[] packed, Reader reader) {
    long[] changes = new long[AMOUNTS];
    int path = 0;
    int[] at = {0};
    while (at[0] < packed.length) {
      path += (int) number(packed, at);
      int present = packed[at[0]++];
      for (int i = 0; i < AMOUNTS; i++) {
        long value = (present & 1 << i) == 0 ? 0 : number(packed, at);
        changes[i] = value >>> 1 ^ -(value & 1);
      }
      reader.row(path, changes);
    }
  }

  private static long number(byte[] packed, int[] at) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte part = packed[at[0]++];
      value |= (part & 0x7FL) << shift;
      if (part >= 0) {
        return value;
      }
    }
  }
}
