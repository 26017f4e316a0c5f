package org.buftrail.jfr.packing;

import java.util.Arrays;

/**
 * Decodes the compressed blocks of one frame: literals, and sequences that say how many of them to
 * take and what to copy from before.
 */
final class ZstdBlocks {
  /** No block gives more bytes. */
  static final int LARGEST = 128 << 10;

  private static final int LONGEST_LENGTH_CODE = 35;
  private static final int LONGEST_MATCH_CODE = 52;
  private static final int LARGEST_OFFSET_CODE = 31;

  private static final FseTable LITERAL_LENGTHS =
      FseTable.of(
          6, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1,
          1, 1, 1, -1, -1, -1, -1);
  private static final FseTable OFFSETS =
      FseTable.of(
          5, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1,
          -1);
  private static final FseTable MATCH_LENGTHS =
      FseTable.of(
          6, 1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1);

  /** Extra bits of the codes from 16 on; each code begins where the one before ends. */
  private static final int[] LENGTH_BITS = {
    1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
  };

  /** Base values of match codes from 32 on. */
  private static final int[] MATCH_BITS = {
    1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
  };

  private static final int[] LENGTH_BASES = bases(16, LENGTH_BITS);
  private static final int[] MATCH_BASES = bases(35, MATCH_BITS);
  private static final int LEAST_MATCH = 3;

  private final byte[] literals = new byte[LARGEST];
  private int literalCount;
  private final FseTable[] tables = new FseTable[3];
  private final int[] recent = {1, 4, 8};
  private HuffmanTable[] huffman = new HuffmanTable[0];

  /** Where decoded bytes go, behind those that were decoded before. */
  static final class Target {
    byte[] bytes = new byte[0];
    int position;

    /** The first byte that may be copied. */
    int oldest;
  }

  private static int[] bases(int first, int[] bits) {
    int[] bases = new int[bits.length];
    int base = first;
    for (int i = 0; i < bits.length; i++) {
      bases[i] = base;
      base += 1 << bits[i];
    }
    return bases;
  }

  /** Decodes a block of at most {@link #LARGEST} bytes, for which the target has room. */
  void decode(ByteCursor in, Target target) throws ZstdException {
    readLiterals(in);
    int taken = 0;
    int count = in.next();
    if (count == 255) {
      count = in.next(2) + 0x7f00;
    } else if (count >= 128) {
      count = ((count - 128) << 8) + in.next();
    }
    int end = target.position + LARGEST;
    if (count > 0) {
      readTables(in);
      taken = copy(new BackwardBits(in.bytes, in.position, in.left()), count, target, end);
    } else if (in.left() > 0) {
      throw new ZstdException("bytes behind the end of a block");
    }
    int rest = literalCount - taken;
    if (rest > end - target.position) {
      throw new ZstdException("a block of too many bytes");
    }
    System.arraycopy(literals, taken, target.bytes, target.position, rest);
    target.position += rest;
  }

  private void readLiterals(ByteCursor in) throws ZstdException {
    int first = in.next();
    int type = first & 3;
    int form = (first >>> 2) & 3;
    in.position--;
    if (type >= 2) {
      readCoded(in, type == 2, form);
      return;
    }
    switch (form) {
      case 1:
        literalCount = in.next(2) >>> 4;
        break;
      case 3:
        literalCount = in.next(3) >>> 4;
        break;
      default:
        literalCount = in.next() >>> 3;
    }
    if (literalCount > LARGEST) {
      throw new ZstdException("too many literals");
    }
    if (type == 0) {
      System.arraycopy(in.bytes, in.skip(literalCount), literals, 0, literalCount);
    } else {
      Arrays.fill(literals, 0, literalCount, (byte) in.next());
    }
  }

  private void readCoded(ByteCursor in, boolean hasTable, int form) throws ZstdException {
    int width = form <= 1 ? 10 : form == 2 ? 14 : 18;
    int low = in.next(form <= 1 ? 3 : 4);
    long header = (low & 0xffffffffL) | (form == 3 ? (long) in.next() << 32 : 0);
    literalCount = (int) (header >>> 4) & ((1 << width) - 1);
    int size = (int) (header >>> (4 + width)) & ((1 << width) - 1);
    if (literalCount > LARGEST) {
      throw new ZstdException("too many literals");
    }
    int start = in.skip(size);
    ByteCursor part = new ByteCursor(in.bytes, start + size);
    part.position = start;
    if (hasTable) {
      huffman = new HuffmanTable[] {HuffmanTable.read(part)};
    }
    if (huffman.length == 0) {
      throw new ZstdException("literals without a table");
    }
    if (form == 0) {
      decode(part, part.left(), 0, literalCount);
      return;
    }
    int[] sizes = {part.next(2), part.next(2), part.next(2)};
    int each = (literalCount + 3) / 4;
    for (int i = 0; i < 3; i++) {
      decode(part, sizes[i], i * each, each);
    }
    decode(part, part.left(), 3 * each, literalCount - 3 * each);
  }

  private void decode(ByteCursor part, int size, int from, int count) throws ZstdException {
    if (count < 0 || from + count > literalCount) {
      throw new ZstdException("too few literals for four streams");
    }
    huffman[0].decode(new BackwardBits(part.bytes, part.skip(size), size), literals, from, count);
  }

  private void readTables(ByteCursor in) throws ZstdException {
    int modes = in.next();
    readTable(in, 0, modes >>> 6, LITERAL_LENGTHS, 9, LONGEST_LENGTH_CODE);
    readTable(in, 1, (modes >>> 4) & 3, OFFSETS, 8, LARGEST_OFFSET_CODE);
    readTable(in, 2, (modes >>> 2) & 3, MATCH_LENGTHS, 9, LONGEST_MATCH_CODE);
  }

  private void readTable(ByteCursor in, int index, int mode, FseTable common, int log, int most)
      throws ZstdException {
    switch (mode) {
      case 0:
        tables[index] = common;
        break;
      case 1:
        int symbol = in.next();
        if (symbol > most) {
          throw new ZstdException("code " + symbol + " of at most " + most);
        }
        tables[index] = FseTable.single(symbol);
        break;
      case 2:
        tables[index] = FseTable.read(in, log, most);
        break;
      default:
        if (tables[index] == null) {
          throw new ZstdException("a table is to be used again, and there is none");
        }
    }
  }

  /** Carries out sequences; answers how many literals they took. */
  private int copy(BackwardBits in, int count, Target target, int end) throws ZstdException {
    int lengthState = tables[0].begin(in);
    int offsetState = tables[1].begin(in);
    int matchState = tables[2].begin(in);
    int taken = 0;
    for (int i = 0; i < count; i++) {
      int code = tables[1].symbol(offsetState);
      long offsetValue = (1L << code) + in.read(code);
      int match =
          length(tables[2].symbol(matchState), 32, LEAST_MATCH, MATCH_BITS, MATCH_BASES, in);
      int run = length(tables[0].symbol(lengthState), 16, 0, LENGTH_BITS, LENGTH_BASES, in);
      int offset = offset(offsetValue, run);
      if (i < count - 1) {
        lengthState = tables[0].next(lengthState, in);
        matchState = tables[2].next(matchState, in);
        offsetState = tables[1].next(offsetState, in);
      }
      if (in.left() < 0 || run > literalCount - taken || match > end - target.position - run) {
        throw new ZstdException("a sequence of too many bytes");
      }
      System.arraycopy(literals, taken, target.bytes, target.position, run);
      target.position += run;
      taken += run;
      copyMatch(target, offset, match);
    }
    if (in.left() != 0) {
      throw new ZstdException("sequences of another length than stated");
    }
    return taken;
  }

  private static int length(
      int code, int plain, int least, int[] bits, int[] bases, BackwardBits in) {
    return code < plain ? code + least : bases[code - plain] + in.read(bits[code - plain]);
  }

  /** The distance that a value stands for: one of the recent three, or a new one. */
  private int offset(long value, int run) throws ZstdException {
    long offset = value - 3;
    if (value <= 3) {
      int which = (int) value - (run == 0 ? 0 : 1);
      offset = which == 3 ? recent[0] - 1 : recent[which];
      if (which == 0) {
        return recent[0];
      }
      recent[2] = which == 1 ? recent[2] : recent[1];
    } else {
      recent[2] = recent[1];
    }
    if (offset <= 0 || offset > Integer.MAX_VALUE) {
      throw new ZstdException("a copy from a distance of " + offset);
    }
    recent[1] = recent[0];
    recent[0] = (int) offset;
    return recent[0];
  }

  private static void copyMatch(Target target, int distance, int count) throws ZstdException {
    int to = target.position;
    byte[] bytes = target.bytes;
    if (distance > to - target.oldest) {
      throw new ZstdException("a copy of what is before the first byte");
    }
    if (distance >= count) {
      System.arraycopy(bytes, to - distance, bytes, to, count);
    } else {
      for (int i = to; i < to + count; i++) {
        bytes[i] = bytes[i - distance];
      }
    }
    target.position = to + count;
  }
}
