package org.buftrail.profile.otlp;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.buftrail.profile.Observations;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.LocationTable;

/**
 * Profiles as lines of text without any index in them: once from the model, once from messages that
 * the generated classes decoded. Equal lines mean equal profiles.
 */
public final class Flattened {
  private Flattened() {}

  // ---- from the model

  public static List<String> of(Profiles profiles) {
    List<String> lines = new ArrayList<>();
    lines.add("scope " + profiles.scopeName() + " " + profiles.scopeVersion());
    for (Profile profile : profiles.profiles()) {
      lines.add(header(profile, profiles.dictionary()));
      Samples samples = profile.samples();
      for (int i = 0; i < samples.size(); i++) {
        lines.add(sample(profile, i, profiles.dictionary()));
      }
    }
    return lines;
  }

  private static String header(Profile profile, Dictionary dictionary) {
    Collection<String> attributes = attributes(profile.attributeSet(), dictionary);
    if (!profile.name().isEmpty()) {
      attributes.add(Profiles.KIND + "=string:" + profile.name() + "[]");
    }
    return String.join(
        "|",
        profile.sampleType().toString(),
        profile.periodType().toString(),
        Long.toString(profile.period()),
        profile.time() + "+" + profile.duration(),
        attributes.toString());
  }

  private static String sample(Profile profile, int sample, Dictionary dictionary) {
    Samples samples = profile.samples();
    List<String> frames = new ArrayList<>();
    int stack = samples.stack(sample);
    for (int k = 0; k < dictionary.stacks().depth(stack); k++) {
      frames.add(location(dictionary.stacks().location(stack, k), dictionary));
    }
    int link = samples.link(sample);
    List<Long> values = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    if (samples.isObserved()) {
      Observations observations = samples.observations();
      for (int k = 0; k < observations.count(sample); k++) {
        times.add(observations.time(sample, k));
        if (!observations.areOnes(profile.column())) {
          values.add(observations.value(sample, k, profile.column()));
        }
      }
    } else {
      values.add(profile.value(sample));
    }
    String ids =
        link == 0
            ? ""
            : String.format(
                "%016x%016x/%016x",
                dictionary.links().traceHigh(link),
                dictionary.links().traceLow(link),
                dictionary.links().span(link));
    return String.join(
        "|",
        frames.toString(),
        attributes(samples.attributeSet(sample), dictionary).toString(),
        ids,
        values.toString(),
        times.toString());
  }

  private static String location(int location, Dictionary dictionary) {
    LocationTable table = dictionary.locations();
    List<String> lines = new ArrayList<>();
    for (int k = 0; k < table.lineCount(location); k++) {
      int function = table.function(location, k);
      lines.add(
          dictionary.strings().get(dictionary.functions().name(function))
              + "/"
              + dictionary.strings().get(dictionary.functions().systemName(function))
              + "/"
              + dictionary.strings().get(dictionary.functions().fileName(function))
              + "/"
              + dictionary.functions().startLine(function)
              + ":"
              + table.line(location, k)
              + ":"
              + table.column(location, k));
    }
    int mapping = table.mapping(location);
    return lines
        + "@"
        + Long.toHexString(table.address(location))
        + "{"
        + Long.toHexString(dictionary.mappings().start(mapping))
        + "-"
        + Long.toHexString(dictionary.mappings().limit(mapping))
        + "+"
        + dictionary.mappings().fileOffset(mapping)
        + dictionary.strings().get(dictionary.mappings().fileName(mapping))
        + attributes(dictionary.mappings().attributeSet(mapping), dictionary)
        + "}"
        + attributes(table.attributeSet(location), dictionary);
  }

  private static Collection<String> attributes(int set, Dictionary dictionary) {
    AttributeTable table = dictionary.attributes();
    Collection<String> texts = new TreeSet<>();
    for (int k = 0; k < dictionary.attributeSets().length(set); k++) {
      int attribute = dictionary.attributeSets().attribute(set, k);
      String kind = table.kind(attribute).name().toLowerCase(java.util.Locale.ROOT);
      texts.add(
          dictionary.strings().get(table.key(attribute))
              + "="
              + kind
              + ":"
              + table.text(attribute)
              + "["
              + dictionary.strings().get(table.unit(attribute))
              + "]");
    }
    return texts;
  }

  // ---- from the generated classes

  public static List<String> of(ProfilesData message) {
    List<String> lines = new ArrayList<>();
    for (ResourceProfiles resource : message.getResourceProfilesList()) {
      for (ScopeProfiles scope : resource.getScopeProfilesList()) {
        lines.add("scope " + scope.getScope().getName() + " " + scope.getScope().getVersion());
        scope.getProfilesList().forEach(p -> add(p, message.getDictionary(), lines));
      }
    }
    return lines;
  }

  private static void add(
      io.opentelemetry.proto.profiles.v1development.Profile profile,
      ProfilesDictionary dictionary,
      List<String> lines) {
    lines.add(
        String.join(
            "|",
            type(profile.getSampleType(), dictionary),
            type(profile.getPeriodType(), dictionary),
            Long.toString(profile.getPeriod()),
            profile.getTimeUnixNano() + "+" + profile.getDurationNano(),
            attributes(profile.getAttributeIndicesList(), dictionary).toString()));
    for (Sample sample : profile.getSamplesList()) {
      List<String> frames = new ArrayList<>();
      for (int location :
          dictionary.getStackTable(sample.getStackIndex()).getLocationIndicesList()) {
        frames.add(location(dictionary.getLocationTable(location), dictionary));
      }
      Link link = dictionary.getLinkTable(sample.getLinkIndex());
      String ids =
          sample.getLinkIndex() == 0 ? "" : hex(link.getTraceId()) + "/" + hex(link.getSpanId());
      lines.add(
          String.join(
              "|",
              frames.toString(),
              attributes(sample.getAttributeIndicesList(), dictionary).toString(),
              ids,
              sample.getValuesList().toString(),
              sample.getTimestampsUnixNanoList().toString()));
    }
  }

  private static String hex(ByteString bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes.toByteArray()) {
      text.append(String.format("%02x", b));
    }
    return text.toString();
  }

  private static String type(
      io.opentelemetry.proto.profiles.v1development.ValueType type, ProfilesDictionary dictionary) {
    return dictionary.getStringTable(type.getTypeStrindex())
        + "/"
        + dictionary.getStringTable(type.getUnitStrindex());
  }

  private static String location(Location location, ProfilesDictionary dictionary) {
    List<String> lines = new ArrayList<>();
    for (Line line : location.getLinesList()) {
      var function = dictionary.getFunctionTable(line.getFunctionIndex());
      lines.add(
          dictionary.getStringTable(function.getNameStrindex())
              + "/"
              + dictionary.getStringTable(function.getSystemNameStrindex())
              + "/"
              + dictionary.getStringTable(function.getFilenameStrindex())
              + "/"
              + function.getStartLine()
              + ":"
              + line.getLine()
              + ":"
              + line.getColumn());
    }
    Mapping mapping = dictionary.getMappingTable(location.getMappingIndex());
    return lines
        + "@"
        + Long.toHexString(location.getAddress())
        + "{"
        + Long.toHexString(mapping.getMemoryStart())
        + "-"
        + Long.toHexString(mapping.getMemoryLimit())
        + "+"
        + mapping.getFileOffset()
        + dictionary.getStringTable(mapping.getFilenameStrindex())
        + attributes(mapping.getAttributeIndicesList(), dictionary)
        + "}"
        + attributes(location.getAttributeIndicesList(), dictionary);
  }

  private static Collection<String> attributes(
      List<Integer> indices, ProfilesDictionary dictionary) {
    Collection<String> texts = new TreeSet<>();
    for (int index : indices) {
      KeyValueAndUnit attribute = dictionary.getAttributeTable(index);
      texts.add(
          dictionary.getStringTable(attribute.getKeyStrindex())
              + "="
              + value(attribute.getValue())
              + "["
              + dictionary.getStringTable(attribute.getUnitStrindex())
              + "]");
    }
    return texts;
  }

  private static String value(AnyValue value) {
    switch (value.getValueCase()) {
      case STRING_VALUE:
        return "string:" + value.getStringValue();
      case BOOL_VALUE:
        return "boolean:" + value.getBoolValue();
      case INT_VALUE:
        return "long:" + value.getIntValue();
      case DOUBLE_VALUE:
        return "double:" + value.getDoubleValue();
      default:
        return value.getValueCase().toString();
    }
  }
}
