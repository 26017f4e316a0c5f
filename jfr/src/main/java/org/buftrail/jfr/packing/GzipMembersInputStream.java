package org.buftrail.jfr.packing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Unpacks gzip members, one after the other (RFC 1952). Unlike the JDK's stream it does not take
 * what follows a member, and is none, for the end: that fails, but for zeros, with which tapes and
 * blocks are filled up. Does not close the stream that it reads. Belongs to one thread.
 */
public final class GzipMembersInputStream extends InputStream {
  private static final int HEADER_CHECKSUM = 1 << 1;
  private static final int EXTRA = 1 << 2;
  private static final int NAME = 1 << 3;
  private static final int COMMENT = 1 << 4;
  private static final int DEFLATE = 8;

  private final InputStream source;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private final byte[] packed = new byte[1 << 16];
  private int position;
  private int limit;
  private boolean inMember;
  private boolean atEnd;

  /**
   * @param source begins with a member
   * @throws IOException if it does not, or cannot be read
   */
  public GzipMembersInputStream(InputStream source) throws IOException {
    this.source = source;
    readHeader(next());
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    while (length > 0 && !atEnd) {
      if (inMember) {
        int count = inflate(target, offset, length);
        if (count > 0) {
          checksum.update(target, offset, count);
          return count;
        }
      } else {
        begin();
      }
    }
    return length == 0 ? 0 : -1;
  }

  /** Unpacks some bytes; none if there was need for more, or the member has ended. */
  private int inflate(byte[] target, int offset, int length) throws IOException {
    try {
      int count = inflater.inflate(target, offset, length);
      if (count > 0) {
        return count;
      }
    } catch (DataFormatException e) {
      throw new ZipException(e.getMessage() == null ? "it is damaged" : e.getMessage());
    }
    if (inflater.finished()) {
      position = limit - inflater.getRemaining();
      readTrailer();
    } else if (inflater.needsInput()) {
      if (!fill()) {
        throw new EOFException();
      }
      inflater.setInput(packed, 0, limit);
    } else {
      throw new ZipException("it needs a dictionary");
    }
    return 0;
  }

  /** Begins the next member, if there is one. */
  private void begin() throws IOException {
    int first = nextOrEnd();
    boolean padded = first == 0;
    while (first == 0) {
      first = nextOrEnd();
    }
    if (first < 0) {
      atEnd = true;
    } else if (padded) {
      throw new ZipException("something follows that is not gzip");
    } else {
      readHeader(first);
    }
  }

  private void readHeader(int first) throws IOException {
    checksum.reset();
    checksum.update(first);
    if (first != 0x1f || nextOfHeader() != 0x8b || nextOfHeader() != DEFLATE) {
      throw new ZipException("what begins here is not gzip");
    }
    int flags = nextOfHeader();
    skip(6);
    if ((flags & EXTRA) != 0) {
      skip(nextOfHeader() | nextOfHeader() << 8);
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    if ((flags & HEADER_CHECKSUM) != 0) {
      long expected = checksum.getValue() & 0xffff;
      check(expected, next() | next() << 8, "header");
    }
    checksum.reset();
    inflater.reset();
    inflater.setInput(packed, position, limit - position);
    inMember = true;
  }

  private void readTrailer() throws IOException {
    inMember = false;
    check(checksum.getValue(), nextFour(), "content");
    check(inflater.getBytesWritten() & 0xffffffffL, nextFour(), "length");
  }

  private static void check(long expected, long stated, String what) throws IOException {
    if (expected != stated) {
      throw new ZipException("its " + what + " does not match its checksum");
    }
  }

  private long nextFour() throws IOException {
    return next() | next() << 8 | next() << 16 | (long) next() << 24;
  }

  private void skip(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      nextOfHeader();
    }
  }

  private void skipText() throws IOException {
    int read = nextOfHeader();
    while (read != 0) {
      read = nextOfHeader();
    }
  }

  private int nextOfHeader() throws IOException {
    int read = next();
    checksum.update(read);
    return read;
  }

  private int next() throws IOException {
    int read = nextOrEnd();
    if (read < 0) {
      throw new EOFException();
    }
    return read;
  }

  private int nextOrEnd() throws IOException {
    return position < limit || fill() ? packed[position++] & 0xff : -1;
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, source.read(packed));
    return limit > 0;
  }

  @Override
  public void close() {
    inflater.end();
  }
}
