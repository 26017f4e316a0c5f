package org.buftrail.jfr.file;

import java.nio.charset.StandardCharsets;

/**
 * The encodings of a string: a leading byte, then what it says.
 *
 * <p>All methods work at the buffer's position and leave it behind the string; a string that does
 * not fit in the data leaves it past the buffer's limit.
 */
public final class Text {
  public static final int NULL = 0;
  public static final int EMPTY = 1;

  /** A key of the constant pool of {@code java.lang.String}. */
  public static final int CONSTANT = 2;

  public static final int UTF8 = 3;

  /** A count and as many UTF-16 units, each an integer. */
  public static final int CHARS = 4;

  public static final int LATIN1 = 5;

  /** Units of a text that is passed over one by one. */
  private static final int SHORT = 256;

  private Text() {}

  /** Passes over a string. */
  public static void skip(Cursor buffer) {
    int encoding = buffer.fixed1();
    switch (encoding) {
      case CONSTANT -> buffer.i8();
      case UTF8, LATIN1 -> advance(buffer, buffer.i4());
      case CHARS -> {
        int count = buffer.i4();
        if (count < 0 || count > buffer.remaining()) {
          buffer.position = buffer.limit + 1;
        } else if (buffer.compressed) {
          int plain = oneByteEach(buffer, count);
          buffer.position += plain;
          buffer.skipVarints(count - plain);
        } else {
          advance(buffer, 2L * count);
        }
      }
      default -> {
        // Null, empty, or an encoding nobody defined: no bytes follow.
      }
    }
  }

  /**
   * How many of the next varints are one byte each, up to the first that is not, or so many that
   * the rest is worth reading by words. Metadata has some 2,000 short texts, which take a JVM that
   * is started for one recording three times as long by words.
   */
  private static int oneByteEach(Cursor buffer, int count) {
    byte[] b = buffer.bytes;
    int from = buffer.position;
    int most = Math.min(count, SHORT);
    int plain = 0;
    while (plain < most && b[from + plain] >= 0) {
      plain++;
    }
    return plain;
  }

  private static void advance(Cursor buffer, long count) {
    if (count < 0 || count > buffer.remaining()) {
      buffer.position = buffer.limit + 1;
    } else {
      buffer.position += (int) count;
    }
  }

  /** Decodes a string; null, a constant's key and what does not fit come out empty. */
  public static String read(Cursor buffer) {
    int start = buffer.position;
    int encoding = buffer.fixed1();
    switch (encoding) {
      case UTF8, LATIN1 -> {
        int count = buffer.i4();
        int at = buffer.position;
        advance(buffer, count);
        if (buffer.position > buffer.limit) {
          return "";
        }
        return new String(
            buffer.bytes,
            at,
            count,
            encoding == UTF8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
      }
      case CHARS -> {
        return chars(buffer);
      }
      default -> {
        buffer.position = start;
        skip(buffer);
        return "";
      }
    }
  }

  private static String chars(Cursor buffer) {
    int count = buffer.i4();
    if (count < 0 || count > buffer.remaining()) {
      buffer.position = buffer.limit + 1;
      return "";
    }
    char[] chars = new char[count];
    for (int i = 0; i < count && buffer.position < buffer.limit; i++) {
      chars[i] = (char) (buffer.compressed ? buffer.varint() : buffer.fixed2());
    }
    return new String(chars);
  }
}
