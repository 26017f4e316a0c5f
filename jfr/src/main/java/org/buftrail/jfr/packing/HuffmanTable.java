package org.buftrail.jfr.packing;

/** A table of Huffman codes: the next bits give a byte, and how many of them it took. */
final class HuffmanTable {
  private static final int LONGEST_CODE = 11;
  private static final int MOST_WEIGHTS = 255;
  private static final int LARGEST_WEIGHT = 12;
  private static final int WEIGHT_LOG = 6;

  private final int log;
  private final byte[] symbols;
  private final byte[] lengths;

  private HuffmanTable(int log) {
    this.log = log;
    symbols = new byte[1 << log];
    lengths = new byte[1 << log];
  }

  /** Reads a description. */
  static HuffmanTable read(ByteCursor in) throws ZstdException {
    byte[] weights = new byte[MOST_WEIGHTS + 1];
    int header = in.next();
    int count;
    if (header < 128) {
      count = readPacked(in, header, weights);
    } else {
      count = header - 127;
      int from = in.skip((count + 1) / 2);
      for (int i = 0; i < count; i++) {
        int pair = in.bytes[from + i / 2];
        weights[i] = (byte) ((i & 1) == 0 ? (pair >>> 4) & 15 : pair & 15);
      }
    }
    return of(weights, count);
  }

  private static int readPacked(ByteCursor in, int size, byte[] weights) throws ZstdException {
    int start = in.skip(size);
    ByteCursor part = new ByteCursor(in.bytes, start + size);
    part.position = start;
    FseTable table = FseTable.read(part, WEIGHT_LOG, LARGEST_WEIGHT);
    BackwardBits bits = new BackwardBits(in.bytes, part.position, part.left());
    int state = table.begin(bits);
    int other = table.begin(bits);
    int count = 0;
    // Two states take turns; when the bits run out, the other one still has a weight.
    while (count < MOST_WEIGHTS - 1) {
      weights[count++] = (byte) table.symbol(state);
      int following = table.next(state, bits);
      if (bits.left() < 0) {
        weights[count++] = (byte) table.symbol(other);
        return count;
      }
      state = other;
      other = following;
    }
    throw new ZstdException("more weights than there are bytes");
  }

  /** The weight of the last symbol is what is missing to a power of two. */
  private static HuffmanTable of(byte[] weights, int count) throws ZstdException {
    int sum = 0;
    for (int i = 0; i < count; i++) {
      if (weights[i] > LONGEST_CODE) {
        throw new ZstdException("a code of too many bits");
      }
      sum += (1 << weights[i]) >> 1;
    }
    int log = 32 - Integer.numberOfLeadingZeros(sum);
    int missing = (1 << log) - sum;
    if (sum == 0 || log > LONGEST_CODE || Integer.bitCount(missing) != 1) {
      throw new ZstdException("codes that do not add up");
    }
    weights[count] = (byte) (32 - Integer.numberOfLeadingZeros(missing));
    HuffmanTable table = new HuffmanTable(log);
    int at = 0;
    for (int weight = 1; weight <= log; weight++) {
      for (int symbol = 0; symbol <= count; symbol++) {
        if (weights[symbol] == weight) {
          for (int end = at + (1 << (weight - 1)); at < end; at++) {
            table.symbols[at] = (byte) symbol;
            table.lengths[at] = (byte) (log + 1 - weight);
          }
        }
      }
    }
    return table;
  }

  /** Decodes a stream, all of it. */
  void decode(BackwardBits in, byte[] target, int from, int count) throws ZstdException {
    for (int i = from; i < from + count; i++) {
      int code = in.peek(log);
      target[i] = symbols[code];
      in.skip(lengths[code]);
    }
    if (in.left() != 0) {
      throw new ZstdException("literals of another length than stated");
    }
  }
}
