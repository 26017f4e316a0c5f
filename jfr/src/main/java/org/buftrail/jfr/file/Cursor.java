package org.buftrail.jfr.file;

import org.buftrail.profile.hash.Words;

/**
 * A position in bytes of a recording, and the decoding of JFR's primitives there.
 *
 * <p>Decoding does not check bounds at each byte: the array ends with {@value #SLACK} zero bytes,
 * so a decoder that runs past the data stops there, and its caller compares {@link #position} with
 * the end of what it decodes before using the result.
 *
 * <p>Belongs to one thread.
 */
public class Cursor {
  /** Zero bytes behind the data: more than any run of decoding between two checks can consume. */
  public static final int SLACK = 16 << 10;

  /** The top bits of eight bytes, which the last byte of a varint does not have. */
  public static final long LAST_BYTES = 0x8080808080808080L;

  /** Multiplied with eight bytes of 0 or 1, leaves them as bits of the top byte, lowest first. */
  private static final long GATHER = 0x0102040810204080L;

  /** The data, then slack. */
  public byte[] bytes;

  /** Index in {@link #bytes} of the next byte to decode. */
  public int position;

  /** Index in {@link #bytes} behind the last byte of data. */
  public int limit;

  /** Whether integers are stored as varints, as the chunk's header says. */
  public boolean compressed;

  /**
   * A cursor at the first byte of an array.
   *
   * @param array the data, with slack behind it
   * @param length of the data
   * @param compressed whether integers are varints
   */
  public Cursor(byte[] array, int length, boolean compressed) {
    this.bytes = array;
    this.limit = length;
    this.compressed = compressed;
  }

  /** Offset in the file, or in the array if there is no file, of the next byte to decode. */
  public long offset() {
    return position;
  }

  /** Decodes a varint: seven bits a byte, lowest first, and eight in the ninth. */
  public final long varint() {
    byte[] b = bytes;
    int p = position;
    int first = b[p];
    if (first >= 0) {
      position = p + 1;
      return first;
    }
    int second = b[p + 1];
    if (second >= 0) {
      position = p + 2;
      return (first & 0x7f) | second << 7;
    }
    long word = Words.get(b, p);
    long last = ~word & LAST_BYTES;
    if (last == 0) {
      position = p + 9;
      return sevens(word) | ((long) b[p + 8] << 56);
    }
    int zeros = Long.numberOfTrailingZeros(last);
    position = p + (zeros >>> 3) + 1;
    return sevens(word & (-1L >>> (Long.SIZE - 1 - zeros)));
  }

  /** One bit for each of eight bytes: whether it lacks the top bit. */
  public static int ends(long bytes) {
    return (int) ((((~bytes & LAST_BYTES) >>> 7) * GATHER) >>> 56);
  }

  /** A varint whose last byte is so many bytes behind its first, at most seven. */
  public static long varint(byte[] b, int at, int last) {
    long word = Words.get(b, at);
    return sevens(word & (-1L >>> (Long.SIZE - Byte.SIZE - Byte.SIZE * last)));
  }

  /** The low seven bits of eight bytes, one after the other. */
  public static long sevens(long word) {
    long pairs = (word & 0x007f007f007f007fL) | ((word & 0x7f007f007f007f00L) >>> 1);
    long fours = (pairs & 0x00003fff00003fffL) | ((pairs & 0x3fff00003fff0000L) >>> 2);
    return (fours & 0x0fffffffL) | ((fours & 0x0fffffff00000000L) >>> 4);
  }

  /**
   * Passes over a number of varints: finds their last bytes, the ones without the top bit, eight
   * bytes at a time.
   */
  public final void skipVarints(int count) {
    byte[] b = bytes;
    int p = position;
    int left = count;
    int run = 0;
    while (left >= 8 && p < limit) {
      long last = ~Words.get(b, p) & LAST_BYTES;
      // A ninth byte may have its top bit set and still be the last: only after eight that do.
      if (last == 0 || run + (Long.numberOfTrailingZeros(last) >>> 3) >= 8) {
        break;
      }
      run = Long.numberOfLeadingZeros(last) >>> 3;
      left -= Long.bitCount(last);
      p += 8;
    }
    position = p - run;
    while (left-- > 0 && position < limit) {
      skipVarint();
    }
  }

  /** Passes over one varint. */
  public final void skipVarint() {
    byte[] b = bytes;
    int p = position;
    int most = p + 8;
    while (p < most && b[p] < 0) {
      p++;
    }
    position = p + 1;
  }

  /** Decodes a {@code long}. */
  public final long i8() {
    return compressed ? varint() : fixed8();
  }

  /** Decodes an {@code int}; compressed ones hold a negative number as 32 unsigned bits. */
  public final int i4() {
    return compressed ? (int) varint() : fixed4();
  }

  /** Decodes eight bytes, highest first. */
  public final long fixed8() {
    long value = Long.reverseBytes(Words.get(bytes, position));
    position += 8;
    return value;
  }

  /** Decodes four bytes, highest first. */
  public final int fixed4() {
    int value = Integer.reverseBytes((int) Words.get(bytes, position));
    position += 4;
    return value;
  }

  /** Decodes two bytes, highest first. */
  public final short fixed2() {
    short value = (short) ((bytes[position] << 8) | (bytes[position + 1] & 0xff));
    position += 2;
    return value;
  }

  /** Decodes one byte. */
  public final byte fixed1() {
    return bytes[position++];
  }

  /** How many decodable bytes lie ahead in memory; negative if decoding ran past the data. */
  public final int remaining() {
    return limit - position;
  }
}
