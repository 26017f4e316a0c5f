package org.buftrail.jfr.packing;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Bits that are read from the last to the first. The highest bit that is set in the last byte marks
 * where they begin; bits before the first byte are zeros.
 */
final class BackwardBits {
  /** Bytes that must be readable behind the last one. */
  static final int SLACK = 8;

  private static final VarHandle LITTLE_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int start;
  private long left;

  /**
   * @param bytes has {@link #SLACK} bytes behind the last one
   */
  BackwardBits(byte[] bytes, int start, int length) throws ZstdException {
    this.bytes = bytes;
    this.start = start;
    int last = length <= 0 ? 0 : bytes[start + length - 1] & 0xff;
    if (last == 0) {
      throw new ZstdException("bits without an end mark");
    }
    left = 8L * (length - 1) + 31 - Integer.numberOfLeadingZeros(last);
  }

  /** How many bits are left; negative when more were read than there are. */
  long left() {
    return left;
  }

  /** Reads up to 31 bits. */
  int read(int count) {
    int value = peek(count);
    left -= count;
    return value;
  }

  /** The next up to 31 bits, which stay. */
  int peek(int count) {
    long from = left - count;
    if (from >= 0) {
      long eight = (long) LITTLE_LONG.get(bytes, start + (int) (from >>> 3));
      return (int) (eight >>> (from & 7)) & ((1 << count) - 1);
    }
    if (left <= 0) {
      return 0;
    }
    long eight = (long) LITTLE_LONG.get(bytes, start);
    return (int) (eight & ((1L << left) - 1)) << -from;
  }

  /** Passes over bits. */
  void skip(int count) {
    left -= count;
  }
}
