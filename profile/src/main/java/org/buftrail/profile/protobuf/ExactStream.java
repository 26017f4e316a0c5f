package org.buftrail.profile.protobuf;

import java.io.IOException;
import java.io.InputStream;
import org.buftrail.profile.stream.CountedInput;

/** Gives exactly as many bytes as promised, whatever became of the file since it was measured. */
final class ExactStream extends CountedInput {
  private final long size;

  ExactStream(InputStream source, long size) {
    super(source);
    this.size = size;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    long left = size - count();
    if (left == 0) {
      return -1;
    }
    int read = super.read(target, offset, (int) Math.min(length, left));
    if (read < 0) {
      throw new IOException("the original payload is " + left + " bytes shorter than it was");
    }
    return read;
  }
}
