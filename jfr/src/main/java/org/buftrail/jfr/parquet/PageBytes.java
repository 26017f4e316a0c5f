package org.buftrail.jfr.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes that grow, with numbers as Parquet stores them. Throws {@link UncheckedIOException} where
 * they would be more than an array holds. Belongs to one thread.
 */
final class PageBytes {
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** JVMs have no longer arrays. */
  private static final int MOST = Integer.MAX_VALUE - Long.BYTES;

  private byte[] bytes;
  private int size;

  PageBytes(int room) {
    bytes = new byte[room];
  }

  int size() {
    return size;
  }

  /** A copy of all that was put. */
  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  void put(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  void put(byte[] values) {
    put(values, values.length);
  }

  void put(byte[] values, int count) {
    put(values, 0, count);
  }

  void put(byte[] values, int from, int count) {
    reserve(count);
    System.arraycopy(values, from, bytes, size, count);
    size += count;
  }

  void put(PageBytes others) {
    put(others.bytes, others.size);
  }

  /** Puts four bytes, the least significant first. */
  void putInt(int value) {
    reserve(Integer.BYTES);
    INT.set(bytes, size, value);
    size += Integer.BYTES;
  }

  /** Puts eight bytes, the least significant first. */
  void putLong(long value) {
    reserve(Long.BYTES);
    LONG.set(bytes, size, value);
    size += Long.BYTES;
  }

  /** Puts a number in as many groups of 7 bits as it needs. */
  void putUnsigned(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      put(((int) rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    put((int) rest);
  }

  /** The same, with small negative numbers as short as small positive ones. */
  void putSigned(long value) {
    putUnsigned((value << 1) ^ (value >> (Long.SIZE - 1)));
  }

  private void reserve(int room) {
    if (bytes.length - size < room) {
      bytes = Arrays.copyOf(bytes, grown(bytes.length, size, room));
    }
  }

  /** The length of an array that has room for more bytes than it has. */
  static int grown(int length, int size, int room) {
    long needed = (long) size + room;
    if (needed > MOST) {
      String message = "a column has more than 2 GB of texts";
      throw new UncheckedIOException(message, new IOException(message));
    }
    return (int) Math.min(MOST, Math.max(needed, 2L * length));
  }
}
