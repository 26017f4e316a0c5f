package org.buftrail.profile.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads protobuf messages from a stream, trusting nothing: no length makes it allocate more than
 * there are bytes, and no bytes make it loop. Belongs to one thread.
 */
public final class ProtobufDecoder {
  private static final int BUFFER = 1 << 16;
  private static final byte[] NOTHING = {};
  private static final int LAST_VARINT_SHIFT = 63;

  private final InputStream source;
  private final byte[] buffer = new byte[BUFFER];
  private int next;
  private int end;
  // Bytes of the stream before the buffer.
  private long before;
  // Where the message that is being read ends.
  private long limit = Long.MAX_VALUE;
  private int wireType;

  /**
   * @param source read in blocks; not closed
   */
  public ProtobufDecoder(InputStream source) {
    this.source = source;
  }

  /** Bytes read so far. */
  public long position() {
    return before + next;
  }

  private boolean fill() throws IOException {
    before += end;
    next = 0;
    end = Math.max(0, source.read(buffer, 0, BUFFER));
    return end > 0;
  }

  /**
   * The field number of the next field, 0 at the end of the message.
   *
   * @throws MalformedMessageException if there is no valid tag
   */
  public int readField() throws IOException {
    long at = position();
    if (at >= limit || (next == end && limit == Long.MAX_VALUE && !fill())) {
      return 0;
    }
    long tag = readVarint();
    wireType = (int) tag & 7;
    long field = tag >>> 3;
    if (field == 0 || field >= 1 << 29) {
      throw new MalformedMessageException("no field has the number " + field + ", byte " + at);
    }
    return (int) field;
  }

  /** The wire type of the field whose number was read last. */
  public int wireType() {
    return wireType;
  }

  private int readByte() throws IOException {
    if (position() >= limit) {
      throw new MalformedMessageException("a field ends behind its message, byte " + position());
    }
    if (next == end && !fill()) {
      throw new MalformedMessageException("the message is cut off at byte " + position());
    }
    return buffer[next++];
  }

  /**
   * A variable-length number.
   *
   * @throws MalformedMessageException if it has more than 64 bits or is cut off
   */
  public long readVarint() throws IOException {
    long value = 0;
    for (int shift = 0; shift <= LAST_VARINT_SHIFT; shift += 7) {
      int b = readByte();
      value |= (long) (b & 0x7F) << shift;
      if (b >= 0) {
        if (shift == LAST_VARINT_SHIFT && b > 1) {
          break;
        }
        return value;
      }
    }
    throw new MalformedMessageException("a number has more than 64 bits, byte " + position());
  }

  /** A number of 4 bytes. */
  public int readFixed32() throws IOException {
    return (int) readLittleEndian(Integer.BYTES);
  }

  /** A number of 8 bytes. */
  public long readFixed64() throws IOException {
    return readLittleEndian(Long.BYTES);
  }

  private long readLittleEndian(int bytes) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (readByte() & 0xFFL) << (8 * i);
    }
    return value;
  }

  /**
   * Begins the message, the bytes or the packed numbers of a field.
   *
   * @return what {@link #leave} needs
   * @throws MalformedMessageException if it is longer than the message around it
   */
  public long enter() throws IOException {
    long at = position();
    long length = readVarint();
    long left = limit - position();
    if (length < 0 || length > left) {
      String there = limit == Long.MAX_VALUE ? "" : ", where " + Math.max(0, left) + " are left";
      throw new MalformedMessageException(
          "a field of " + Long.toUnsignedString(length) + " bytes at byte " + at + there);
    }
    long outer = limit;
    limit = position() + length;
    return outer;
  }

  /** Bytes that are left in what was entered last. */
  public long left() {
    return limit - position();
  }

  /** Ends what was entered last and passes over what was not read of it. */
  public void leave(long outer) throws IOException {
    skip(left());
    limit = outer;
  }

  private void skip(long bytes) throws IOException {
    long rest = bytes;
    while (rest > 0) {
      if (next == end && !fill()) {
        throw new MalformedMessageException("the message is cut off at byte " + position());
      }
      int part = (int) Math.min(rest, end - next);
      next += part;
      rest -= part;
    }
  }

  /**
   * The bytes of a field.
   *
   * @throws MalformedMessageException if they are cut off or more than an array holds
   */
  public byte[] readBytes() throws IOException {
    long outer = enter();
    long length = left();
    if (length > Integer.MAX_VALUE - 8) {
      throw new MalformedMessageException(
          "a field of " + length + " bytes at byte " + position() + " is too long");
    }
    if (length == 0) {
      leave(outer);
      return NOTHING;
    }
    // The length is a claim: memory grows with what is really there.
    byte[] bytes = new byte[(int) Math.min(length, BUFFER)];
    int done = 0;
    while (done < length) {
      if (next == end && !fill()) {
        throw new MalformedMessageException("the message is cut off at byte " + position());
      }
      int part = (int) Math.min(length - done, end - next);
      if (bytes.length - done < part) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * (done + part)));
      }
      System.arraycopy(buffer, next, bytes, done, part);
      next += part;
      done += part;
    }
    leave(outer);
    return bytes;
  }

  /**
   * Reads a part of what was entered last.
   *
   * @return how many bytes, at least 1; -1 at its end
   * @throws MalformedMessageException if it is cut off
   */
  public int read(byte[] target, int offset, int length) throws IOException {
    if (left() <= 0) {
      return -1;
    }
    if (next == end && !fill()) {
      throw new MalformedMessageException("the message is cut off at byte " + position());
    }
    int part = (int) Math.min(Math.min(length, left()), end - next);
    System.arraycopy(buffer, next, target, offset, part);
    next += part;
    return part;
  }

  /**
   * Passes over the field whose number was read last.
   *
   * @throws MalformedMessageException if its wire type is none that a message has
   */
  public void skipField() throws IOException {
    switch (wireType) {
      case WireType.VARINT:
        readVarint();
        break;
      case WireType.FIXED64:
        readFixed64();
        break;
      case WireType.LENGTH:
        leave(enter());
        break;
      case WireType.FIXED32:
        readFixed32();
        break;
      default:
        throw new MalformedMessageException(
            "wire type " + wireType + " at byte " + position() + " is not of this format");
    }
  }
}
