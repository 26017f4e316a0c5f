package org.buftrail.jfr.parquet;

import java.util.Arrays;

/**
 * Packs pages as Snappy does, in a quarter of the time of gzip's quickest, and unpacks them. What
 * came before, at most 64 KiB back, is referred to; all else is put as it is:
 *
 * <pre>
 * length of what was packed, in groups of 7 bits
 * literal    its length - 1 in 6 bits, or in 1 to 4 bytes behind 60 to 63 there; 00; the bytes
 * copy       its length - 4 in 3 bits of 5, 01; 11 bits of the distance
 *            its length - 1 in 6 bits, 10 or 11; 2 or 4 bytes of the distance
 * </pre>
 *
 * <p>Has no sum, which is the page's. Belongs to one thread.
 */
final class Snappy {
  private static final int TABLE_BITS = 14;

  /** The last bytes are put as they are, so that eight can be read at once before them. */
  private static final int MARGIN = 16;

  private static final int FARTHEST = (1 << 16) - 1;
  private static final int LONGEST_COPY = 64;
  private static final int LONGEST_SHORT_COPY = 11;
  private static final int NEAREST_LONG_COPY = 1 << 11;
  private static final int SHORTEST_MATCH = 4;
  private static final int HASH = 0x1e35a7bd;

  /** Literals up to this length have it in their first byte. */
  private static final int SHORT_LITERAL = 60;

  /** So many misses make the search go on in larger steps. */
  private static final int PATIENCE_BITS = 5;

  /** No page unpacks to more bytes for each of its own: a copy of 64 takes 3. */
  private static final int MOST_PACKED = 22;

  /** Where four bytes with a hash were last, counted from 1. */
  private final int[] table = new int[1 << TABLE_BITS];

  /** Packs. */
  byte[] pack(byte[] plain) {
    PageBytes out = new PageBytes(plain.length / 2 + MARGIN);
    out.putUnsigned(plain.length);
    int bits = Math.min(TABLE_BITS, Math.max(8, HybridRuns.width(plain.length)));
    Arrays.fill(table, 0, 1 << bits, 0);
    int shift = Integer.SIZE - bits;
    int end = plain.length - MARGIN;
    int emitted = 0;
    int at = 0;
    int misses = 1 << PATIENCE_BITS;
    while (at < end) {
      int four = (int) PageBytes.INT.get(plain, at);
      int slot = (four * HASH) >>> shift;
      int before = table[slot] - 1;
      table[slot] = at + 1;
      if (before >= 0
          && at - before <= FARTHEST
          && (int) PageBytes.INT.get(plain, before) == four) {
        int length = matching(plain, before, at);
        literal(plain, emitted, at, out);
        copy(at - before, length, out);
        at += length;
        emitted = at;
        misses = 1 << PATIENCE_BITS;
      } else {
        at += misses++ >>> PATIENCE_BITS;
      }
    }
    literal(plain, emitted, plain.length, out);
    return out.toByteArray();
  }

  /** How many bytes are equal at two places, of which four are. */
  private static int matching(byte[] bytes, int before, int from) {
    int at = from + SHORTEST_MATCH;
    int back = from - before;
    while (at <= bytes.length - Long.BYTES) {
      long difference =
          (long) PageBytes.LONG.get(bytes, at) ^ (long) PageBytes.LONG.get(bytes, at - back);
      if (difference != 0) {
        return at - from + Long.numberOfTrailingZeros(difference) / Byte.SIZE;
      }
      at += Long.BYTES;
    }
    while (at < bytes.length && bytes[at] == bytes[at - back]) {
      at++;
    }
    return at - from;
  }

  private static void literal(byte[] bytes, int from, int to, PageBytes out) {
    int last = to - from - 1;
    if (last < 0) {
      return;
    }
    if (last < SHORT_LITERAL) {
      out.put(last << 2);
    } else {
      int width = (HybridRuns.width(last) + Byte.SIZE - 1) / Byte.SIZE;
      out.put((SHORT_LITERAL + width - 1) << 2);
      for (int i = 0; i < width; i++) {
        out.put(last >>> (i * Byte.SIZE));
      }
    }
    out.put(bytes, from, to - from);
  }

  private static void copy(int distance, int length, PageBytes out) {
    int left = length;
    while (left > 0) {
      int count = Math.min(left, LONGEST_COPY);
      if (distance < NEAREST_LONG_COPY && count >= SHORTEST_MATCH && count <= LONGEST_SHORT_COPY) {
        out.put(((distance >>> Byte.SIZE) << 5) | ((count - SHORTEST_MATCH) << 2) | 1);
        out.put(distance);
      } else {
        out.put(((count - 1) << 2) | 2);
        out.put(distance);
        out.put(distance >>> Byte.SIZE);
      }
      left -= count;
    }
  }

  /** Unpacks what {@link #pack}, or another, made of so many bytes. */
  static byte[] unpack(byte[] packed, int size) throws DamagedParquetException {
    PageInput in = new PageInput(packed);
    if (size < 0 || size / MOST_PACKED > packed.length || in.unsigned() != size) {
      throw damaged();
    }
    byte[] plain = new byte[size];
    int at = 0;
    while (at < size) {
      int tag = in.one();
      int high = tag >>> 2;
      int kind = tag & 3;
      if (kind == 0) {
        int count = 1 + (high < SHORT_LITERAL ? high : number(in, high - SHORT_LITERAL + 1));
        if (count <= 0 || count > size - at) {
          throw damaged();
        }
        System.arraycopy(packed, in.skip(count), plain, at, count);
        at += count;
      } else {
        int count = kind == 1 ? SHORTEST_MATCH + (high & 7) : 1 + high;
        int distance =
            kind == 1 ? ((tag >>> 5) << Byte.SIZE) | in.one() : number(in, kind == 2 ? 2 : 4);
        if (distance <= 0 || distance > at || count > size - at) {
          throw damaged();
        }
        // Byte by byte: a copy may repeat what it makes.
        for (int end = at + count; at < end; at++) {
          plain[at] = plain[at - distance];
        }
      }
    }
    if (in.left() > 0) {
      throw damaged();
    }
    return plain;
  }

  private static int number(PageInput in, int bytes) throws DamagedParquetException {
    int number = 0;
    for (int i = 0; i < bytes; i++) {
      number |= in.one() << (i * Byte.SIZE);
    }
    return number;
  }

  private static DamagedParquetException damaged() {
    return new DamagedParquetException("a page is not packed as it should be");
  }
}
