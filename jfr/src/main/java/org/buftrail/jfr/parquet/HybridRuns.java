package org.buftrail.jfr.parquet;

import java.util.Arrays;

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
  static void write(int[] values, int count, int width, PageBytes out) {
    int at = 0;
    while (at < count) {
      int run = run(values, at, count);
      if (run >= GROUP) {
        repeat(values[at], run, width, out);
        at += run;
      } else {
        int end = packedEnd(values, at, count);
        pack(values, at, end, width, out);
        at = end;
      }
    }
  }

  static void repeat(int value, int count, int width, PageBytes out) {
    out.putUnsigned((long) count << 1);
    for (int bit = 0; bit < width; bit += Byte.SIZE) {
      out.put(value >>> bit);
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

  private static void pack(int[] values, int from, int to, int width, PageBytes out) {
    int groups = (to - from + GROUP - 1) / GROUP;
    out.putUnsigned(((long) groups << 1) | 1);
    long bits = 0;
    int held = 0;
    for (int i = from; i < from + groups * GROUP; i++) {
      bits |= (i < to ? values[i] & 0xffffffffL : 0) << held;
      held += width;
      if (held >= Integer.SIZE) {
        out.putInt((int) bits);
        bits >>>= Integer.SIZE;
        held -= Integer.SIZE;
      }
    }
    for (; held > 0; held -= Byte.SIZE) {
      out.put((int) bits);
      bits >>>= Byte.SIZE;
    }
  }

  /** Reads so many values from 0 to the largest. */
  static int[] read(int count, int width, int largest, PageInput in)
      throws DamagedParquetException {
    int[] values = new int[count];
    int at = 0;
    while (at < count) {
      long header = in.unsigned();
      if ((header & 1) == 0) {
        int end = at + PageInput.below(header >>> 1, count - at);
        int value = 0;
        for (int bit = 0; bit < width; bit += Byte.SIZE) {
          value |= in.one() << bit;
        }
        Arrays.fill(values, at, end, PageInput.below(value, largest));
        at = end;
      } else {
        // The last group may be filled up.
        int packed = PageInput.below(header >>> 1, (count - at + GROUP - 1) / GROUP) * GROUP;
        long[] group = new long[packed];
        in.unpack(group, 0, packed, width);
        int end = Math.min(count, at + packed);
        for (int i = 0; at < end; i++) {
          values[at++] = PageInput.below(group[i], largest);
        }
      }
    }
    return values;
  }
}
