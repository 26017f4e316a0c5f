package org.buftrail.profile.otlp.write;

import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.dictionary.MappingTable;
import org.buftrail.profile.otlp.schema.OtlpFields;
import org.buftrail.profile.protobuf.ProtobufEncoder;
import org.buftrail.profile.protobuf.WireType;

/** Encodes the used mappings and locations. */
final class LocationEncoder {
  private static final int LINE = 32;

  // Below 128 bytes, so that its length takes one byte.
  private static final int PLAIN_LOCATION = 4 + LINE + AttributeSetEncoder.SMALL;

  private final ProtobufEncoder encoder;
  private final UsedEntries used;
  private final AttributeSetEncoder sets;

  LocationEncoder(ProtobufEncoder encoder, UsedEntries used) {
    this.encoder = encoder;
    this.used = used;
    this.sets = new AttributeSetEncoder(encoder, used, OtlpFields.Location.ATTRIBUTE_INDICES);
  }

  /** Encodes the used mappings and locations of a dictionary. */
  void encode(Dictionary dictionary) {
    sets.begin();
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
        encoder.writeNumber(OtlpFields.Mapping.MEMORY_START, table.start(i));
        encoder.writeNumber(OtlpFields.Mapping.MEMORY_LIMIT, table.limit(i));
        encoder.writeNumber(OtlpFields.Mapping.FILE_OFFSET, table.fileOffset(i));
        encoder.writeNumber(
            OtlpFields.Mapping.FILENAME_STRINDEX, used.strings.of(table.fileName(i)));
        sets.encode(OtlpFields.Mapping.ATTRIBUTE_INDICES, set, dictionary);
        encoder.close(mark);
      }
    }
  }

  private void encodeLocations(Dictionary dictionary) {
    LocationTable table = dictionary.locations();
    zero(OtlpFields.ProfilesDictionary.LOCATION_TABLE);
    for (int i = 1; i < table.size(); i++) {
      if (used.locations.isUsed(i)) {
        if (!table.isPlain(i) || !encodePlainLocation(table, i, dictionary)) {
          encodeLocation(table, i, dictionary);
        }
      }
    }
  }

  /**
   * A location of one function with at most a line, and few attributes. What recordings of a JVM
   * have by the hundred thousand, hence in local variables.
   *
   * @return false, and nothing is encoded, if it has many attributes
   */
  private boolean encodePlainLocation(LocationTable table, int location, Dictionary dictionary) {
    int function = used.functions.of(table.function(location));
    long line = table.line(location);
    byte[] target = encoder.reserve(PLAIN_LOCATION);
    int start = encoder.position();
    int lineStart = start + 4;
    int at = lineStart;
    if (function != 0) {
      target[at++] = WireType.tag(OtlpFields.Line.FUNCTION_INDEX, WireType.VARINT);
      at = ProtobufEncoder.put(target, at, function);
    }
    if (line != 0) {
      target[at++] = WireType.tag(OtlpFields.Line.LINE, WireType.VARINT);
      at = ProtobufEncoder.put(target, at, line);
    }
    int end = sets.putSmall(target, at, table.attributeSet(location), dictionary);
    if (end < 0) {
      return false;
    }
    target[lineStart - 2] = WireType.tag(OtlpFields.Location.LINES, WireType.LENGTH);
    target[lineStart - 1] = (byte) (at - lineStart);
    target[start] = WireType.tag(OtlpFields.ProfilesDictionary.LOCATION_TABLE, WireType.LENGTH);
    target[start + 1] = (byte) (end - start - 2);
    encoder.advance(end);
    return true;
  }

  private void encodeLocation(LocationTable table, int location, Dictionary dictionary) {
    int set = table.attributeSet(location);
    int lines = table.lineCount(location);
    long room = (lines + 1L) * LINE + AttributeSetEncoder.room(set, dictionary);
    int mark = encoder.open(OtlpFields.ProfilesDictionary.LOCATION_TABLE, room);
    encoder.writeNumber(
        OtlpFields.Location.MAPPING_INDEX, used.mappings.of(table.mapping(location)));
    encoder.writeNumber(OtlpFields.Location.ADDRESS, table.address(location));
    for (int k = 0; k < lines; k++) {
      int line = encoder.open(OtlpFields.Location.LINES, LINE);
      encoder.writeNumber(
          OtlpFields.Line.FUNCTION_INDEX, used.functions.of(table.function(location, k)));
      encoder.writeNumber(OtlpFields.Line.LINE, table.line(location, k));
      encoder.writeNumber(OtlpFields.Line.COLUMN, table.column(location, k));
      encoder.close(line);
    }
    sets.encode(OtlpFields.Location.ATTRIBUTE_INDICES, set, dictionary);
    encoder.close(mark);
  }
}
