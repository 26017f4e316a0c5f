package org.buftrail.profile.stream;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts what is read; all of it goes through one method. Belongs to one thread. */
public class CountedInput extends FilterInputStream {
  private long count;

  /**
   * @param in what is read, and closed with this stream
   */
  public CountedInput(InputStream in) {
    super(in);
  }

  /** How many bytes have been read. */
  public final long count() {
    return count;
  }

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int read = super.read(target, offset, length);
    count += Math.max(0, read);
    return read;
  }

  @Override
  public final long skip(long bytes) throws IOException {
    long skipped = 0;
    byte[] some = new byte[1 << 12];
    while (skipped < bytes) {
      int read = read(some, 0, (int) Math.min(some.length, bytes - skipped));
      if (read < 0) {
        break;
      }
      skipped += read;
    }
    return skipped;
  }

  @Override
  public final boolean markSupported() {
    return false;
  }
}
