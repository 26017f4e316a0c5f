package org.buftrail.benchmarks.convert;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes of a recording as they are put together. */
public final class ChunkBytes {
  private static final int UTF8 = 3;

  /** Sizes of events are written in as many bytes, so that they can be filled in afterwards. */
  private static final int SIZE_BYTES = 4;

  private byte[] bytes = new byte[1 << 16];
  private int size;

  public int size() {
    return size;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  public ChunkBytes raw(int value) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, size * 2);
    }
    bytes[size++] = (byte) value;
    return this;
  }

  /** A number in the shortest form. */
  public ChunkBytes varint(long value) {
    long rest = value;
    // The ninth byte has no bit that says whether it is the last.
    for (int bytes = 1; rest >>> 7 != 0 && bytes < 9; bytes++) {
      raw((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    return raw((int) rest);
  }

  /** A string in the form that the JVM writes symbols in. */
  public ChunkBytes string(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    raw(UTF8).varint(encoded.length);
    for (byte b : encoded) {
      raw(b);
    }
    return this;
  }

  /** Begins an event and answers where, for {@link #end}. */
  public int begin(long type) {
    int start = size;
    for (int i = 0; i < SIZE_BYTES; i++) {
      raw(0);
    }
    varint(type);
    return start;
  }

  /** Fills the size of an event in. */
  public void end(int start) {
    int length = size - start;
    for (int i = 0; i < SIZE_BYTES; i++) {
      int more = i < SIZE_BYTES - 1 ? 0x80 : 0;
      bytes[start + i] = (byte) (((length >>> (7 * i)) & 0x7f) | more);
    }
  }

  /** Puts a chunk's header into the room left for it. */
  public void header(long checkpoint, long metadata, long startNanos, long nanos) {
    ByteBuffer header = ByteBuffer.wrap(bytes);
    header.put(new byte[] {'F', 'L', 'R', 0}).putShort((short) 2).putShort((short) 1);
    header.putLong(size).putLong(checkpoint).putLong(metadata).putLong(startNanos).putLong(nanos);
    header.putLong(0).putLong(1_000_000_000).putInt(1);
  }
}
