package org.buftrail.jfr;

import java.nio.charset.StandardCharsets;
import org.buftrail.profile.dictionary.StringTable;

/**
 * Strings that stand in the events of a chunk, as numbers: twice the index in a table and 1, or
 * twice the key of a constant of the chunk, whose text is not known while events are read. Strings
 * that outlast their chunk are in a table of their own, and their numbers odd and below 0. The
 * tables are not the dictionary's, which another thread may be filling meanwhile.
 */
final class ChunkTexts {
  /** No more bytes outlast their chunk: enough for all that has a use, too few to fill a heap. */
  private static final int MOST_KEPT = 16 << 20;

  private final StringTable strings = new StringTable();
  private final StringTable kept = new StringTable();
  private int keptBytes;

  /** Forgets the strings of the last chunk, but for those that outlast it. */
  void clear() {
    strings.clear();
  }

  /** Forgets the strings that outlast their chunk. */
  void clearKept() {
    kept.clear();
    keptBytes = 0;
  }

  /** The number of a string that outlasts its chunk; 0 if there are too many of them. */
  long keep(byte[] utf8, int offset, int length) {
    if (length > MOST_KEPT - keptBytes) {
      return 0;
    }
    int before = kept.size();
    int index = kept.intern(utf8, offset, length);
    keptBytes += kept.size() > before ? kept.byteLength(index) : 0;
    return -(2L * index + 1);
  }

  /** The number that stands for a constant of the chunk. */
  static long ofConstant(long key) {
    return key << 1;
  }

  /** Whether a number stands for a constant of the chunk. */
  static boolean isConstant(long number) {
    return (number & 1) == 0;
  }

  /** The key of the constant that a number stands for. */
  static long constant(long number) {
    return number >> 1;
  }

  /** Length in bytes of the text of a number that does not stand for a constant. */
  int length(long number) {
    return number < 0 ? kept.byteLength(keptIndex(number)) : strings.byteLength(index(number));
  }

  /** Copies the text of a number that does not stand for a constant to the front of an array. */
  void copy(long number, byte[] target) {
    if (number < 0) {
      kept.copy(keptIndex(number), target, 0);
    } else {
      strings.copy(index(number), target, 0);
    }
  }

  private static int index(long number) {
    return (int) (number >> 1);
  }

  private static int keptIndex(long number) {
    return index(-number);
  }

  /** The number of the string at a file offset that is in the window; 0 for none. */
  long intern(Window window, long offset) {
    if (offset == 0) {
      return 0;
    }
    int position = window.position;
    window.seek(offset);
    long number = read(window);
    window.position = position;
    return number;
  }

  private long read(Window window) {
    int start = window.position;
    int encoding = window.fixed1();
    if (encoding == Text.CONSTANT) {
      return ofConstant(window.i8());
    }
    if (encoding == Text.UTF8) {
      int count = window.i4();
      if (count < 0 || count > window.remaining()) {
        return 0;
      }
      return (long) strings.intern(window.bytes, window.position, count) << 1 | 1;
    }
    window.position = start;
    byte[] encoded = Text.read(window).getBytes(StandardCharsets.UTF_8);
    return (long) strings.intern(encoded, 0, encoded.length) << 1 | 1;
  }
}
