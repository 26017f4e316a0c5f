package org.buftrail.jfr.packing;

/** A table of finite-state entropy: for each state a symbol, and which states may follow. */
final class FseTable {
  private static final int LEAST_LOG = 5;

  private final int log;
  private final byte[] symbols;
  private final byte[] bits;
  private final short[] bases;

  private FseTable(int log) {
    this.log = log;
    symbols = new byte[1 << log];
    bits = new byte[1 << log];
    bases = new short[1 << log];
  }

  /** A table of one symbol that takes no bits. */
  static FseTable single(int symbol) {
    FseTable table = new FseTable(0);
    table.symbols[0] = (byte) symbol;
    return table;
  }

  /**
   * Builds a table.
   *
   * @param shares how many states each symbol has; -1 for one at the end of the table
   */
  static FseTable of(int log, int... shares) {
    FseTable table = new FseTable(log);
    int size = 1 << log;
    int[] next = new int[shares.length];
    int high = size;
    for (int symbol = 0; symbol < shares.length; symbol++) {
      next[symbol] = Math.abs(shares[symbol]);
      if (shares[symbol] < 0) {
        table.symbols[--high] = (byte) symbol;
      }
    }
    int position = 0;
    for (int symbol = 0; symbol < shares.length; symbol++) {
      for (int i = 0; i < shares[symbol]; i++) {
        table.symbols[position] = (byte) symbol;
        do {
          position = (position + (size >> 1) + (size >> 3) + 3) & (size - 1);
        } while (position >= high);
      }
    }
    for (int state = 0; state < size; state++) {
      int count = next[table.symbols[state]]++;
      int width = log - (31 - Integer.numberOfLeadingZeros(count));
      table.bits[state] = (byte) width;
      table.bases[state] = (short) ((count << width) - size);
    }
    return table;
  }

  /**
   * Reads a description.
   *
   * @param most the largest symbol
   */
  static FseTable read(ByteCursor in, int largestLog, int most) throws ZstdException {
    int log = (in.left() > 0 ? in.bytes[in.position] & 15 : 0) + LEAST_LOG;
    if (log > largestLog) {
      throw new ZstdException("a table of 2^" + log + " states");
    }
    int[] shares = new int[most + 1];
    long bit = 8L * in.position + 4;
    long end = 8L * in.end;
    int remaining = 1 << log;
    int symbol = 0;
    while (remaining > 0 && bit < end) {
      if (symbol > most) {
        throw new ZstdException("a table of too many symbols");
      }
      int width = 32 - Integer.numberOfLeadingZeros(remaining + 1);
      int value = bits(in, bit, width);
      int low = value & ((1 << (width - 1)) - 1);
      int threshold = (1 << width) - 2 - remaining;
      boolean isShort = low < threshold;
      bit += isShort ? width - 1 : width;
      int share = (isShort ? low : low == value ? value : value - threshold) - 1;
      remaining -= Math.abs(share);
      shares[symbol++] = share;
      for (int skipped = share == 0 ? 3 : 0; skipped == 3; ) {
        skipped = bits(in, bit, 2);
        bit += 2;
        symbol += skipped;
      }
    }
    if (remaining != 0 || bit > end) {
      throw new ZstdException("a table whose shares do not add up");
    }
    in.position = (int) ((bit + 7) >>> 3);
    return of(log, shares);
  }

  /** Bits at a place, counted from the lowest of the first byte; zeros behind the end. */
  private static int bits(ByteCursor in, long bit, int count) {
    int first = (int) (bit >>> 3);
    int value = 0;
    for (int i = 0; i < 3; i++) {
      value |= (first + i < in.end ? in.bytes[first + i] & 0xff : 0) << (8 * i);
    }
    return (value >>> (bit & 7)) & ((1 << count) - 1);
  }

  /** The first state. */
  int begin(BackwardBits in) {
    return in.read(log);
  }

  int symbol(int state) {
    return symbols[state];
  }

  /** The state after another. */
  int next(int state, BackwardBits in) {
    return bases[state] + in.read(bits[state]);
  }
}
