package org.buftrail.profile.input;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.buftrail.profile.protobuf.MalformedMessageException;

/**
 * Unpacks profiles, and refuses what is packed as none are: it would take the memory before it
 * could be read. Belongs to one thread.
 */
final class UnpackedInput extends FilterInputStream {
  /** So many bytes may be unpacked, however few they come from. */
  private static final long UNSUSPICIOUS = 16 << 20;

  /** Repeated stacks are packed to a hundredth; gzip can pack zeros to a thousandth. */
  private static final long MOST_FOR_ONE = 400;

  private final Packed packed;
  private long unpacked;

  UnpackedInput(InputStream packed) throws IOException {
    this(new Packed(packed));
  }

  private UnpackedInput(Packed packed) throws IOException {
    super(new GZIPInputStream(packed, 1 << 12));
    this.packed = packed;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int count = super.read(target, offset, length);
    unpacked += Math.max(0, count);
    if (unpacked > UNSUSPICIOUS && unpacked / MOST_FOR_ONE > packed.bytes) {
      throw new MalformedMessageException(
          "is packed as no profile is: " + unpacked + " bytes in " + packed.bytes);
    }
    return count;
  }

  @Override
  public long skip(long bytes) throws IOException {
    long skipped = 0;
    byte[] some = new byte[1 << 12];
    while (skipped < bytes) {
      int count = read(some, 0, (int) Math.min(some.length, bytes - skipped));
      if (count < 0) {
        break;
      }
      skipped += count;
    }
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  /** Counts what is read. */
  private static final class Packed extends FilterInputStream {
    private long bytes;

    Packed(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      bytes += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = super.read(target, offset, length);
      bytes += Math.max(0, count);
      return count;
    }
  }
}
