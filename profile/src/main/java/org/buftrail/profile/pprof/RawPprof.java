package org.buftrail.profile.pprof;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.buftrail.profile.protobuf.ProtobufDecoder;
import org.buftrail.profile.protobuf.WireType;

/** A pprof message as it stands in the file, its samples in one list of numbers. */
final class RawPprof {
  private static final int ID = 1;

  final List<String> strings = new ArrayList<>();
  final List<long[]> types = new ArrayList<>();

  /** By id: the numbers of a message by field number. */
  final Map<Long, long[]> mappings = new HashMap<>();

  final Map<Long, long[]> functions = new HashMap<>();
  final Map<Long, RawLocation> locations = new HashMap<>();
  final List<RawSample> samples = new ArrayList<>();
  long[] periodType = {0, 0, 0};
  long period;
  long time;
  long duration;

  private final ProtobufDecoder decoder;

  /** A frame and the lines in it, the innermost function first. */
  static final class RawLocation {
    long mapping;
    long address;
    final List<long[]> lines = new ArrayList<>();
  }

  static final class RawSample {
    long[] locations = {};
    long[] values = {};
    final List<long[]> labels = new ArrayList<>(0);
  }

  RawPprof(ProtobufDecoder decoder) throws IOException {
    this.decoder = decoder;
    for (int field = decoder.readField(); field != 0; field = decoder.readField()) {
      read(field);
    }
  }

  private void read(int field) throws IOException {
    boolean message = decoder.wireType() == WireType.LENGTH;
    if (field == PprofFields.Profile.STRING_TABLE && message) {
      strings.add(new String(decoder.readBytes(), StandardCharsets.UTF_8));
    } else if (message) {
      long outer = decoder.enter();
      readMessage(field);
      decoder.leave(outer);
    } else if (decoder.wireType() == WireType.VARINT) {
      readNumber(field, decoder.readVarint());
    } else {
      decoder.skipField();
    }
  }

  private void readNumber(int field, long value) {
    if (field == PprofFields.Profile.TIME_NANOS) {
      time = value;
    } else if (field == PprofFields.Profile.DURATION_NANOS) {
      duration = value;
    } else if (field == PprofFields.Profile.PERIOD) {
      period = value;
    }
  }

  private void readMessage(int field) throws IOException {
    switch (field) {
      case PprofFields.Profile.SAMPLE_TYPE:
        types.add(numbers(PprofFields.ValueType.UNIT));
        break;
      case PprofFields.Profile.PERIOD_TYPE:
        periodType = numbers(PprofFields.ValueType.UNIT);
        break;
      case PprofFields.Profile.MAPPING:
        long[] mapping = numbers(PprofFields.Mapping.BUILD_ID);
        mappings.put(mapping[ID], mapping);
        break;
      case PprofFields.Profile.FUNCTION:
        long[] function = numbers(PprofFields.Function.START_LINE);
        functions.put(function[ID], function);
        break;
      case PprofFields.Profile.LOCATION:
        readLocation();
        break;
      case PprofFields.Profile.SAMPLE:
        samples.add(readSample());
        break;
      default:
        break;
    }
  }

  /** The numbers of the message that has been entered, by field number. */
  private long[] numbers(int lastField) throws IOException {
    long[] numbers = new long[lastField + 1];
    for (int field = decoder.readField(); field != 0; field = decoder.readField()) {
      if (field <= lastField && decoder.wireType() == WireType.VARINT) {
        numbers[field] = decoder.readVarint();
      } else {
        decoder.skipField();
      }
    }
    return numbers;
  }

  private void readLocation() throws IOException {
    RawLocation location = new RawLocation();
    long id = 0;
    for (int field = decoder.readField(); field != 0; field = decoder.readField()) {
      if (field == PprofFields.Location.LINE && decoder.wireType() == WireType.LENGTH) {
        long outer = decoder.enter();
        location.lines.add(numbers(PprofFields.Line.COLUMN));
        decoder.leave(outer);
      } else if (decoder.wireType() != WireType.VARINT) {
        decoder.skipField();
      } else if (field == PprofFields.Location.ID) {
        id = decoder.readVarint();
      } else if (field == PprofFields.Location.MAPPING_ID) {
        location.mapping = decoder.readVarint();
      } else if (field == PprofFields.Location.ADDRESS) {
        location.address = decoder.readVarint();
      } else {
        decoder.skipField();
      }
    }
    locations.put(id, location);
  }

  private RawSample readSample() throws IOException {
    RawSample sample = new RawSample();
    for (int field = decoder.readField(); field != 0; field = decoder.readField()) {
      if (field == PprofFields.Sample.LOCATION_ID) {
        sample.locations = appended(sample.locations);
      } else if (field == PprofFields.Sample.VALUE) {
        sample.values = appended(sample.values);
      } else if (field == PprofFields.Sample.LABEL && decoder.wireType() == WireType.LENGTH) {
        long outer = decoder.enter();
        sample.labels.add(numbers(PprofFields.Label.NUM_UNIT));
        decoder.leave(outer);
      } else {
        decoder.skipField();
      }
    }
    return sample;
  }

  /** What was read before and the numbers of a repeated field, packed or single. */
  private long[] appended(long[] before) throws IOException {
    if (decoder.wireType() == WireType.VARINT) {
      long[] all = Arrays.copyOf(before, before.length + 1);
      all[before.length] = decoder.readVarint();
      return all;
    }
    if (decoder.wireType() != WireType.LENGTH) {
      throw new MalformedMessageException(
          "a sample has numbers of wire type "
              + decoder.wireType()
              + ", byte "
              + decoder.position());
    }
    long outer = decoder.enter();
    long[] all = before;
    int size = before.length;
    while (decoder.left() > 0) {
      all = size == all.length ? Arrays.copyOf(all, Math.max(16, size * 2)) : all;
      all[size++] = decoder.readVarint();
    }
    decoder.leave(outer);
    return Arrays.copyOf(all, size);
  }
}
