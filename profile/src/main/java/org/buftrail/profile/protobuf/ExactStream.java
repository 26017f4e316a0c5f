package org.buftrail.profile.protobuf;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Gives exactly as many bytes as promised, whatever became of the file since it was measured. */
final class ExactStream extends FilterInputStream {
  private long left;

  ExactStream(InputStream source, long size) {
    super(source);
    this.left = size;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int read = in.read(target, offset, (int) Math.min(length, left));
    if (read < 0) {
      throw new IOException("the original payload is " + left + " bytes shorter than it was");
    }
    left -= read;
    return read;
  }
}
