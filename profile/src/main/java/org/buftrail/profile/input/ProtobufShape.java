package org.buftrail.profile.input;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.buftrail.profile.protobuf.ProtobufDecoder;
import org.buftrail.profile.protobuf.WireType;

/**
 * Which message protobuf seems to be: the fields of OTLP's {@code ProfilesData} are two messages,
 * pprof's {@code Profile} has numbers in its first field, and strings in its sixth.
 */
enum ProtobufShape {
  OTLP,
  PPROF,
  NEITHER;

  private static final int OTLP_FIELDS = 2;
  private static final int OTLP_TABLES = 7;
  private static final int PPROF_STRINGS = 6;
  private static final int PPROF_FIELDS = 15;

  /** Judges by the first fields, of which the last may be cut off. */
  static ProtobufShape of(byte[] start) {
    ProtobufDecoder message = new ProtobufDecoder(new ByteArrayInputStream(start));
    ProtobufShape shape = NEITHER;
    boolean isFirst = true;
    boolean hasStrings = false;
    try {
      for (int field = message.readField(); field != 0; field = message.readField()) {
        int type = message.wireType();
        if (field > PPROF_FIELDS || (type != WireType.VARINT && type != WireType.LENGTH)) {
          return NEITHER;
        }
        hasStrings |= field == PPROF_STRINGS && type == WireType.LENGTH;
        shape = shape == OTLP && field > OTLP_FIELDS ? PPROF : shape;
        if (isFirst && field <= OTLP_FIELDS && type == WireType.LENGTH) {
          long outer = message.enter();
          shape = byContent(start, (int) message.position(), message.left());
          message.leave(outer);
        } else {
          message.skipField();
        }
        isFirst = false;
      }
    } catch (IOException e) {
      if (message.position() < start.length) {
        return NEITHER;
      }
      // It is cut off, after what has been seen.
    }
    return shape == NEITHER && hasStrings ? PPROF : shape;
  }

  /** Judges by what the first field begins with. */
  private static ProtobufShape byContent(byte[] start, int at, long length) {
    if (length == 0 || at == start.length) {
      return OTLP;
    }
    int field = (start[at] & 0xFF) >>> 3;
    int type = start[at] & 7;
    if (type == WireType.LENGTH && field >= 1 && field <= OTLP_TABLES) {
      return OTLP;
    }
    return type == WireType.VARINT && field >= 1 && field <= OTLP_FIELDS ? PPROF : NEITHER;
  }
}
