package org.buftrail.profile.pprof;

import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FunctionTable;
import org.buftrail.profile.dictionary.LinkTable;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.dictionary.MappingTable;
import org.buftrail.profile.protobuf.ProtobufEncoder;

/** Encodes one pprof file: samples first, then what they were found to use. */
final class PprofEncoder {
  private static final int FIELD = 32;
  private static final int LABEL = 4 * FIELD;
  private static final int HEX_ID = 16;
  private static final String BUILD_ID = "process.executable.build_id.";

  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final Dictionary dictionary;
  private final Ids locations;
  private final Ids functions;
  private final Ids mappings;
  private final Ids strings;
  private int[] stack = new int[128];

  private boolean isTimed;

  PprofEncoder(Dictionary dictionary) {
    this.dictionary = dictionary;
    this.locations = new Ids(dictionary.locations().size());
    this.functions = new Ids(dictionary.functions().size());
    this.mappings = new Ids(dictionary.mappings().size());
    this.strings = new Ids(dictionary.strings().size());
  }

  ProtobufEncoder encode(List<Profile> group) {
    Profile first = group.get(0);
    for (Profile profile : group) {
      encodeType(PprofFields.Profile.SAMPLE_TYPE, profile.sampleType());
    }
    isTimed = group.size() == 1 && first.isSampledTime();
    if (isTimed) {
      encodeType(PprofFields.Profile.SAMPLE_TYPE, first.periodType());
    }
    for (int i = 0; i < first.samples().size(); i++) {
      encodeSample(group, i);
    }
    for (int id = 1; id <= locations.count(); id++) {
      encodeLocation(id, locations.entry(id));
    }
    for (int id = 1; id <= mappings.count(); id++) {
      encodeMapping(id, mappings.entry(id));
    }
    for (int id = 1; id <= functions.count(); id++) {
      encodeFunction(id, functions.entry(id));
    }
    encodeType(PprofFields.Profile.PERIOD_TYPE, first.periodType());
    // Every string has its number now.
    encoder.writeString(PprofFields.Profile.STRING_TABLE, "");
    for (int id = 1; id <= strings.count(); id++) {
      encoder.writeString(
          PprofFields.Profile.STRING_TABLE, dictionary.strings(), strings.entry(id));
    }
    encoder.writeNumber(PprofFields.Profile.TIME_NANOS, first.time());
    encoder.writeNumber(PprofFields.Profile.DURATION_NANOS, first.duration());
    encoder.writeNumber(PprofFields.Profile.PERIOD, first.period());
    return encoder;
  }

  private int string(String text) {
    return strings.of(dictionary.strings().intern(text));
  }

  private void encodeType(int field, ValueType type) {
    int mark = encoder.open(field, 2 * FIELD);
    encoder.writeNumber(PprofFields.ValueType.TYPE, string(type.type()));
    encoder.writeNumber(PprofFields.ValueType.UNIT, string(type.unit()));
    encoder.close(mark);
  }

  private void encodeSample(List<Profile> group, int sample) {
    Samples samples = group.get(0).samples();
    int depth = loadStack(samples.stack(sample));
    int set = samples.attributeSet(sample);
    long labels = dictionary.attributeSets().length(set) + 2L;
    long room = (depth + 2L * group.size() + 2) * FIELD + labels * LABEL;
    int mark = encoder.open(PprofFields.Profile.SAMPLE, room);
    encoder.writePacked(PprofFields.Sample.LOCATION_ID, stack, 0, depth);
    int values = encoder.open(PprofFields.Sample.VALUE, (group.size() + 1L) * FIELD);
    for (Profile profile : group) {
      encoder.varint(profile.value(sample));
    }
    if (isTimed) {
      encoder.varint(group.get(0).sampledNanos(sample));
    }
    encoder.close(values);
    encodeLabels(set);
    encodeLink(samples.link(sample));
    encoder.close(mark);
  }

  private int loadStack(int index) {
    int depth = dictionary.stacks().depth(index);
    if (stack.length < depth) {
      stack = new int[depth * 2];
    }
    dictionary.stacks().copy(index, stack);
    for (int k = 0; k < depth; k++) {
      stack[k] = locations.of(stack[k]);
    }
    return depth;
  }

  private void encodeLabels(int set) {
    AttributeSetTable sets = dictionary.attributeSets();
    AttributeTable attributes = dictionary.attributes();
    for (int k = 0; k < sets.length(set); k++) {
      int attribute = sets.attribute(set, k);
      int mark = encoder.open(PprofFields.Sample.LABEL, LABEL);
      encoder.writeNumber(PprofFields.Label.KEY, label(attributes.key(attribute)));
      if (attributes.kind(attribute) == AttributeTable.Kind.LONG) {
        encoder.writeNumber(PprofFields.Label.NUM, attributes.longValue(attribute));
        encoder.writeNumber(PprofFields.Label.NUM_UNIT, strings.of(attributes.unit(attribute)));
      } else {
        encoder.writeNumber(PprofFields.Label.STR, string(attributes.text(attribute)));
      }
      encoder.close(mark);
    }
  }

  /** The key of a label: what pprof users know threads by, else the attribute's. */
  private int label(int key) {
    String name = dictionary.strings().get(key);
    switch (name) {
      case "thread.name":
        return string("thread");
      case "thread.id":
        return string("thread id");
      default:
        return strings.of(key);
    }
  }

  private void encodeLink(int link) {
    if (link == 0) {
      return;
    }
    LinkTable links = dictionary.links();
    encodeText("trace_id", hex(links.traceHigh(link)) + hex(links.traceLow(link)));
    encodeText("span_id", hex(links.span(link)));
  }

  private void encodeText(String key, String value) {
    int mark = encoder.open(PprofFields.Sample.LABEL, LABEL);
    encoder.writeNumber(PprofFields.Label.KEY, string(key));
    encoder.writeNumber(PprofFields.Label.STR, string(value));
    encoder.close(mark);
  }

  private static String hex(long id) {
    String digits = Long.toHexString(id);
    return "0".repeat(HEX_ID - digits.length()) + digits;
  }

  private void encodeLocation(int id, int location) {
    LocationTable table = dictionary.locations();
    int lines = table.lineCount(location);
    int mark = encoder.open(PprofFields.Profile.LOCATION, (lines + 2L) * FIELD);
    encoder.writeVarint(PprofFields.Location.ID, id);
    encoder.writeNumber(PprofFields.Location.MAPPING_ID, mappings.of(table.mapping(location)));
    encoder.writeNumber(PprofFields.Location.ADDRESS, table.address(location));
    for (int k = 0; k < lines; k++) {
      int line = encoder.open(PprofFields.Location.LINE, FIELD);
      encoder.writeNumber(PprofFields.Line.FUNCTION_ID, functions.of(table.function(location, k)));
      encoder.writeNumber(PprofFields.Line.LINE, table.line(location, k));
      encoder.writeNumber(PprofFields.Line.COLUMN, table.column(location, k));
      encoder.close(line);
    }
    encoder.close(mark);
  }

  private void encodeMapping(int id, int mapping) {
    MappingTable table = dictionary.mappings();
    int mark = encoder.open(PprofFields.Profile.MAPPING, 7 * FIELD);
    encoder.writeVarint(PprofFields.Mapping.ID, id);
    encoder.writeNumber(PprofFields.Mapping.MEMORY_START, table.start(mapping));
    encoder.writeNumber(PprofFields.Mapping.MEMORY_LIMIT, table.limit(mapping));
    encoder.writeNumber(PprofFields.Mapping.FILE_OFFSET, table.fileOffset(mapping));
    encoder.writeNumber(PprofFields.Mapping.FILENAME, strings.of(table.fileName(mapping)));
    encoder.writeNumber(PprofFields.Mapping.BUILD_ID, buildId(table.attributeSet(mapping)));
    // Frames are symbolised already: pprof need not look for the binary.
    encoder.writeVarint(PprofFields.Mapping.HAS_FUNCTIONS, 1);
    encoder.close(mark);
  }

  private int buildId(int set) {
    AttributeSetTable sets = dictionary.attributeSets();
    for (int k = 0; k < sets.length(set); k++) {
      int attribute = sets.attribute(set, k);
      int key = dictionary.attributes().key(attribute);
      if (dictionary.strings().get(key).startsWith(BUILD_ID)) {
        return string(dictionary.attributes().text(attribute));
      }
    }
    return 0;
  }

  private void encodeFunction(int id, int function) {
    FunctionTable table = dictionary.functions();
    int mark = encoder.open(PprofFields.Profile.FUNCTION, 5 * FIELD);
    encoder.writeVarint(PprofFields.Function.ID, id);
    encoder.writeNumber(PprofFields.Function.NAME, strings.of(table.name(function)));
    encoder.writeNumber(PprofFields.Function.SYSTEM_NAME, strings.of(table.systemName(function)));
    encoder.writeNumber(PprofFields.Function.FILENAME, strings.of(table.fileName(function)));
    encoder.writeNumber(PprofFields.Function.START_LINE, table.startLine(function));
    encoder.close(mark);
  }
}
