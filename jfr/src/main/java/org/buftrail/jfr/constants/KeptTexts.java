package org.buftrail.jfr.constants;

import org.buftrail.profile.dictionary.StringTable;

/**
 * Strings that outlast the chunk that they are in, by numbers that are odd and below 0. Once all
 * are kept, several threads may read them.
 */
public final class KeptTexts {
  /** No more bytes are kept: enough for all that has a use, too few to fill a heap. */
  private static final int MOST_BYTES = 16 << 20;

  private final StringTable strings = new StringTable();
  private int bytes;

  /** The number of a string, which is kept; 0 if there are too many of them. */
  public long keep(byte[] utf8, int offset, int length) {
    if (length > MOST_BYTES - bytes) {
      return 0;
    }
    int before = strings.size();
    int index = strings.intern(utf8, offset, length);
    bytes += strings.size() > before ? strings.byteLength(index) : 0;
    return -(2L * index + 1);
  }

  private static int index(long number) {
    return (int) (-number >> 1);
  }

  /** Length in bytes of the string of a number. */
  public int length(long number) {
    return strings.byteLength(index(number));
  }

  /** Copies the string of a number to the front of an array. */
  public void copy(long number, byte[] target) {
    strings.copy(index(number), target, 0);
  }
}
