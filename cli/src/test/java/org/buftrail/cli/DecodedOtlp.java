package org.buftrail.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/** What a file of OTLP says to the published classes, which know nothing of this project. */
final class DecodedOtlp {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<Descriptor, Map<String, FieldDescriptor>> FIELDS =
      new ConcurrentHashMap<>();

  final ProfilesData data;
  private final ProfilesDictionary dictionary;
  private final Map<Integer, String> named = new HashMap<>();
  private final Map<Integer, String> detailed = new HashMap<>();

  private DecodedOtlp(ProfilesData data) {
    this.data = data;
    this.dictionary = data.getDictionary();
  }

  static DecodedOtlp protobuf(Path file) throws IOException {
    return new DecodedOtlp(ProfilesData.parseFrom(Files.readAllBytes(file)));
  }

  /** Reads JSON strictly by the names of the published messages. */
  static DecodedOtlp json(Path file) throws IOException {
    ProfilesData.Builder data = ProfilesData.newBuilder();
    merge(JSON.readTree(file.toFile()), data);
    return new DecodedOtlp(data.build());
  }

  private static void merge(JsonNode node, Message.Builder target) {
    Descriptor type = target.getDescriptorForType();
    Map<String, FieldDescriptor> fields = FIELDS.computeIfAbsent(type, DecodedOtlp::byName);
    node.properties()
        .forEach(
            entry -> {
              FieldDescriptor field = fields.get(entry.getKey());
              if (field == null) {
                throw new AssertionError(type.getFullName() + " has no " + entry.getKey());
              }
              if (field.isRepeated()) {
                entry
                    .getValue()
                    .forEach(item -> target.addRepeatedField(field, value(item, field, target)));
              } else {
                target.setField(field, value(entry.getValue(), field, target));
              }
            });
  }

  private static Map<String, FieldDescriptor> byName(Descriptor type) {
    Map<String, FieldDescriptor> fields = new HashMap<>();
    type.getFields().forEach(field -> fields.put(field.getJsonName(), field));
    return fields;
  }

  private static Object value(JsonNode node, FieldDescriptor field, Message.Builder target) {
    switch (field.getType()) {
      case INT32, UINT32:
        return node.asInt();
      case INT64:
        return Long.valueOf(node.textValue());
      case UINT64, FIXED64:
        return Long.parseUnsignedLong(node.textValue());
      case BOOL:
        return node.booleanValue();
      case DOUBLE:
        return node.doubleValue();
      case STRING:
        return node.textValue();
      case BYTES:
        return ByteString.copyFrom(
            field.getName().endsWith("_id")
                ? HexFormat.of().parseHex(node.textValue())
                : Base64.getDecoder().decode(node.textValue()));
      default:
        Message.Builder inner = target.newBuilderForField(field);
        merge(node, inner);
        return inner.build();
    }
  }

  String text(int index) {
    return dictionary.getStringTable(index);
  }

  List<Profile> profiles() {
    List<Profile> all = new ArrayList<>();
    data.getResourceProfilesList()
        .forEach(
            resource ->
                resource.getScopeProfilesList().forEach(s -> all.addAll(s.getProfilesList())));
    return all;
  }

  /** What a receiver tells profiles apart by. */
  String name(Profile profile) {
    return text(profile.getSampleType())
        + " per "
        + profile.getPeriod()
        + " "
        + text(profile.getPeriodType());
  }

  private String text(ValueType type) {
    return text(type.getTypeStrindex()) + "/" + text(type.getUnitStrindex());
  }

  /** The sums of each profile by all that a sample has but its time. */
  Map<String, Map<String, Long>> sums() {
    Map<String, Map<String, Long>> sums = new TreeMap<>();
    for (Profile profile : profiles()) {
      Map<String, Long> samples = sums.computeIfAbsent(name(profile), name -> new TreeMap<>());
      for (Sample sample : profile.getSamplesList()) {
        samples.merge(key(sample), value(sample), Long::sum);
      }
    }
    return sums;
  }

  /** How many observations each sample has, by the same keys as its sum. */
  Map<String, Map<String, Integer>> observations() {
    Map<String, Map<String, Integer>> counts = new TreeMap<>();
    for (Profile profile : profiles()) {
      Map<String, Integer> samples = counts.computeIfAbsent(name(profile), n -> new TreeMap<>());
      for (Sample sample : profile.getSamplesList()) {
        samples.merge(key(sample), sample.getTimestampsUnixNanoCount(), Integer::sum);
      }
    }
    return counts;
  }

  /** A sample of times alone counts each of them as 1. */
  private static long value(Sample sample) {
    return sample.getValuesCount() == 0
        ? sample.getTimestampsUnixNanoCount()
        : sample.getValuesList().stream().mapToLong(Long::longValue).sum();
  }

  private String key(Sample sample) {
    Link link = dictionary.getLinkTable(sample.getLinkIndex());
    return frames(sample, detailed, this::detailed)
        + attributes(sample.getAttributeIndicesList())
        + HexFormat.of().formatHex(link.getTraceId().toByteArray())
        + HexFormat.of().formatHex(link.getSpanId().toByteArray());
  }

  /** The frames of a sample, leaf first, a line each: name and line. */
  String frames(Sample sample) {
    return frames(sample, named, this::named);
  }

  private String frames(Sample sample, Map<Integer, String> known, IntFunction<String> text) {
    StringBuilder frames = new StringBuilder();
    for (int index : dictionary.getStackTable(sample.getStackIndex()).getLocationIndicesList()) {
      frames.append(known.computeIfAbsent(index, text::apply));
    }
    return frames.toString();
  }

  private String named(int index) {
    StringBuilder frames = new StringBuilder();
    for (Line line : dictionary.getLocationTable(index).getLinesList()) {
      Function function = dictionary.getFunctionTable(line.getFunctionIndex());
      String name = text(function.getNameStrindex());
      frames.append(name.isEmpty() ? text(function.getSystemNameStrindex()) : name);
      frames.append(':').append(line.getLine()).append('\n');
    }
    return frames.toString();
  }

  /** All that is known of a location, its binary and its inlined functions among it. */
  private String detailed(int index) {
    Location location = dictionary.getLocationTable(index);
    StringBuilder frames = new StringBuilder(named(index));
    for (Line line : location.getLinesList()) {
      Function function = dictionary.getFunctionTable(line.getFunctionIndex());
      frames.append(text(function.getSystemNameStrindex()));
      frames.append(text(function.getFilenameStrindex()));
      frames.append(function.getStartLine()).append(',').append(line.getColumn());
    }
    Mapping mapping = dictionary.getMappingTable(location.getMappingIndex());
    return frames
        + attributes(location.getAttributeIndicesList()).toString()
        + text(mapping.getFilenameStrindex())
        + attributes(mapping.getAttributeIndicesList())
        + location.getAddress();
  }

  /** The attributes of a sample, but for what its link says. */
  Map<String, String> attributes(List<Integer> indices) {
    Map<String, String> found = new TreeMap<>();
    for (int index : indices) {
      var attribute = dictionary.getAttributeTable(index);
      var value = attribute.getValue();
      found.put(
          text(attribute.getKeyStrindex()),
          switch (value.getValueCase()) {
            case STRING_VALUE -> value.getStringValue();
            case INT_VALUE -> String.valueOf(value.getIntValue());
            case BOOL_VALUE -> String.valueOf(value.getBoolValue());
            default -> value.toString();
          });
    }
    return found;
  }
}
