package org.buftrail.jfr.packing;

/** A position in the bytes of a block. */
final class ByteCursor {
  final byte[] bytes;
  int position;
  final int end;

  ByteCursor(byte[] bytes, int end) {
    this.bytes = bytes;
    this.end = end;
  }

  int left() {
    return end - position;
  }

  int next() throws ZstdException {
    require(1);
    return bytes[position++] & 0xff;
  }

  /** A number of a few bytes, lowest first. */
  int next(int count) throws ZstdException {
    require(count);
    int value = 0;
    for (int i = 0; i < count; i++) {
      value |= (bytes[position++] & 0xff) << (8 * i);
    }
    return value;
  }

  /** Passes over bytes and answers where they begin. */
  int skip(int count) throws ZstdException {
    require(count);
    position += count;
    return position - count;
  }

  private void require(int count) throws ZstdException {
    if (count < 0 || count > end - position) {
      throw new ZstdException("a block ends early");
    }
  }
}
