package org.buftrail.jfr.parquet;

import java.util.Arrays;

/**
 * Parquet's {@code DELTA_BINARY_PACKED}: the first number, then differences in blocks, each with
 * its least one and, for every 32, the bits that the others need beyond it. Times and ids in order
 * take a fraction of their eight bytes so.
 */
final class DeltaBlocks {
  private static final int BLOCK = 128;
  private static final int PARTS = 4;
  private static final int PART = BLOCK / PARTS;

  /** Larger ones are damage. */
  private static final int LARGEST_BLOCK = 1 << 12;

  private DeltaBlocks() {}

  /** Writes the first numbers of an array; at least one. */
  static void write(long[] numbers, int count, PageBytes out) {
    out.putUnsigned(BLOCK);
    out.putUnsigned(PARTS);
    out.putUnsigned(count);
    out.putSigned(numbers[0]);
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

  private static void block(long[] differences, int size, long least, PageBytes out) {
    out.putSigned(least);
    int[] widths = new int[PARTS];
    for (int i = 0; i < BLOCK; i++) {
      differences[i] = i < size ? differences[i] - least : 0;
      int width = Long.SIZE - Long.numberOfLeadingZeros(differences[i]);
      widths[i / PART] = Math.max(widths[i / PART], width);
    }
    for (int width : widths) {
      out.put(width);
    }
    // What has no number has a width of 0, and so no bytes.
    for (int part = 0; part < PARTS; part++) {
      pack(differences, part * PART, widths[part], out);
    }
  }

  private static void pack(long[] numbers, int from, int width, PageBytes out) {
    long bits = 0;
    int held = 0;
    for (int i = from; i < from + PART; i++) {
      bits |= numbers[i] << held;
      held += width;
      if (held >= Long.SIZE) {
        out.putLong(bits);
        held -= Long.SIZE;
        bits = held == 0 ? 0 : numbers[i] >>> (width - held);
      }
    }
    // 32 numbers of any width are whole groups of four bytes.
    if (held > 0) {
      out.putInt((int) bits);
    }
  }

  /** Reads as many numbers as there are. */
  static long[] read(int most, PageInput in) throws DamagedParquetException {
    int block = PageInput.below(in.unsigned(), LARGEST_BLOCK);
    int parts = PageInput.below(in.unsigned(), block);
    int count = PageInput.below(in.unsigned(), most);
    if (block == 0 || parts == 0 || block % parts != 0) {
      throw new DamagedParquetException("a block of numbers has no parts");
    }
    // The last block may be filled up.
    long[] numbers = new long[1 + (Math.max(0, count - 1) + block - 1) / block * block];
    numbers[0] = in.signed();
    for (int at = 1; at < count; at += block) {
      long least = in.signed();
      int widths = in.skip(parts);
      for (int part = 0; part < parts; part++) {
        int width = PageInput.below(in.byteAt(widths + part), Long.SIZE);
        in.unpack(numbers, at + part * (block / parts), block / parts, width);
      }
      for (int i = at; i < at + block; i++) {
        numbers[i] += least + numbers[i - 1];
      }
    }
    return Arrays.copyOf(numbers, count);
  }
}
