package org.buftrail.profile.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.buftrail.profile.Payload;
import org.buftrail.profile.dictionary.StringTable;

/**
 * Encodes protobuf messages into a list of memory segments, in one pass and in the shortest form.
 *
 * <p>Two ways to nest, because the length of a message stands before it. A <em>small</em> message
 * lies in one segment: one byte is reserved for its length, and what follows is moved when that is
 * not enough. A large one may go over many segments: its tag and length become a slice of their
 * own, filled in when it ends.
 *
 * <pre>
 *   segment 0: [slice 0 ........][slice 2 .................]   slice 1: tag, length
 *   segment 1: [slice 3 .............][slice 5 ....]           slice 4: tag, length
 * </pre>
 *
 * <p>Nothing is left out because it is zero: that is the caller's choice. Belongs to one thread.
 * {@link #clear} keeps the memory for the next message.
 */
public final class ProtobufEncoder {
  /** A message that is surely not longer than this can be a small one. */
  private static final int LARGEST_SMALL = 1 << 14;

  private static final int MAX_VARINT = 10;
  private static final int MAX_HEADER = 2 * MAX_VARINT;
  private static final int LARGE = -1;

  private final Segments segments = new Segments();
  private byte[] buffer = segments.next();
  private int position;
  private int smallDepth;

  /** Makes an empty encoder. */
  public ProtobufEncoder() {}

  /** Bytes written so far; headers of messages that have not ended are not counted. */
  public long size() {
    return segments.sizeWith(position);
  }

  /** Forgets what was written and keeps the memory. */
  public void clear() {
    segments.clear();
    buffer = segments.next();
    position = 0;
    smallDepth = 0;
  }

  private void ensure(int room) {
    if (buffer.length - position < room) {
      nextSegment();
    }
  }

  private void nextSegment() {
    if (smallDepth > 0) {
      throw new IllegalStateException("a message is longer than the bound that it was opened with");
    }
    segments.cut(position);
    buffer = segments.next();
    position = 0;
  }

  // ---- numbers

  /** A number without a tag, as in packed fields: 1 to 10 bytes. */
  public void varint(long value) {
    ensure(MAX_VARINT);
    position = put(buffer, position, value);
  }

  /**
   * Room for a caller that encodes in local variables, for tables of very many small messages.
   *
   * @param room how many bytes it may write, at most 4096, from {@link #position}
   * @return the array to write into; the caller then says by {@link #advance} how far it came
   */
  public byte[] reserve(int room) {
    ensure(room);
    return buffer;
  }

  /** Where in the array of {@link #reserve} the next byte goes. */
  public int position() {
    return position;
  }

  /** Says up to where the array of {@link #reserve} has been written. */
  public void advance(int newPosition) {
    position = newPosition;
  }

  /**
   * Puts a number into an array: 1 to 10 bytes.
   *
   * @return the position behind it
   */
  public static int put(byte[] target, int at, long value) {
    long rest = value;
    int next = at;
    while ((rest & ~0x7FL) != 0) {
      target[next++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[next++] = (byte) rest;
    return next;
  }

  private int putTag(int field, int wireType) {
    return put(buffer, position, ((long) field << 3) | wireType);
  }

  /** A field of type int32, int64, uint64, enum or bool (as 0 or 1). */
  public void writeVarint(int field, long value) {
    ensure(2 * MAX_VARINT);
    position = put(buffer, putTag(field, WireType.VARINT), value);
  }

  /** A varint field, unless it is 0, which is what readers take a missing field for. */
  public void writeNumber(int field, long value) {
    if (value != 0) {
      writeVarint(field, value);
    }
  }

  /** A field of type fixed64 or sfixed64. */
  public void writeFixed64(int field, long value) {
    ensure(MAX_VARINT + Long.BYTES);
    position = putTag(field, WireType.FIXED64);
    fixed64(value);
  }

  /** A number of 8 bytes without a tag, as in packed fields. */
  public void fixed64(long value) {
    ensure(Long.BYTES);
    byte[] target = buffer;
    int at = position;
    target[at] = (byte) value;
    target[at + 1] = (byte) (value >>> 8);
    target[at + 2] = (byte) (value >>> 16);
    target[at + 3] = (byte) (value >>> 24);
    target[at + 4] = (byte) (value >>> 32);
    target[at + 5] = (byte) (value >>> 40);
    target[at + 6] = (byte) (value >>> 48);
    target[at + 7] = (byte) (value >>> 56);
    position = at + Long.BYTES;
  }

  /** A field of type double. */
  public void writeDouble(int field, double value) {
    writeFixed64(field, Double.doubleToRawLongBits(value));
  }

  /** A packed field of type int32. Nothing at all if the range is empty. */
  public void writePacked(int field, int[] values, int from, int to) {
    if (from == to) {
      return;
    }
    int mark = open(field, (to - from) * (long) MAX_VARINT);
    byte[] target = buffer;
    int at = position;
    for (int i = from; i < to; i++) {
      int value = values[i];
      if (target.length - at < MAX_VARINT) {
        position = at;
        ensure(MAX_VARINT);
        target = buffer;
        at = position;
      }
      if ((value & ~0x3FFF) == 0) {
        // One byte or two, of which the second may be overwritten by the next.
        int isLong = (0x7F - value) >>> (Integer.SIZE - 1);
        target[at] = (byte) (value | isLong << 7);
        target[at + 1] = (byte) (value >>> 7);
        at += 1 + isLong;
      } else {
        at = put(target, at, value);
      }
    }
    position = at;
    close(mark);
  }

  // ---- texts and bytes

  /** A field of type string. An unpaired surrogate becomes {@code ?}. */
  public void writeString(int field, String value) {
    int length = value.length();
    if (length > LARGEST_SMALL) {
      byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
      writeBytes(field, encoded, 0, encoded.length);
      return;
    }
    ensure(MAX_HEADER + length);
    byte[] target = buffer;
    int at = put(target, putTag(field, WireType.LENGTH), length);
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (c >= 0x80) {
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        writeBytes(field, encoded, 0, encoded.length);
        return;
      }
      target[at++] = (byte) c;
    }
    position = at;
  }

  /** A field of type string whose value is an entry of a string table. */
  public void writeString(int field, StringTable strings, int index) {
    int length = strings.byteLength(index);
    if (length > LARGEST_SMALL) {
      byte[] encoded = new byte[length];
      strings.copy(index, encoded, 0);
      writeBytes(field, encoded, 0, length);
      return;
    }
    ensure(MAX_HEADER + length);
    position = put(buffer, putTag(field, WireType.LENGTH), length) + length;
    strings.copyBefore(index, buffer, position);
  }

  /** A field of type bytes, or a message that is encoded already. */
  public void writeBytes(int field, byte[] bytes, int offset, int length) {
    ensure(MAX_HEADER);
    position = put(buffer, putTag(field, WireType.LENGTH), length);
    raw(bytes, offset, length);
  }

  /** Bytes without tag and length. */
  public void raw(byte[] bytes, int offset, int length) {
    int done = 0;
    while (done < length) {
      ensure(1);
      int part = Math.min(length - done, buffer.length - position);
      System.arraycopy(bytes, offset + done, buffer, position, part);
      position += part;
      done += part;
    }
  }

  /**
   * A field of type bytes whose value is read when the message is written.
   *
   * @throws IllegalArgumentException if it is longer than a protobuf field can be
   */
  public void writePayload(int field, Payload payload) {
    if (payload.size() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "the original payload has "
              + payload.size()
              + " bytes, a protobuf field holds 2147483647; leave it out or split the input");
    }
    ensure(MAX_HEADER);
    position = put(buffer, putTag(field, WireType.LENGTH), payload.size());
    carry(payload);
  }

  void carry(Payload payload) {
    segments.add(payload, position);
  }

  /** A field whose value is a message that another encoder holds; it is copied. */
  public void writeMessage(int field, ProtobufEncoder message) {
    ensure(MAX_HEADER);
    position = put(buffer, putTag(field, WireType.LENGTH), message.size());
    message.segments.appendTo(this, message.position);
  }

  // ---- messages

  /**
   * Begins a message.
   *
   * @param field its field number
   * @param room an upper bound of its length in bytes, nested messages and their headers included;
   *     {@link Long#MAX_VALUE} if there is none, which a message inside a bounded one must not say
   * @return what {@link #close} needs to end it
   */
  public int open(int field, long room) {
    if (smallDepth == 0) {
      if (room > LARGEST_SMALL) {
        segments.begin(field, position);
        return LARGE;
      }
      // Beside the message its header, and what the last field in it asks for and does not use.
      ensure((int) room + 2 * MAX_HEADER);
    }
    smallDepth++;
    position = putTag(field, WireType.LENGTH) + 1;
    return position;
  }

  /** Ends the message begun last. */
  public void close(int mark) {
    if (mark == LARGE) {
      segments.end(position);
      return;
    }
    smallDepth--;
    int length = position - mark;
    int extra = varintSize(length) - 1;
    if (extra > 0) {
      System.arraycopy(buffer, mark, buffer, mark + extra, length);
      position += extra;
    }
    put(buffer, mark - 1, length);
  }

  /** How many bytes {@link #varint} takes for a value. */
  public static int varintSize(long value) {
    return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }

  // ---- output

  /**
   * Writes the message.
   *
   * @throws IOException if the target cannot be written, or a payload cannot be read or is not as
   *     long as it said
   */
  public void writeTo(OutputStream target) throws IOException {
    segments.writeTo(target, position);
  }

  /** The message as a stream; payloads are read as the stream is. */
  public InputStream open() {
    return segments.open(position);
  }

  /** The message as one array. */
  public byte[] toByteArray() throws IOException {
    byte[] all = new byte[Math.toIntExact(size())];
    try (InputStream source = open()) {
      if (source.readNBytes(all, 0, all.length) != all.length) {
        throw new IOException("the original payload is shorter than it was");
      }
    }
    return all;
  }
}
