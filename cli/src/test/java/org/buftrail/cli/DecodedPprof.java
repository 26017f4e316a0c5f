package org.buftrail.cli;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** A file of pprof, decoded by protobuf's own classes; numbers are those of profile.proto. */
final class DecodedPprof {
  private static final int SAMPLE_TYPE = 1;
  private static final int SAMPLE = 2;
  private static final int LOCATION = 4;
  private static final int FUNCTION = 5;
  private static final int STRING_TABLE = 6;
  private static final int PERIOD_TYPE = 11;
  private static final int PERIOD = 12;

  private final UnknownFieldSet profile;
  private final Map<Long, UnknownFieldSet> locations = new HashMap<>();
  private final Map<Long, UnknownFieldSet> functions = new HashMap<>();
  private final Map<Long, String> named = new HashMap<>();

  private DecodedPprof(UnknownFieldSet profile) throws IOException {
    this.profile = profile;
    for (ByteString location : profile.getField(LOCATION).getLengthDelimitedList()) {
      UnknownFieldSet fields = UnknownFieldSet.parseFrom(location);
      locations.put(number(fields, 1), fields);
    }
    for (ByteString function : profile.getField(FUNCTION).getLengthDelimitedList()) {
      UnknownFieldSet fields = UnknownFieldSet.parseFrom(function);
      functions.put(number(fields, 1), fields);
    }
  }

  static DecodedPprof of(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return new DecodedPprof(UnknownFieldSet.parseFrom(in));
    }
  }

  private static long number(UnknownFieldSet fields, int field) {
    List<Long> values = fields.getField(field).getVarintList();
    return values.isEmpty() ? 0 : values.get(0);
  }

  private static List<Long> numbers(UnknownFieldSet fields, int field) throws IOException {
    List<Long> all = new ArrayList<>(fields.getField(field).getVarintList());
    for (ByteString packed : fields.getField(field).getLengthDelimitedList()) {
      CodedInputStream in = packed.newCodedInput();
      while (!in.isAtEnd()) {
        all.add(in.readInt64());
      }
    }
    return all;
  }

  private String text(UnknownFieldSet fields, int field) {
    int index = (int) number(fields, field);
    return profile.getField(STRING_TABLE).getLengthDelimitedList().get(index).toStringUtf8();
  }

  /** The names of its values, as {@link DecodedOtlp#name} gives them. */
  List<String> names() throws IOException {
    UnknownFieldSet type =
        UnknownFieldSet.parseFrom(profile.getField(PERIOD_TYPE).getLengthDelimitedList().get(0));
    String period = number(profile, PERIOD) + " " + text(type, 1) + "/" + text(type, 2);
    List<String> names = new ArrayList<>();
    for (ByteString value : profile.getField(SAMPLE_TYPE).getLengthDelimitedList()) {
      UnknownFieldSet fields = UnknownFieldSet.parseFrom(value);
      names.add(text(fields, 1) + "/" + text(fields, 2) + " per " + period);
    }
    return names;
  }

  /** The sums of a value by frames, leaf first, name and line each, then labels. */
  Map<String, Long> sums(int value) throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    for (ByteString sample : profile.getField(SAMPLE).getLengthDelimitedList()) {
      UnknownFieldSet fields = UnknownFieldSet.parseFrom(sample);
      sums.merge(frames(fields) + labels(fields), numbers(fields, 2).get(value), Long::sum);
    }
    return sums;
  }

  private String frames(UnknownFieldSet sample) throws IOException {
    StringBuilder frames = new StringBuilder();
    for (long id : numbers(sample, 1)) {
      String known = named.get(id);
      if (known == null) {
        known = frame(id);
        named.put(id, known);
      }
      frames.append(known);
    }
    return frames.toString();
  }

  private String frame(long id) throws IOException {
    StringBuilder frames = new StringBuilder();
    for (ByteString line : at(locations, id).getField(4).getLengthDelimitedList()) {
      UnknownFieldSet fields = UnknownFieldSet.parseFrom(line);
      UnknownFieldSet function = at(functions, number(fields, 1));
      String name = text(function, 2);
      frames.append(name.isEmpty() ? text(function, 3) : name);
      frames.append(':').append(number(fields, 2)).append('\n');
    }
    return frames.toString();
  }

  private static UnknownFieldSet at(Map<Long, UnknownFieldSet> table, long id) {
    UnknownFieldSet entry = table.get(id);
    if (entry == null) {
      throw new AssertionError("nothing has the id " + id);
    }
    return entry;
  }

  private Map<String, String> labels(UnknownFieldSet sample) throws IOException {
    Map<String, String> labels = new TreeMap<>();
    for (ByteString label : sample.getField(3).getLengthDelimitedList()) {
      UnknownFieldSet fields = UnknownFieldSet.parseFrom(label);
      String text = fields.hasField(2) ? text(fields, 2) : String.valueOf(number(fields, 3));
      labels.put(text(fields, 1), text);
    }
    return labels;
  }
}
