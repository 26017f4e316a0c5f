package org.buftrail.profile.otlp.write;

import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FunctionTable;
import org.buftrail.profile.dictionary.LinkTable;
import org.buftrail.profile.dictionary.StackTable;
import org.buftrail.profile.otlp.schema.OtlpFields;
import org.buftrail.profile.protobuf.ProtobufEncoder;

/** Encodes the used entries of all tables. {@code ProfilesDictionary}. */
final class DictionaryEncoder {
  private static final int FIELD = 32;
  private static final int VARINT = 10;

  private final ProtobufEncoder encoder;
  private final UsedEntries used;
  private final LocationEncoder locations;
  private final StackRun run;

  /**
   * @param encoder of the message that the tables become a part of
   */
  DictionaryEncoder(ProtobufEncoder encoder, UsedEntries used) {
    this.encoder = encoder;
    this.used = used;
    this.locations = new LocationEncoder(encoder, used);
    this.run = new StackRun(used.stacks);
  }

  /** Encodes a dictionary whose used entries have been numbered. */
  void encode(Dictionary dictionary, int field) {
    int mark = encoder.open(field, Long.MAX_VALUE);
    locations.encode(dictionary);
    encodeFunctions(dictionary.functions());
    encodeLinks(dictionary.links());
    encodeStrings(dictionary);
    encodeAttributes(dictionary);
    encodeStacks(dictionary.stacks());
    encoder.close(mark);
  }

  /** The zero value of a table: an empty message. */
  private void zero(int field) {
    encoder.close(encoder.open(field, 0));
  }

  private void encodeFunctions(FunctionTable table) {
    zero(OtlpFields.ProfilesDictionary.FUNCTION_TABLE);
    for (int i = 1; i < table.size(); i++) {
      if (used.functions.isUsed(i)) {
        int mark = encoder.open(OtlpFields.ProfilesDictionary.FUNCTION_TABLE, 2 * FIELD);
        encoder.writeNumber(OtlpFields.Function.NAME_STRINDEX, used.strings.of(table.name(i)));
        encoder.writeNumber(
            OtlpFields.Function.SYSTEM_NAME_STRINDEX, used.strings.of(table.systemName(i)));
        encoder.writeNumber(
            OtlpFields.Function.FILENAME_STRINDEX, used.strings.of(table.fileName(i)));
        encoder.writeNumber(OtlpFields.Function.START_LINE, table.startLine(i));
        encoder.close(mark);
      }
    }
  }

  private void encodeStacks(StackTable table) {
    zero(OtlpFields.ProfilesDictionary.STACK_TABLE);
    run.begin(1, table.size());
    while (run.next(table)) {
      int[] frames = run.locations();
      used.locations.replace(frames, run.frames());
      int from = 0;
      for (int i = run.from(); i < run.to(); i++) {
        int to = from + table.depth(i);
        long room = FIELD + (to - from) * (long) VARINT;
        int mark = encoder.open(OtlpFields.ProfilesDictionary.STACK_TABLE, room);
        encoder.writePacked(OtlpFields.Stack.LOCATION_INDICES, frames, from, to);
        encoder.close(mark);
        from = to;
      }
    }
  }

  private void encodeLinks(LinkTable table) {
    byte[] trace = new byte[2 * Long.BYTES];
    byte[] span = new byte[Long.BYTES];
    // Empty, as in all tables: the checker of OpenTelemetry and Parca refuse one of 24 zero bytes.
    zero(OtlpFields.ProfilesDictionary.LINK_TABLE);
    for (int i = 1; i < table.size(); i++) {
      if (used.links.isUsed(i)) {
        putBigEndian(trace, 0, table.traceHigh(i));
        putBigEndian(trace, Long.BYTES, table.traceLow(i));
        putBigEndian(span, 0, table.span(i));
        int mark = encoder.open(OtlpFields.ProfilesDictionary.LINK_TABLE, 2 * FIELD);
        encoder.writeBytes(OtlpFields.Link.TRACE_ID, trace, 0, trace.length);
        encoder.writeBytes(OtlpFields.Link.SPAN_ID, span, 0, span.length);
        encoder.close(mark);
      }
    }
  }

  private static void putBigEndian(byte[] target, int at, long value) {
    for (int i = 0; i < Long.BYTES; i++) {
      target[at + i] = (byte) (value >>> (56 - 8 * i));
    }
  }

  private void encodeStrings(Dictionary dictionary) {
    zero(OtlpFields.ProfilesDictionary.STRING_TABLE);
    for (int i = 1; i < dictionary.strings().size(); i++) {
      if (used.strings.isUsed(i)) {
        encoder.writeString(OtlpFields.ProfilesDictionary.STRING_TABLE, dictionary.strings(), i);
      }
    }
  }

  private void encodeAttributes(Dictionary dictionary) {
    AttributeTable table = dictionary.attributes();
    zero(OtlpFields.ProfilesDictionary.ATTRIBUTE_TABLE);
    for (int i = 1; i < table.size(); i++) {
      if (used.attributes.isUsed(i)) {
        long room = 5 * FIELD;
        if (table.kind(i) == AttributeTable.Kind.STRING) {
          room += dictionary.strings().byteLength(table.stringValue(i));
        }
        int mark = encoder.open(OtlpFields.ProfilesDictionary.ATTRIBUTE_TABLE, room);
        encoder.writeNumber(OtlpFields.KeyValueAndUnit.KEY_STRINDEX, used.strings.of(table.key(i)));
        int value = encoder.open(OtlpFields.KeyValueAndUnit.VALUE, room - 2 * FIELD);
        encodeValue(table, i, dictionary);
        encoder.close(value);
        encoder.writeNumber(
            OtlpFields.KeyValueAndUnit.UNIT_STRINDEX, used.strings.of(table.unit(i)));
        encoder.close(mark);
      }
    }
  }

  private void encodeValue(AttributeTable table, int attribute, Dictionary dictionary) {
    switch (table.kind(attribute)) {
      case STRING:
        encoder.writeString(
            OtlpFields.AnyValue.STRING_VALUE, dictionary.strings(), table.stringValue(attribute));
        break;
      case BOOLEAN:
        encoder.writeVarint(OtlpFields.AnyValue.BOOL_VALUE, table.booleanValue(attribute) ? 1 : 0);
        break;
      case LONG:
        encoder.writeVarint(OtlpFields.AnyValue.INT_VALUE, table.longValue(attribute));
        break;
      case DOUBLE:
        encoder.writeDouble(OtlpFields.AnyValue.DOUBLE_VALUE, table.doubleValue(attribute));
        break;
      default:
        break;
    }
  }
}
