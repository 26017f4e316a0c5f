package org.buftrail.jfr.packing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Unpacks frames, one after the other, block by block: what LZ4 and Zstandard have in common.
 * Frames that are to be skipped are.
 */
abstract class FrameInputStream extends InputStream {
  private static final int SKIPPABLE = 0x184D2A50;

  final InputStream packed;
  private final String format;
  private final int magic;

  /** Position in the unpacked bytes of the next that is to be given away. */
  int given;

  /** Whether more blocks of a frame follow. */
  boolean inFrame;

  /**
   * @param packed frames, read to their end
   * @param format what they are called
   * @param magic the first four bytes of a frame, lowest first
   */
  FrameInputStream(InputStream packed, String format, int magic) {
    this.packed = packed;
    this.format = format;
    this.magic = magic;
  }

  /** Reads the header of a frame behind its first four bytes. */
  abstract void beginFrame() throws IOException;

  /** Unpacks a block; all that was unpacked before has been given away. */
  abstract void nextBlock() throws IOException;

  /** The unpacked bytes. */
  abstract byte[] unpacked();

  /** Position behind the last unpacked byte. */
  abstract int end();

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final int read(byte[] target, int offset, int length) throws IOException {
    while (given == end()) {
      if (!inFrame && !findFrame()) {
        return -1;
      }
      nextBlock();
    }
    int count = Math.min(length, end() - given);
    System.arraycopy(unpacked(), given, target, offset, count);
    given += count;
    return count;
  }

  @Override
  public final void close() throws IOException {
    packed.close();
  }

  private boolean findFrame() throws IOException {
    for (int first = packed.read(); first >= 0; first = packed.read()) {
      int found = first | (int) next(3) << 8;
      if (found == magic) {
        beginFrame();
        inFrame = true;
        return true;
      }
      if ((found & ~0xf) != SKIPPABLE) {
        throw new IOException("no " + format + " frame where one should begin");
      }
      packed.skipNBytes(next(4));
    }
    return false;
  }

  /** A number of up to eight bytes, lowest first. */
  final long next(int count) throws IOException {
    long value = 0;
    for (int i = 0; i < count; i++) {
      int b = packed.read();
      if (b < 0) {
        throw new EOFException(format + " frame ends early");
      }
      value |= (long) b << (8 * i);
    }
    return value;
  }

  /** Reads the content of a block. */
  final void readBlock(byte[] target, int size) throws IOException {
    if (packed.readNBytes(target, 0, size) < size) {
      throw new EOFException(format + " block ends early");
    }
  }
}
