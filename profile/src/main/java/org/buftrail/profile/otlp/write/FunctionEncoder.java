package org.buftrail.profile.otlp.write;

import org.buftrail.profile.dictionary.FunctionTable;
import org.buftrail.profile.otlp.OtlpFields;
import org.buftrail.profile.protobuf.ProtobufEncoder;
import org.buftrail.profile.protobuf.WireType;

/** Encodes the used functions, into a part of the message of their own. */
final class FunctionEncoder {
  /** Four numbers with their tags: below 128 bytes, so that its length takes one byte. */
  private static final int ROOM = 2 + 4 * 11;

  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final UsedEntries used;

  FunctionEncoder(UsedEntries used) {
    this.used = used;
  }

  /** What was encoded last. */
  ProtobufEncoder encoded() {
    return encoder;
  }

  /** Encodes the used functions of a table. */
  void encode(FunctionTable table) {
    encoder.clear();
    encoder.close(encoder.open(OtlpFields.ProfilesDictionary.FUNCTION_TABLE, 0));
    for (int i = 1; i < table.size(); i++) {
      if (used.functions.isUsed(i)) {
        encodeFunction(table, i);
      }
    }
  }

  /** Encoded in local variables, since there are as many as methods. */
  private void encodeFunction(FunctionTable table, int function) {
    byte[] target = encoder.reserve(ROOM);
    int start = encoder.position();
    int at = start + 2;
    at = put(target, at, OtlpFields.Function.NAME_STRINDEX, used.strings.of(table.name(function)));
    at =
        put(
            target,
            at,
            OtlpFields.Function.SYSTEM_NAME_STRINDEX,
            used.strings.of(table.systemName(function)));
    at =
        put(
            target,
            at,
            OtlpFields.Function.FILENAME_STRINDEX,
            used.strings.of(table.fileName(function)));
    at = put(target, at, OtlpFields.Function.START_LINE, table.startLine(function));
    target[start] = WireType.tag(OtlpFields.ProfilesDictionary.FUNCTION_TABLE, WireType.LENGTH);
    target[start + 1] = (byte) (at - start - 2);
    encoder.advance(at);
  }

  private static int put(byte[] target, int at, int field, long value) {
    if (value == 0) {
      return at;
    }
    target[at] = WireType.tag(field, WireType.VARINT);
    return ProtobufEncoder.put(target, at + 1, value);
  }
}
