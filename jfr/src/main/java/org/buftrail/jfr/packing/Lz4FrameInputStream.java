package org.buftrail.jfr.packing;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Unpacks LZ4 frames, one after the other, with independent or linked blocks. Checksums are passed
 * over: a recording that came out wrong does not parse.
 */
public final class Lz4FrameInputStream extends FrameInputStream {
  /** The first four bytes of a frame, lowest first. */
  public static final int MAGIC = 0x184D2204;

  private static final int HISTORY = 64 << 10;
  private static final int LEAST_MATCH = 4;

  // The last bytes of the block before, then the block.
  private byte[] output = new byte[0];
  private byte[] input = new byte[0];
  private int limit;
  private int largestBlock;
  private boolean blockChecksums;
  private boolean contentChecksum;

  /**
   * @param packed frames, read to their end
   */
  public Lz4FrameInputStream(InputStream packed) {
    super(packed, "LZ4", MAGIC);
  }

  @Override
  byte[] unpacked() {
    return output;
  }

  @Override
  int end() {
    return limit;
  }

  @Override
  void beginFrame() throws IOException {
    int flags = (int) next(1);
    int blockSize = (int) next(1) >>> 4 & 7;
    if (flags >>> 6 != 1 || blockSize < 4) {
      throw new IOException("LZ4 frame of an unknown version");
    }
    blockChecksums = (flags & 0x10) != 0;
    contentChecksum = (flags & 0x04) != 0;
    packed.skipNBytes(((flags & 0x08) != 0 ? 8 : 0) + ((flags & 0x01) != 0 ? 4 : 0) + 1);
    largestBlock = 1 << (2 * blockSize + 8);
    if (input.length < largestBlock) {
      input = new byte[largestBlock];
      output = Arrays.copyOf(output, HISTORY + largestBlock);
    }
    given = HISTORY;
    limit = HISTORY;
  }

  @Override
  void nextBlock() throws IOException {
    int header = (int) next(4);
    if (header == 0) {
      packed.skipNBytes(contentChecksum ? 4 : 0);
      inFrame = false;
      return;
    }
    int size = header & Integer.MAX_VALUE;
    if (size > largestBlock) {
      throw new IOException(
          "LZ4 block of " + size + " bytes in a frame that allows " + largestBlock);
    }
    readBlock(input, size);
    packed.skipNBytes(blockChecksums ? 4 : 0);
    System.arraycopy(output, limit - HISTORY, output, 0, HISTORY);
    given = HISTORY;
    if (header < 0) {
      System.arraycopy(input, 0, output, HISTORY, size);
      limit = HISTORY + size;
    } else {
      limit = unpack(size);
    }
  }

  /** Unpacks a block of literals and copies of what lies before; answers where it ends. */
  private int unpack(int size) throws IOException {
    int in = 0;
    int out = HISTORY;
    int end = HISTORY + largestBlock;
    while (in < size) {
      int token = input[in++] & 0xff;
      int literals = token >>> 4;
      if (literals == 15) {
        int extra;
        do {
          extra = in < size ? input[in++] & 0xff : fail();
          literals += extra;
        } while (extra == 255);
      }
      if (literals > size - in || literals > end - out) {
        fail();
      }
      System.arraycopy(input, in, output, out, literals);
      in += literals;
      out += literals;
      if (in == size) {
        return out;
      }
      int distance = in + 1 < size ? (input[in] & 0xff) | (input[in + 1] & 0xff) << 8 : fail();
      in += 2;
      int match = token & 15;
      if (match == 15) {
        int extra;
        do {
          extra = in < size ? input[in++] & 0xff : fail();
          match += extra;
        } while (extra == 255);
      }
      match += LEAST_MATCH;
      if (distance == 0 || distance > out || match > end - out) {
        fail();
      }
      copy(out, distance, match);
      out += match;
    }
    return out;
  }

  private void copy(int out, int distance, int count) {
    if (distance >= count) {
      System.arraycopy(output, out - distance, output, out, count);
    } else {
      for (int i = 0; i < count; i++) {
        output[out + i] = output[out + i - distance];
      }
    }
  }

  private static int fail() throws IOException {
    throw new IOException("LZ4 block is damaged");
  }
}
