package org.buftrail.profile.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Eight bytes of an array as one number, the first byte lowest.
 *
 * <p>A {@code VarHandle} reads them at once. To set one up and link it, and to compile its guards
 * wherever it is used, takes a tenth of the time of a command on a small file, which therefore asks
 * for shifts.
 */
public final class Words {
  /** The system property that asks for shifts. */
  public static final String SHIFTS = "buftrail.shifts";

  private static final @Nullable VarHandle LONGS =
      Boolean.getBoolean(SHIFTS)
          ? null
          : MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Words() {}

  /** The eight bytes from an index on. */
  public static long get(byte[] bytes, int at) {
    return LONGS == null ? shifted(bytes, at) : (long) LONGS.get(bytes, at);
  }

  /** Puts a number as the eight bytes from an index on. */
  public static void put(byte[] bytes, int at, long word) {
    if (LONGS == null) {
      shift(bytes, at, word);
    } else {
      LONGS.set(bytes, at, word);
    }
  }

  static long shifted(byte[] bytes, int at) {
    long low = half(bytes, at) & 0xFFFFFFFFL;
    return low | (long) half(bytes, at + Integer.BYTES) << Integer.SIZE;
  }

  private static int half(byte[] bytes, int at) {
    return (bytes[at] & 0xFF)
        | (bytes[at + 1] & 0xFF) << 8
        | (bytes[at + 2] & 0xFF) << 16
        | bytes[at + 3] << 24;
  }

  static void shift(byte[] bytes, int at, long word) {
    long rest = word;
    for (int i = at; i < at + Long.BYTES; i++) {
      bytes[i] = (byte) rest;
      rest >>>= Byte.SIZE;
    }
  }
}
