package org.buftrail.jfr.packing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks frames, one after the other, block by block: what LZ4 and Zstandard have in common.
 * Frames that are to be skipped are. What does not match its checksum is given away all the same;
 * the stream then ends in an exception.
 */
abstract class FrameInputStream extends InputStream {
  private static final int SKIPPABLE = 0x184D2A50;

  final InputStream packed;
  private final String format;
  private final int magic;
  private final XxHash content;
  private @Nullable IOException failure;
  private @Nullable IOException mismatch;

  /** Position in the unpacked bytes of the next that is to be given away. */
  int given;

  /** Whether more blocks of a frame follow. */
  boolean inFrame;

  /** Whether the frame ends with a checksum of what was packed. */
  boolean hasContentChecksum;

  /**
   * @param packed frames, read to their end
   * @param format what they are called
   * @param magic the first four bytes of a frame, lowest first
   * @param content the checksum of what was packed
   */
  FrameInputStream(InputStream packed, String format, int magic, XxHash content) {
    this.packed = packed;
    this.format = format;
    this.magic = magic;
    this.content = content;
  }

  /** Reads the header of a frame behind its first four bytes. */
  abstract void beginFrame() throws IOException;

  /** Unpacks a block; all that was unpacked before has been given away. */
  abstract void nextBlock() throws IOException;

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
    while (given == end() && length > 0) {
      if (failure != null) {
        throw failure;
      }
      if (!advance()) {
        return -1;
      }
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

  /** Unpacks a block; of one that is damaged, what lies before the damage. */
  private boolean advance() {
    try {
      if (!inFrame && !findFrame()) {
        failure = mismatch;
        return failure != null;
      }
      nextBlock();
      if (hasContentChecksum) {
        content.update(unpacked(), given, end() - given);
        if (!inFrame) {
          verify("content", next(4), content.value());
        }
      }
    } catch (IOException e) {
      // The first fault says more about the cause.
      failure = mismatch != null ? mismatch : e;
    }
    return true;
  }

  /** Notes that something does not match the lower four bytes of its checksum. */
  final void verify(String what, long stated, long found) {
    if ((int) stated != (int) found && mismatch == null) {
      mismatch = new IOException(format + " " + what + " does not match its checksum");
    }
  }

  private boolean findFrame() throws IOException {
    for (int first = packed.read(); first >= 0; first = packed.read()) {
      int found = first | (int) next(3) << 8;
      if (found == magic) {
        content.reset();
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
