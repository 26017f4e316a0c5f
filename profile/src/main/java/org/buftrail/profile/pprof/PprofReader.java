package org.buftrail.profile.pprof;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.buftrail.profile.protobuf.ProtobufDecoder;

/**
 * Reads a pprof file, gzipped or plain, from anybody: one profile for each of its sample types.
 * Types in pairs, such as objects and their bytes, share their samples.
 *
 * <p>Labels become attributes. Comments and the ranges of files without build ids have no place in
 * the model and are passed over. The whole message is held in memory while it is read.
 */
public final class PprofReader {
  private static final int GZIP = 0x1F;
  private static final int PAIR = 2;
  private static final String BUILD_ID = "process.executable.build_id.gnu";

  private final RawPprof raw;
  private final Dictionary dictionary = new Dictionary();
  private final Map<Long, Integer> locations = new HashMap<>();

  private PprofReader(RawPprof raw) {
    this.raw = raw;
  }

  /**
   * Reads a file into a dictionary of its own.
   *
   * @param source read to its end, not closed
   * @throws MalformedMessageException if it is not a pprof message, or refers to what is not in it
   * @throws IOException if the source cannot be read
   */
  public static Profiles read(InputStream source) throws IOException {
    BufferedInputStream input = new BufferedInputStream(source);
    input.mark(1);
    int first = input.read();
    input.reset();
    InputStream message = first == GZIP ? new GZIPInputStream(input) : input;
    RawPprof raw = new RawPprof(new ProtobufDecoder(message));
    if (raw.types.isEmpty()) {
      throw new MalformedMessageException("has no sample type; is it a pprof profile?");
    }
    return new PprofReader(raw).profiles();
  }

  private Profiles profiles() throws IOException {
    List<Samples> samples = new ArrayList<>();
    for (int left = raw.types.size(); left > 0; left -= PAIR) {
      samples.add(Samples.summed(Math.min(PAIR, left)));
    }
    for (RawPprof.RawSample sample : raw.samples) {
      add(sample, samples);
    }
    Profiles profiles = new Profiles(dictionary);
    for (int i = 0; i < raw.types.size(); i++) {
      profiles.add(
          new Profile("", type(raw.types.get(i)), samples.get(i / PAIR), i % PAIR)
              .period(type(raw.periodType), raw.period)
              .range(raw.time, raw.duration));
    }
    return profiles;
  }

  private ValueType type(long[] type) throws IOException {
    return ValueType.of(
        string(type[PprofFields.ValueType.TYPE]), string(type[PprofFields.ValueType.UNIT]));
  }

  private void add(RawPprof.RawSample sample, List<Samples> samples) throws IOException {
    if (sample.values.length != raw.types.size()) {
      throw new MalformedMessageException(
          "a sample has "
              + sample.values.length
              + " values, there are "
              + raw.types.size()
              + " types");
    }
    int[] stack = new int[sample.locations.length];
    for (int i = 0; i < stack.length; i++) {
      stack[i] = location(sample.locations[i]);
    }
    int index = dictionary.stacks().intern(stack, 0, stack.length);
    int set = attributes(sample.labels);
    for (int i = 0; i < samples.size(); i++) {
      long first = sample.values[i * PAIR];
      if (samples.get(i).columns() == PAIR) {
        long second = sample.values[i * PAIR + 1];
        if ((first | second) != 0) {
          samples.get(i).add(index, set, 0, first, second);
        }
      } else if (first != 0) {
        samples.get(i).add(index, set, 0, first);
      }
    }
  }

  private int attributes(List<long[]> labels) throws IOException {
    int[] attributes = new int[labels.size()];
    for (int i = 0; i < attributes.length; i++) {
      long[] label = labels.get(i);
      String key = string(label[PprofFields.Label.KEY]);
      long text = label[PprofFields.Label.STR];
      attributes[i] =
          key.isEmpty()
              ? 0
              : text != 0
                  ? dictionary.attributes().intern(key, string(text))
                  : dictionary
                      .attributes()
                      .intern(
                          key,
                          label[PprofFields.Label.NUM],
                          string(label[PprofFields.Label.NUM_UNIT]));
    }
    return dictionary.attributeSets().intern(attributes, 0, attributes.length);
  }

  private int location(long id) throws IOException {
    Integer known = locations.get(id);
    if (known == null) {
      RawPprof.RawLocation location = raw.locations.get(id);
      if (location == null) {
        throw missing("location", id);
      }
      known = intern(location);
      locations.put(id, known);
    }
    return known;
  }

  private int intern(RawPprof.RawLocation location) throws IOException {
    int count = location.lines.size();
    int[] functions = new int[count];
    long[] lines = new long[count];
    long[] columns = new long[count];
    for (int i = 0; i < count; i++) {
      long[] line = location.lines.get(i);
      functions[i] = function(line[PprofFields.Line.FUNCTION_ID]);
      lines[i] = line[PprofFields.Line.LINE];
      columns[i] = line[PprofFields.Line.COLUMN];
    }
    int mapping = mapping(location.mapping);
    int known =
        dictionary
            .locations()
            .intern(mapping, location.address, 0, functions, lines, columns, count);
    return known == 0 ? dictionary.unknownLocation() : known;
  }

  private int function(long id) throws IOException {
    if (id == 0) {
      return 0;
    }
    long[] function = raw.functions.get(id);
    if (function == null) {
      throw missing("function", id);
    }
    return dictionary
        .functions()
        .intern(
            intern(function[PprofFields.Function.NAME]),
            intern(function[PprofFields.Function.SYSTEM_NAME]),
            intern(function[PprofFields.Function.FILENAME]),
            function[PprofFields.Function.START_LINE]);
  }

  private int mapping(long id) throws IOException {
    if (id == 0) {
      return 0;
    }
    long[] mapping = raw.mappings.get(id);
    if (mapping == null) {
      throw missing("mapping", id);
    }
    String build = string(mapping[PprofFields.Mapping.BUILD_ID]);
    int set =
        build.isEmpty()
            ? 0
            : dictionary.attributeSets().intern(dictionary.attributes().intern(BUILD_ID, build));
    return dictionary
        .mappings()
        .intern(
            mapping[PprofFields.Mapping.MEMORY_START],
            mapping[PprofFields.Mapping.MEMORY_LIMIT],
            mapping[PprofFields.Mapping.FILE_OFFSET],
            intern(mapping[PprofFields.Mapping.FILENAME]),
            set);
  }

  private int intern(long string) throws IOException {
    return dictionary.strings().intern(string(string));
  }

  private String string(long index) throws IOException {
    if (index == 0) {
      return "";
    }
    if (index < 0 || index >= raw.strings.size()) {
      throw missing("string", index);
    }
    return raw.strings.get((int) index);
  }

  private static MalformedMessageException missing(String what, long id) {
    return new MalformedMessageException("refers to " + what + " " + id + ", which is not in it");
  }
}
