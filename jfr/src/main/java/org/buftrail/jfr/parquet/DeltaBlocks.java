package org.buftrail.jfr.parquet;

import java.io.ByteArrayOutputStream;

/**
 * Parquet's {@code DELTA_BINARY_PACKED}: the first number, then differences in blocks, each with
 * its least one and, for every 32, the bits that the others need beyond it. Times and ids in order
 * take a fraction of their eight bytes so.
 */
final class DeltaBlocks {
  private static final int BLOCK = 128;
  private static final int PARTS = 4;
  private static final int PART = BLOCK / PARTS;

  private DeltaBlocks() {}

  /** Writes the first numbers of an array; at least one. */
  static void write(long[] numbers, int count, ByteArrayOutputStream out) {
    unsigned(BLOCK, out);
    unsigned(PARTS, out);
    unsigned(count, out);
    signed(numbers[0], out);
    long[] differences = new long[BLOCK];
    for (int at = 1; at < count; at += BLOCK) {
      int size = Math.min(BLOCK, count - at);
      long least = Long.MAX_VALUE;
      for (int i = 0; i < size; i++) {
        // Both this and the reader's sum may overflow, which evens out.
        differences[i] = numbers[at + i] - numbers[at + i - 1];
        least = Math.min(least, differences[i]);
      }
      block(differences, size, least, out);
    }
  }

  private static void block(long[] differences, int size, long least, ByteArrayOutputStream out) {
    signed(least, out);
    int[] widths = new int[PARTS];
    for (int i = 0; i < BLOCK; i++) {
      differences[i] = i < size ? differences[i] - least : 0;
      int width = Long.SIZE - Long.numberOfLeadingZeros(differences[i]);
      widths[i / PART] = Math.max(widths[i / PART], width);
    }
    for (int width : widths) {
      out.write(width);
    }
    // What has no number has a width of 0, and so no bytes.
    for (int part = 0; part < PARTS; part++) {
      pack(differences, part * PART, widths[part], out);
    }
  }

  private static void pack(long[] numbers, int from, int width, ByteArrayOutputStream out) {
    byte[] packed = new byte[PART * width / Byte.SIZE];
    int bit = 0;
    for (int i = from; i < from + PART; i++) {
      for (int done = 0; done < width; ) {
        int taken = Math.min(width - done, Byte.SIZE - bit % Byte.SIZE);
        long bits = (numbers[i] >>> done) & ((1 << taken) - 1);
        packed[bit / Byte.SIZE] |= (byte) (bits << (bit % Byte.SIZE));
        done += taken;
        bit += taken;
      }
    }
    out.writeBytes(packed);
  }

  private static void signed(long number, ByteArrayOutputStream out) {
    unsigned((number << 1) ^ (number >> (Long.SIZE - 1)), out);
  }

  private static void unsigned(long number, ByteArrayOutputStream out) {
    long rest = number;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
