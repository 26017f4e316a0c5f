package org.buftrail.jfr.parquet;

import java.io.ByteArrayOutputStream;

/** Parquet's hybrid of runs and packed bits, for levels and for indices of dictionaries. */
final class HybridRuns {
  /** Values that are packed together. */
  private static final int GROUP = 8;

  private HybridRuns() {}

  /** The number of bits of values from 0 to the largest. */
  static int width(int largest) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(largest);
  }

  /** Writes the first values of an array. */
  static void write(int[] values, int count, int width, ByteArrayOutputStream out) {
    int at = 0;
    while (at < count) {
      int run = run(values, at, count);
      if (run >= GROUP) {
        unsigned(run << 1, out);
        for (int bit = 0; bit < width; bit += Byte.SIZE) {
          out.write(values[at] >>> bit);
        }
        at += run;
      } else {
        int end = packedEnd(values, at, count);
        pack(values, at, end, width, out);
        at = end;
      }
    }
  }

  private static int run(int[] values, int from, int count) {
    int to = from + 1;
    while (to < count && values[to] == values[from]) {
      to++;
    }
    return to - from;
  }

  /** Where a run begins that is worth it, a whole number of groups from here on, or the end. */
  private static int packedEnd(int[] values, int from, int count) {
    int end = from;
    while (end < count) {
      end += GROUP;
      if (end < count && run(values, end, Math.min(count, end + GROUP)) >= GROUP) {
        return end;
      }
    }
    return count;
  }

  private static void pack(int[] values, int from, int to, int width, ByteArrayOutputStream out) {
    int groups = (to - from + GROUP - 1) / GROUP;
    unsigned((groups << 1) | 1, out);
    long bits = 0;
    int held = 0;
    for (int i = from; i < from + groups * GROUP; i++) {
      bits |= (i < to ? values[i] & 0xffffffffL : 0) << held;
      held += width;
      while (held >= Byte.SIZE) {
        out.write((int) bits);
        bits >>>= Byte.SIZE;
        held -= Byte.SIZE;
      }
    }
  }

  private static void unsigned(int value, ByteArrayOutputStream out) {
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      out.write((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }
}
