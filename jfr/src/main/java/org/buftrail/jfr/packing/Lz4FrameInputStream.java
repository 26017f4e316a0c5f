package org.buftrail.jfr.packing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Unpacks LZ4 frames, one after the other, with independent or linked blocks. Checksums are passed
 * over: a recording that came out wrong does not parse.
 */
public final class Lz4FrameInputStream extends InputStream {
  /** The first four bytes of a frame, lowest first. */
  public static final int MAGIC = 0x184D2204;

  private static final int SKIPPABLE = 0x184D2A50;
  private static final int HISTORY = 64 << 10;
  private static final int LEAST_MATCH = 4;

  private final InputStream packed;

  // The last bytes of the block before, then the block.
  private byte[] output = new byte[0];
  private byte[] input = new byte[0];
  private int position;
  private int limit;
  private int largestBlock;
  private boolean blockChecksums;
  private boolean contentChecksum;
  private boolean inFrame;

  /**
   * @param packed frames, read to their end
   */
  public Lz4FrameInputStream(InputStream packed) {
    this.packed = packed;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    while (position == limit) {
      if (!inFrame && !beginFrame()) {
        return -1;
      }
      nextBlock();
    }
    int count = Math.min(length, limit - position);
    System.arraycopy(output, position, target, offset, count);
    position += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    packed.close();
  }

  private boolean beginFrame() throws IOException {
    int first = packed.read();
    while (first >= 0) {
      int magic = first | packedByte() << 8 | packedByte() << 16 | packedByte() << 24;
      if ((magic & ~0xf) == SKIPPABLE) {
        packed.skipNBytes(packedInt() & 0xffffffffL);
        first = packed.read();
        continue;
      }
      if (magic != MAGIC) {
        throw new IOException("no LZ4 frame where one should begin");
      }
      readDescriptor();
      return true;
    }
    return false;
  }

  private void readDescriptor() throws IOException {
    int flags = packedByte();
    int blockSize = packedByte() >>> 4 & 7;
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
    position = HISTORY;
    limit = HISTORY;
    inFrame = true;
  }

  private void nextBlock() throws IOException {
    int header = packedInt();
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
    if (packed.readNBytes(input, 0, size) < size) {
      throw new EOFException("LZ4 block ends early");
    }
    packed.skipNBytes(blockChecksums ? 4 : 0);
    System.arraycopy(output, limit - HISTORY, output, 0, HISTORY);
    position = HISTORY;
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

  private int packedInt() throws IOException {
    return packedByte() | packedByte() << 8 | packedByte() << 16 | packedByte() << 24;
  }

  private int packedByte() throws IOException {
    int value = packed.read();
    if (value < 0) {
      throw new EOFException("LZ4 frame ends early");
    }
    return value;
  }
}
