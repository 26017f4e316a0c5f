package org.buftrail.jfr.packing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Unpacks LZ4 frames, one after the other, with independent or linked blocks. */
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
  private final XxHash checksum = new XxHash32();

  /**
   * @param packed frames, read to their end
   */
  public Lz4FrameInputStream(InputStream packed) {
    super(packed, "LZ4", MAGIC, new XxHash32());
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
    int sizes = (int) next(1);
    int blockSize = sizes >>> 4 & 7;
    if (flags >>> 6 != 1 || blockSize < 4) {
      throw new IOException("LZ4 frame of an unknown version");
    }
    blockChecksums = (flags & 0x10) != 0;
    hasContentChecksum = (flags & 0x04) != 0;
    byte[] header = new byte[2 + ((flags & 0x08) != 0 ? 8 : 0) + ((flags & 0x01) != 0 ? 4 : 0)];
    header[0] = (byte) flags;
    header[1] = (byte) sizes;
    for (int i = 2; i < header.length; i++) {
      header[i] = (byte) next(1);
    }
    verify("header", next(1), checksumOf(header, header.length) >>> 8 & 0xff);
    largestBlock = 1 << (2 * blockSize + 8);
    if (input.length < largestBlock) {
      input = new byte[largestBlock];
      output = Arrays.copyOf(output, HISTORY + largestBlock);
    }
    given = HISTORY;
    limit = HISTORY;
  }

  private long checksumOf(byte[] bytes, int count) {
    checksum.reset();
    checksum.update(bytes, 0, count);
    return checksum.value();
  }

  @Override
  void nextBlock() throws IOException {
    int header = (int) next(4);
    if (header == 0) {
      inFrame = false;
      return;
    }
    int size = header & Integer.MAX_VALUE;
    if (size > largestBlock) {
      throw new IOException(
          "LZ4 block of " + size + " bytes in a frame that allows " + largestBlock);
    }
    // Blocks are large: of one that ends early, as much as there is.
    int count = packed.readNBytes(input, 0, size);
    System.arraycopy(output, limit - HISTORY, output, 0, HISTORY);
    given = HISTORY;
    limit = HISTORY;
    if (header < 0) {
      System.arraycopy(input, 0, output, HISTORY, count);
      limit += count;
    } else if (count < size) {
      unpackCut(count);
    } else {
      unpack(count);
    }
    if (count < size) {
      throw new EOFException("LZ4 block ends early");
    }
    if (blockChecksums) {
      verify("block", next(4), checksumOf(input, size));
    }
  }

  private void unpackCut(int size) {
    try {
      unpack(size);
    } catch (IOException e) {
      // That it ends early is said anyway.
    }
  }

  /** Unpacks a block of literals and copies of what lies before. */
  private void unpack(int size) throws IOException {
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
      limit = out;
      if (in == size) {
        return;
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
      limit = out;
    }
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
