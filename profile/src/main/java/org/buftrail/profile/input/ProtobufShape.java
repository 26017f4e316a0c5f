package org.buftrail.profile.input;

/**
 * Which message protobuf seems to be: the fields of OTLP's {@code ProfilesData} are two messages,
 * pprof's {@code Profile} has numbers in its first field, and strings in its sixth.
 */
enum ProtobufShape {
  OTLP,
  PPROF,
  NEITHER;

  private static final int VARINT = 0;
  private static final int LENGTH = 2;
  private static final int OTLP_FIELDS = 2;
  private static final int OTLP_TABLES = 7;
  private static final int PPROF_STRINGS = 6;
  private static final int PPROF_FIELDS = 15;

  /** Judges by the first fields, of which the last may be cut off. */
  static ProtobufShape of(byte[] start) {
    return new Walk(start).judge();
  }

  private static final class Walk {
    private final byte[] bytes;
    private int at;

    Walk(byte[] bytes) {
      this.bytes = bytes;
    }

    ProtobufShape judge() {
      ProtobufShape first = NEITHER;
      boolean hasStrings = false;
      for (int count = 0; at < bytes.length; count++) {
        long tag = varint();
        long field = tag >>> 3;
        int type = (int) (tag & 7);
        boolean known = field >= 1 && field <= PPROF_FIELDS && (type == VARINT || type == LENGTH);
        if (!known) {
          return NEITHER;
        }
        long length = varint();
        if (length < 0) {
          return NEITHER;
        }
        if (count == 0) {
          first = first(field, type, length);
        } else if (first == OTLP && field > OTLP_FIELDS) {
          first = PPROF;
        }
        hasStrings |= field == PPROF_STRINGS && type == LENGTH;
        at = type == LENGTH ? (int) Math.min(bytes.length, at + length) : at;
      }
      return first != NEITHER ? first : hasStrings ? PPROF : NEITHER;
    }

    private ProtobufShape first(long field, int type, long length) {
      if (field > OTLP_FIELDS || type != LENGTH) {
        return NEITHER;
      }
      if (length == 0 || at == bytes.length) {
        return OTLP;
      }
      int inner = bytes[at] & 0xFF;
      int innerField = inner >>> 3;
      boolean isMessage = (inner & 7) == LENGTH && innerField >= 1 && innerField <= OTLP_TABLES;
      boolean isNumber = (inner & 7) == VARINT && innerField >= 1 && innerField <= OTLP_FIELDS;
      return isMessage ? OTLP : isNumber ? PPROF : NEITHER;
    }

    /** -1 if there is none that is whole and in range. */
    private long varint() {
      long value = 0;
      for (int shift = 0; shift < 63 && at < bytes.length; shift += 7) {
        byte b = bytes[at];
        at++;
        value |= (long) (b & 0x7F) << shift;
        if (b >= 0) {
          return value;
        }
      }
      return -1;
    }
  }
}
