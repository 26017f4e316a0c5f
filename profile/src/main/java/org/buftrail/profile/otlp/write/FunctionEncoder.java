package org.buftrail.profile.otlp.write;

import org.buftrail.profile.dictionary.FunctionTable;
import org.buftrail.profile.otlp.schema.OtlpFields;
import org.buftrail.profile.protobuf.ProtobufEncoder;

/** Encodes the used functions, into a part of the message of their own. */
final class FunctionEncoder {
  /** An upper bound: four numbers of at most ten bytes, each with a tag of one. */
  private static final int ROOM = 2 + 4 * 11;

  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final UsedEntries used;

  FunctionEncoder(UsedEntries used) {
    this.used = used;
  }

  /** The last one encoded. */
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

  private void encodeFunction(FunctionTable table, int function) {
    int mark = encoder.open(OtlpFields.ProfilesDictionary.FUNCTION_TABLE, ROOM);
    encoder.writeNumber(OtlpFields.Function.NAME_STRINDEX, used.strings.of(table.name(function)));
    encoder.writeNumber(
        OtlpFields.Function.SYSTEM_NAME_STRINDEX, used.strings.of(table.systemName(function)));
    encoder.writeNumber(
        OtlpFields.Function.FILENAME_STRINDEX, used.strings.of(table.fileName(function)));
    encoder.writeNumber(OtlpFields.Function.START_LINE, table.startLine(function));
    encoder.close(mark);
  }
}
