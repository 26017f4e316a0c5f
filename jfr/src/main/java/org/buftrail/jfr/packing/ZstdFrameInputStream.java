package org.buftrail.jfr.packing;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Unpacks Zstandard frames (RFC 8878), one after the other. Frames that need a dictionary, or a
 * window of more than 128 MiB, are refused. Every index is checked, and memory grows with what was
 * decoded, whatever a header states.
 */
public final class ZstdFrameInputStream extends FrameInputStream {
  /** The first four bytes of a frame, lowest first. */
  public static final int MAGIC = 0xfd2fb528;

  private static final long LARGEST_WINDOW = 128 << 20;
  private static final int LEAST_ROOM = 1 << 20;
  private static final int RAW = 0;
  private static final int REPEATED = 1;
  private static final int PACKED = 2;

  private final ZstdBlocks.Target output = new ZstdBlocks.Target();
  private final byte[] input = new byte[ZstdBlocks.LARGEST + BackwardBits.SLACK];
  private ZstdBlocks blocks = new ZstdBlocks();
  private int window;

  /**
   * @param packed frames, read to their end
   */
  public ZstdFrameInputStream(InputStream packed) {
    super(packed, "Zstandard", MAGIC, new XxHash64());
  }

  @Override
  byte[] unpacked() {
    return output.bytes;
  }

  @Override
  int end() {
    return output.position;
  }

  @Override
  void beginFrame() throws IOException {
    readHeader();
    blocks = new ZstdBlocks();
    output.position = 0;
    output.oldest = 0;
    given = 0;
  }

  private void readHeader() throws IOException {
    int flags = (int) next(1);
    boolean single = (flags & 0x20) != 0;
    hasContentChecksum = (flags & 0x04) != 0;
    long size = 0;
    if (!single) {
      int descriptor = (int) next(1);
      long base = 1L << (10 + (descriptor >>> 3));
      size = base + base / 8 * (descriptor & 7);
    }
    if (next((1 << (flags & 3)) >> 1) != 0) {
      throw new IOException("a Zstandard frame that needs a dictionary");
    }
    int sizeForm = flags >>> 6;
    long content = next(sizeForm == 0 && !single ? 0 : 1 << sizeForm);
    size = single ? content + (sizeForm == 1 ? 256 : 0) : size;
    if (size < 0 || size > LARGEST_WINDOW) {
      throw new IOException(
          "a Zstandard frame with a window of "
              + size
              + " bytes; at most "
              + LARGEST_WINDOW
              + " are supported");
    }
    window = (int) size;
  }

  @Override
  void nextBlock() throws IOException {
    int header = (int) next(3);
    int type = (header >>> 1) & 3;
    int size = header >>> 3;
    if (type > PACKED || size > ZstdBlocks.LARGEST) {
      throw new ZstdException("a block of form " + type + " and " + size + " bytes");
    }
    makeRoom();
    int stored = type == REPEATED ? 1 : size;
    readBlock(input, stored);
    if (type == PACKED) {
      blocks.decode(new ByteCursor(input, stored), output);
    } else if (type == RAW) {
      System.arraycopy(input, 0, output.bytes, output.position, size);
      output.position += size;
    } else {
      Arrays.fill(output.bytes, output.position, output.position + size, input[0]);
      output.position += size;
    }
    inFrame = (header & 1) == 0;
  }

  /** Names what takes the memory, which is more than a small file seems to need. */
  private byte[] room(int bytes) throws IOException {
    try {
      return new byte[bytes];
    } catch (OutOfMemoryError e) {
      throw new IOException(
          "a Zstandard frame with a window of "
              + window
              + " bytes, for which the heap of "
              + Runtime.getRuntime().maxMemory()
              + " bytes has no room",
          e);
    }
  }

  /** Makes room for a block behind what may be copied. All that was decoded has been given away. */
  private void makeRoom() throws IOException {
    int position = output.position;
    if (position + ZstdBlocks.LARGEST > output.bytes.length) {
      int kept = Math.min(position, window);
      int room = Math.max(LEAST_ROOM, kept);
      byte[] from = output.bytes;
      if (kept + ZstdBlocks.LARGEST + room / 2 > from.length) {
        output.bytes = room(kept + ZstdBlocks.LARGEST + room);
      }
      System.arraycopy(from, position - kept, output.bytes, 0, kept);
      output.position = kept;
      given = kept;
    }
    output.oldest = Math.max(0, output.position - window);
  }
}
