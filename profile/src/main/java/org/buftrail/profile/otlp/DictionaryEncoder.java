package org.buftrail.profile.otlp;

import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FunctionTable;
import org.buftrail.profile.dictionary.LinkTable;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.dictionary.MappingTable;
import org.buftrail.profile.protobuf.ProtobufEncoder;
import org.buftrail.profile.protobuf.WireType;

/** Encodes the used entries of all tables. {@code ProfilesDictionary}. */
final class DictionaryEncoder {
  private static final int VARINT = 10;
  private static final int LINE = 32;
  private static final int MOST_PLAIN_ATTRIBUTES = 4;
  // Below 128 bytes, so that its length takes one byte.
  private static final int PLAIN_LOCATION = 4 + LINE + 2 + VARINT * MOST_PLAIN_ATTRIBUTES;

  private final ProtobufEncoder encoder;
  private final UsedEntries used;
  private final StackEncoder stacks;
  private int[] indices = new int[128];
  // The attributes of the plain location encoded last, as the field of them is written.
  private final byte[] knownSetBytes = new byte[2 + VARINT * MOST_PLAIN_ATTRIBUTES];
  private int knownSet;
  private int knownSetLength;

  DictionaryEncoder(ProtobufEncoder encoder, UsedEntries used, boolean parallel) {
    this.encoder = encoder;
    this.used = used;
    this.stacks = new StackEncoder(used, parallel);
  }

  /** Prepares for a dictionary whose used entries have been numbered. */
  void begin(Dictionary dictionary) {
    stacks.begin(dictionary.stacks());
  }

  /** Leaves nothing behind that another thread still works on. */
  void end() {
    stacks.end();
  }

  void encode(Dictionary dictionary, int field) {
    int mark = encoder.open(field, Long.MAX_VALUE);
    encodeMappings(dictionary);
    encodeLocations(dictionary);
    encodeFunctions(dictionary.functions());
    encodeLinks(dictionary.links());
    encodeStrings(dictionary);
    encodeAttributes(dictionary);
    encoder.attach(stacks.encoded());
    encoder.close(mark);
  }

  /** The zero value of a table: an empty message. */
  private void zero(int field) {
    encoder.close(encoder.open(field, 0));
  }

  private void encodeMappings(Dictionary dictionary) {
    MappingTable table = dictionary.mappings();
    zero(OtlpFields.ProfilesDictionary.MAPPING_TABLE);
    for (int i = 1; i < table.size(); i++) {
      if (used.mappings.isUsed(i)) {
        int set = table.attributeSet(i);
        int mark =
            encoder.open(
                OtlpFields.ProfilesDictionary.MAPPING_TABLE,
                5 * LINE + attributeRoom(set, dictionary));
        number(OtlpFields.Mapping.MEMORY_START, table.start(i));
        number(OtlpFields.Mapping.MEMORY_LIMIT, table.limit(i));
        number(OtlpFields.Mapping.FILE_OFFSET, table.fileOffset(i));
        number(OtlpFields.Mapping.FILENAME_STRINDEX, used.strings.of(table.fileName(i)));
        encodeSet(OtlpFields.Mapping.ATTRIBUTE_INDICES, set, dictionary);
        encoder.close(mark);
      }
    }
  }

  private void encodeLocations(Dictionary dictionary) {
    LocationTable table = dictionary.locations();
    zero(OtlpFields.ProfilesDictionary.LOCATION_TABLE);
    knownSet = 0;
    knownSetLength = 0;
    for (int i = 1; i < table.size(); i++) {
      if (used.locations.isUsed(i)) {
        if (table.isPlain(i) && loadSet(table.attributeSet(i), dictionary)) {
          encodePlainLocation(used.functions.of(table.function(i)), table.line(i));
        } else {
          encodeLocation(table, i, dictionary);
        }
      }
    }
  }

  /** Encodes a set of attributes into {@link #knownSetBytes}, if it is a small one. */
  private boolean loadSet(int set, Dictionary dictionary) {
    if (set == knownSet) {
      return true;
    }
    AttributeSetTable sets = dictionary.attributeSets();
    if (sets.length(set) > MOST_PLAIN_ATTRIBUTES) {
      return false;
    }
    int end = 2;
    for (int k = 0; k < sets.length(set); k++) {
      int attribute = used.attributes.of(sets.attribute(set, k));
      end = ProtobufEncoder.put(knownSetBytes, end, attribute);
    }
    knownSetBytes[0] = tag(OtlpFields.Location.ATTRIBUTE_INDICES);
    knownSetBytes[1] = (byte) (end - 2);
    knownSet = set;
    knownSetLength = set == 0 ? 0 : end;
    return true;
  }

  private static byte tag(int field) {
    return (byte) (field << 3 | WireType.LENGTH);
  }

  /**
   * A location of one function with at most a line, and the attributes loaded last. What recordings
   * of a JVM have by the hundred thousand, hence in local variables.
   */
  private void encodePlainLocation(int function, long line) {
    byte[] target = encoder.reserve(PLAIN_LOCATION);
    int start = encoder.position();
    int lineStart = start + 4;
    int at = lineStart;
    if (function != 0) {
      target[at++] = OtlpFields.Line.FUNCTION_INDEX << 3;
      at = ProtobufEncoder.put(target, at, function);
    }
    if (line != 0) {
      target[at++] = OtlpFields.Line.LINE << 3;
      at = ProtobufEncoder.put(target, at, line);
    }
    target[lineStart - 2] = tag(OtlpFields.Location.LINES);
    target[lineStart - 1] = (byte) (at - lineStart);
    for (int k = 0; k < knownSetLength; k++) {
      target[at++] = knownSetBytes[k];
    }
    target[start] = tag(OtlpFields.ProfilesDictionary.LOCATION_TABLE);
    target[start + 1] = (byte) (at - start - 2);
    encoder.advance(at);
  }

  private void encodeLocation(LocationTable table, int location, Dictionary dictionary) {
    int set = table.attributeSet(location);
    int lines = table.lineCount(location);
    long room = (lines + 1L) * LINE + attributeRoom(set, dictionary);
    int mark = encoder.open(OtlpFields.ProfilesDictionary.LOCATION_TABLE, room);
    number(OtlpFields.Location.MAPPING_INDEX, used.mappings.of(table.mapping(location)));
    number(OtlpFields.Location.ADDRESS, table.address(location));
    for (int k = 0; k < lines; k++) {
      int line = encoder.open(OtlpFields.Location.LINES, LINE);
      number(OtlpFields.Line.FUNCTION_INDEX, used.functions.of(table.function(location, k)));
      number(OtlpFields.Line.LINE, table.line(location, k));
      number(OtlpFields.Line.COLUMN, table.column(location, k));
      encoder.close(line);
    }
    encodeSet(OtlpFields.Location.ATTRIBUTE_INDICES, set, dictionary);
    encoder.close(mark);
  }

  private void encodeFunctions(FunctionTable table) {
    zero(OtlpFields.ProfilesDictionary.FUNCTION_TABLE);
    for (int i = 1; i < table.size(); i++) {
      if (used.functions.isUsed(i)) {
        int mark = encoder.open(OtlpFields.ProfilesDictionary.FUNCTION_TABLE, 4 * LINE);
        number(OtlpFields.Function.NAME_STRINDEX, used.strings.of(table.name(i)));
        number(OtlpFields.Function.SYSTEM_NAME_STRINDEX, used.strings.of(table.systemName(i)));
        number(OtlpFields.Function.FILENAME_STRINDEX, used.strings.of(table.fileName(i)));
        number(OtlpFields.Function.START_LINE, table.startLine(i));
        encoder.close(mark);
      }
    }
  }

  private void encodeLinks(LinkTable table) {
    byte[] trace = new byte[2 * Long.BYTES];
    byte[] span = new byte[Long.BYTES];
    zero(OtlpFields.ProfilesDictionary.LINK_TABLE);
    for (int i = 1; i < table.size(); i++) {
      if (used.links.isUsed(i)) {
        putBigEndian(trace, 0, table.traceHigh(i));
        putBigEndian(trace, Long.BYTES, table.traceLow(i));
        putBigEndian(span, 0, table.span(i));
        int mark = encoder.open(OtlpFields.ProfilesDictionary.LINK_TABLE, 2 * LINE);
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
        long room = 5 * LINE;
        if (table.kind(i) == AttributeTable.Kind.STRING) {
          room += dictionary.strings().byteLength(table.stringValue(i));
        }
        int mark = encoder.open(OtlpFields.ProfilesDictionary.ATTRIBUTE_TABLE, room);
        number(OtlpFields.KeyValueAndUnit.KEY_STRINDEX, used.strings.of(table.key(i)));
        int value = encoder.open(OtlpFields.KeyValueAndUnit.VALUE, room - 2 * LINE);
        encodeValue(table, i, dictionary);
        encoder.close(value);
        number(OtlpFields.KeyValueAndUnit.UNIT_STRINDEX, used.strings.of(table.unit(i)));
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

  /** An upper bound of what {@link #encodeSet} writes. */
  static long attributeRoom(int set, Dictionary dictionary) {
    return 2L * VARINT + dictionary.attributeSets().length(set) * (long) VARINT;
  }

  /** Encodes a set of attributes as a packed field; nothing if it is empty. */
  void encodeSet(int field, int set, Dictionary dictionary) {
    AttributeSetTable sets = dictionary.attributeSets();
    int length = sets.length(set);
    if (indices.length < length) {
      indices = new int[length * 2];
    }
    for (int k = 0; k < length; k++) {
      indices[k] = used.attributes.of(sets.attribute(set, k));
    }
    encoder.writePacked(field, indices, 0, length);
  }

  private void number(int field, long value) {
    if (value != 0) {
      encoder.writeVarint(field, value);
    }
  }
}
