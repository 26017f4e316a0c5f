package org.buftrail.profile.protobuf;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.buftrail.profile.Payload;

/**
 * Memory of one encoder, and the order in which its pieces make the message. A piece is a part of a
 * segment, the header of a large message, or a payload.
 */
final class Segments {
  private static final int SEGMENT = 1 << 16;
  private static final int MAX_HEADER = 20;

  private final List<byte[]> segments = new ArrayList<>();
  private int used;

  private final List<Piece> pieces = new ArrayList<>();
  // Where in the open segment the open piece begins, and the bytes of all pieces before.
  private int start;
  private long finished;

  private final List<Header> open = new ArrayList<>();

  /** The next segment, empty. The one before must have been {@link #cut}. */
  byte[] next() {
    if (used == segments.size()) {
      segments.add(new byte[SEGMENT]);
    }
    start = 0;
    return segments.get(used++);
  }

  long sizeWith(int position) {
    return finished + position - start;
  }

  /** Ends the open piece at a position of the open segment. */
  void cut(int position) {
    if (position > start) {
      pieces.add(new Bytes(segments.get(used - 1), start, position));
      finished += position - start;
      start = position;
    }
  }

  void begin(int field, int position) {
    cut(position);
    Header header = new Header(field, finished);
    pieces.add(header);
    open.add(header);
  }

  void end(int position) {
    cut(position);
    Header header = open.remove(open.size() - 1);
    finished += header.end(finished);
  }

  void add(Payload payload, int position) {
    cut(position);
    pieces.add(new Carried(payload));
    finished += payload.size();
  }

  void clear() {
    pieces.clear();
    open.clear();
    used = 0;
    finished = 0;
  }

  void writeTo(OutputStream target, int position) throws IOException {
    cut(position);
    for (Piece piece : pieces) {
      piece.writeTo(target);
    }
  }

  void appendTo(ProtobufEncoder target, int position) {
    cut(position);
    for (Piece piece : pieces) {
      piece.appendTo(target);
    }
  }

  InputStream open(int position) {
    cut(position);
    return new PieceStream(pieces.iterator());
  }

  private abstract static class Piece {
    abstract void writeTo(OutputStream target) throws IOException;

    abstract void appendTo(ProtobufEncoder target);

    abstract InputStream open() throws IOException;
  }

  private static final class Bytes extends Piece {
    private final byte[] segment;
    private final int from;
    private final int to;

    Bytes(byte[] segment, int from, int to) {
      this.segment = segment;
      this.from = from;
      this.to = to;
    }

    @Override
    void writeTo(OutputStream target) throws IOException {
      target.write(segment, from, to - from);
    }

    @Override
    void appendTo(ProtobufEncoder target) {
      target.raw(segment, from, to - from);
    }

    @Override
    InputStream open() {
      return new ByteArrayInputStream(segment, from, to - from);
    }
  }

  /** Tag and length of a large message. */
  private static final class Header extends Piece {
    private final int field;
    private final long contentStart;
    private byte[] encoded = {};

    Header(int field, long contentStart) {
      this.field = field;
      this.contentStart = contentStart;
    }

    /** Fills the header in and says how long it is. */
    int end(long contentEnd) {
      byte[] target = new byte[MAX_HEADER];
      int tagSize = ProtobufEncoder.put(target, 0, ((long) field << 3) | WireType.LENGTH);
      encoded =
          Arrays.copyOf(target, ProtobufEncoder.put(target, tagSize, contentEnd - contentStart));
      return encoded.length;
    }

    @Override
    void writeTo(OutputStream target) throws IOException {
      target.write(encoded);
    }

    @Override
    void appendTo(ProtobufEncoder target) {
      target.raw(encoded, 0, encoded.length);
    }

    @Override
    InputStream open() {
      return new ByteArrayInputStream(encoded);
    }
  }

  private static final class Carried extends Piece {
    private final Payload payload;

    Carried(Payload payload) {
      this.payload = payload;
    }

    @Override
    void writeTo(OutputStream target) throws IOException {
      try (InputStream source = open()) {
        source.transferTo(target);
      }
    }

    @Override
    void appendTo(ProtobufEncoder target) {
      target.carry(payload);
    }

    @Override
    InputStream open() throws IOException {
      return new ExactStream(payload.open(), payload.size());
    }
  }

  /** The pieces one after the other. */
  private static final class PieceStream extends InputStream {
    private final Iterator<Piece> rest;
    private InputStream current = InputStream.nullInputStream();

    PieceStream(Iterator<Piece> rest) {
      this.rest = rest;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      while (true) {
        int read = current.read(target, offset, length);
        if (read > 0) {
          return read;
        }
        current.close();
        if (!advance()) {
          return -1;
        }
      }
    }

    private boolean advance() throws IOException {
      if (!rest.hasNext()) {
        return false;
      }
      current = rest.next().open();
      return true;
    }

    @Override
    public void close() throws IOException {
      current.close();
    }
  }
}
