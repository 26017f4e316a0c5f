package org.buftrail.jfr.packing;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The checksum of bytes that come piece by piece, as the xxHash specification defines it, with seed
 * 0. Whole stripes are taken in at once; what is left of a piece waits for the next.
 */
abstract class XxHash {
  static final VarHandle LITTLE_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LITTLE_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] held;
  private int count;
  private long length;

  /**
   * @param stripe bytes that are taken in at once, a power of two
   */
  XxHash(int stripe) {
    held = new byte[stripe];
  }

  /** Forgets the stripes that were taken in. */
  abstract void begin();

  /** Takes stripes in, up to the end. */
  abstract void take(byte[] bytes, int from, int end);

  /**
   * The checksum of all stripes and of the bytes behind them.
   *
   * @param all how many bytes there are, with the stripes
   */
  abstract long finish(long all, byte[] last, int size);

  /** Forgets all bytes. */
  final void reset() {
    count = 0;
    length = 0;
    begin();
  }

  /** Adds bytes. */
  final void update(byte[] bytes, int from, int size) {
    int stripe = held.length;
    int at = from;
    int end = from + size;
    length += size;
    if (count > 0) {
      int more = Math.min(stripe - count, size);
      System.arraycopy(bytes, at, held, count, more);
      count += more;
      at += more;
      if (count < stripe) {
        return;
      }
      take(held, 0, stripe);
      count = 0;
    }
    int whole = at + ((end - at) & -stripe);
    take(bytes, at, whole);
    count = end - whole;
    System.arraycopy(bytes, whole, held, 0, count);
  }

  /** The checksum of all bytes since {@link #reset}; one of 32 bits has zeros above. */
  final long value() {
    return finish(length, held, count);
  }
}
