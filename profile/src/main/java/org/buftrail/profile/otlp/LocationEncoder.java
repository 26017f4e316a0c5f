package org.buftrail.profile.otlp;

import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.dictionary.MappingTable;
import org.buftrail.profile.protobuf.ProtobufEncoder;
import org.buftrail.profile.protobuf.WireType;

/** Encodes the used mappings and locations, into a part of the message of their own. */
final class LocationEncoder {
  private static final int VARINT = 10;
  private static final int LINE = 32;
  private static final int MOST_PLAIN_ATTRIBUTES = 4;
  // Below 128 bytes, so that its length takes one byte.
  private static final int PLAIN_LOCATION = 4 + LINE + 2 + VARINT * MOST_PLAIN_ATTRIBUTES;

  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final UsedEntries used;
  private final AttributeSetEncoder sets;
  // The attributes of the plain location encoded last, as the field of them is written.
  private final byte[] knownSetBytes = new byte[2 + VARINT * MOST_PLAIN_ATTRIBUTES];
  private int knownSet;
  private int knownSetLength;

  LocationEncoder(UsedEntries used) {
    this.used = used;
    this.sets = new AttributeSetEncoder(encoder, used);
  }

  /** What was encoded last. */
  ProtobufEncoder encoded() {
    return encoder;
  }

  /** Encodes the used mappings and locations of a dictionary. */
  void encode(Dictionary dictionary) {
    encoder.clear();
    encodeMappings(dictionary);
    encodeLocations(dictionary);
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
                5 * LINE + AttributeSetEncoder.room(set, dictionary));
        number(OtlpFields.Mapping.MEMORY_START, table.start(i));
        number(OtlpFields.Mapping.MEMORY_LIMIT, table.limit(i));
        number(OtlpFields.Mapping.FILE_OFFSET, table.fileOffset(i));
        number(OtlpFields.Mapping.FILENAME_STRINDEX, used.strings.of(table.fileName(i)));
        sets.encode(OtlpFields.Mapping.ATTRIBUTE_INDICES, set, dictionary);
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
    long room = (lines + 1L) * LINE + AttributeSetEncoder.room(set, dictionary);
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
    sets.encode(OtlpFields.Location.ATTRIBUTE_INDICES, set, dictionary);
    encoder.close(mark);
  }

  private void number(int field, long value) {
    if (value != 0) {
      encoder.writeVarint(field, value);
    }
  }
}
