package org.buftrail.profile.otlp.write;

import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.LinkTable;
import org.buftrail.profile.otlp.schema.OtlpFields;
import org.buftrail.profile.protobuf.ProtobufEncoder;

/** Encodes the used entries of all tables. {@code ProfilesDictionary}. */
final class DictionaryEncoder {
  private static final int FIELD = 32;

  private final ProtobufEncoder message;

  // What lies between the functions and the stacks.
  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final UsedEntries used;
  private final StackEncoder stacks;
  private final LocationEncoder locations;
  private final FunctionEncoder functions;

  /**
   * @param message what the tables become a part of
   */
  DictionaryEncoder(ProtobufEncoder message, UsedEntries used) {
    this.message = message;
    this.used = used;
    this.stacks = new StackEncoder(used);
    this.locations = new LocationEncoder(used);
    this.functions = new FunctionEncoder(used);
  }

  /** Encodes a dictionary whose used entries have been numbered. */
  void encode(Dictionary dictionary, int field) {
    encoder.clear();
    encodeLinks(dictionary.links());
    encodeStrings(dictionary);
    encodeAttributes(dictionary);
    locations.encode(dictionary);
    functions.encode(dictionary.functions());
    stacks.encode(dictionary.stacks(), 0, dictionary.stacks().size());
    int mark = message.open(field, Long.MAX_VALUE);
    message.attach(locations.encoded());
    message.attach(functions.encoded());
    message.attach(encoder);
    message.attach(stacks.encoded());
    message.close(mark);
  }

  /** The zero value of a table: an empty message. */
  private void zero(int field) {
    encoder.close(encoder.open(field, 0));
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
