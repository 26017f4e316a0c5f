package org.buftrail.profile.input;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.buftrail.profile.stream.CountedInput;

/**
 * Unpacks profiles, and refuses what is packed as none are: it would take the memory before it
 * could be read. Belongs to one thread.
 */
final class UnpackedInput extends CountedInput {
  /** So many bytes may be unpacked, however few they come from. */
  private static final long UNSUSPICIOUS = 16 << 20;

  /** Repeated stacks are packed to a hundredth; gzip can pack zeros to a thousandth. */
  private static final long MOST_FOR_ONE = 400;

  private final CountedInput packed;

  UnpackedInput(InputStream packed) throws IOException {
    this(new CountedInput(packed));
  }

  private UnpackedInput(CountedInput packed) throws IOException {
    super(new GZIPInputStream(packed, 1 << 12));
    this.packed = packed;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int read = super.read(target, offset, length);
    if (count() > UNSUSPICIOUS && count() / MOST_FOR_ONE > packed.count()) {
      throw new MalformedMessageException(
          "is packed as no profile is: " + count() + " bytes in " + packed.count());
    }
    return read;
  }
}
