package org.buftrail.jfr.parquet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Numbers as Parquet stores them, one after the other, of bytes that may be damaged. */
final class PageInput {
  private final byte[] bytes;
  private final int end;
  private int at;

  PageInput(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  PageInput(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  /** Where the next one is. */
  int at() {
    return at;
  }

  int left() {
    return end - at;
  }

  /** A copy of all that is left. */
  byte[] rest() {
    return Arrays.copyOfRange(bytes, at, end);
  }

  /** Passes over bytes; answers where they begin. */
  int skip(int count) throws DamagedParquetException {
    if (count < 0 || count > end - at) {
      throw new DamagedParquetException("it ends in the middle of a value");
    }
    int begin = at;
    at += count;
    return begin;
  }

  /** The byte at a place that {@link #skip} has answered, or beyond it. */
  int byteAt(int place) {
    return bytes[place] & 0xff;
  }

  int one() throws DamagedParquetException {
    return bytes[skip(1)] & 0xff;
  }

  int int4() throws DamagedParquetException {
    return (int) PageBytes.INT.get(bytes, skip(Integer.BYTES));
  }

  long long8() throws DamagedParquetException {
    return (long) PageBytes.LONG.get(bytes, skip(Long.BYTES));
  }

  long unsigned() throws DamagedParquetException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int part = one();
      value |= (long) (part & 0x7f) << shift;
      if (part <= 0x7f) {
        return value;
      }
    }
    throw new DamagedParquetException("a number is too long");
  }

  long signed() throws DamagedParquetException {
    long value = unsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  /** A number from 0 to the largest. */
  static int below(long value, int largest) throws DamagedParquetException {
    if (value < 0 || value > largest) {
      throw new DamagedParquetException("a number is out of its range");
    }
    return (int) value;
  }

  String text(int length) throws DamagedParquetException {
    return new String(bytes, skip(length), length, StandardCharsets.UTF_8);
  }

  /** The bytes that follow, by themselves. */
  PageInput part(int length) throws DamagedParquetException {
    int begin = skip(length);
    return new PageInput(bytes, begin, begin + length);
  }

  byte[] copy(int length) throws DamagedParquetException {
    byte[] copy = new byte[below(length, left())];
    System.arraycopy(bytes, skip(length), copy, 0, length);
    return copy;
  }

  /** Numbers of equal width, the least significant bit first. */
  void unpack(long[] to, int from, int count, int width) throws DamagedParquetException {
    long length = ((long) count * width + Byte.SIZE - 1) / Byte.SIZE;
    int begin = skip(below(length, left()));
    long mask = width == Long.SIZE ? -1 : (1L << width) - 1;
    for (int i = 0; i < count; i++) {
      long bit = (long) i * width;
      to[from + i] = bits(begin + (int) (bit / Byte.SIZE), (int) (bit % Byte.SIZE), width) & mask;
    }
  }

  private long bits(int first, int bit, int width) {
    if (bit + width <= Long.SIZE && first + Long.BYTES <= bytes.length) {
      return (long) PageBytes.LONG.get(bytes, first) >>> bit;
    }
    long value = (width == 0 ? 0 : bytes[first] & 0xffL) >>> bit;
    for (int next = 1; next * Byte.SIZE - bit < width; next++) {
      value |= (bytes[first + next] & 0xffL) << (next * Byte.SIZE - bit);
    }
    return value;
  }
}
