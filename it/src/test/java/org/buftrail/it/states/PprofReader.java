package org.buftrail.it.states;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnknownFieldSet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * A pprof file, decoded by protobuf's own classes; numbers of fields are those of profile.proto.
 */
final class PprofReader {
  private final UnknownFieldSet profile;
  private final Map<Long, UnknownFieldSet> locations;
  private final Map<Long, UnknownFieldSet> functions;

  private PprofReader(UnknownFieldSet profile) throws IOException {
    this.profile = profile;
    locations = byId(4);
    functions = byId(5);
  }

  static Told read(byte[] file) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(file))) {
      return new PprofReader(UnknownFieldSet.parseFrom(in)).told();
    }
  }

  private Told told() throws IOException {
    Told told = new Told();
    List<String> types = new ArrayList<>();
    for (UnknownFieldSet type : messages(profile, 1)) {
      types.add(text(type, 1) + "/" + text(type, 2));
    }
    int objects = types.indexOf("allocated_objects/count");
    int space = types.indexOf("allocated_space/bytes");
    for (UnknownFieldSet sample : messages(profile, 2)) {
      List<Long> values = numbers(sample, 2);
      sample(sample, values.get(objects), values.get(space), told);
    }
    return told;
  }

  private void sample(UnknownFieldSet sample, long count, long bytes, Told told)
      throws IOException {
    List<String> hops = new ArrayList<>();
    for (long id : numbers(sample, 1)) {
      for (UnknownFieldSet line : messages(at(locations, id), 4)) {
        hops.add(0, text(at(functions, number(line, 1)), 2));
      }
    }
    Map<String, String> labels = new HashMap<>();
    for (UnknownFieldSet label : messages(sample, 3)) {
      labels.put(text(label, 1), text(label, 2));
    }
    String state = String.valueOf(labels.get("buftrail.flow.state"));
    String memory = String.valueOf(labels.get("buftrail.flow.memory"));
    told.add("allocated", count).add("allocatedBytes", bytes);
    told.add(state, count).add(state + "Bytes", bytes);
    String kind = memory.endsWith("Lease") ? "resource" : memory;
    told.path(hops, kind, state, count, bytes);
    if (state.equals("live")) {
      told.add(Words.place(hops) + ".rows", 1);
    }
  }

  private Map<Long, UnknownFieldSet> byId(int field) throws IOException {
    Map<Long, UnknownFieldSet> found = new HashMap<>();
    for (UnknownFieldSet message : messages(profile, field)) {
      found.put(number(message, 1), message);
    }
    return found;
  }

  private static UnknownFieldSet at(Map<Long, UnknownFieldSet> table, long id) {
    UnknownFieldSet entry = table.get(id);
    if (entry == null) {
      throw new AssertionError("nothing has the id " + id);
    }
    return entry;
  }

  private static List<UnknownFieldSet> messages(UnknownFieldSet fields, int field)
      throws IOException {
    List<UnknownFieldSet> messages = new ArrayList<>();
    for (ByteString message : fields.getField(field).getLengthDelimitedList()) {
      messages.add(UnknownFieldSet.parseFrom(message));
    }
    return messages;
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
    return profile.getField(6).getLengthDelimitedList().get(index).toStringUtf8();
  }
}
