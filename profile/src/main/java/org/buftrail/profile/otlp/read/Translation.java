package org.buftrail.profile.otlp.read;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.profile.Attributes;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.jspecify.annotations.Nullable;

/** Which entry of our dictionary stands for each entry of one that was received. */
final class Translation {
  private final Dictionary target;
  private final int[] strings;
  private final int[] attributes;
  private final int[] mappings;
  private final int[] functions;
  private final int[] locations;
  private final int[] stacks;
  private final int[] links;
  private int[] scratch = new int[16];

  Translation(RawDictionary source, Dictionary target) throws MalformedMessageException {
    this.target = target;
    this.strings = new int[source.strings.size()];
    this.attributes = new int[source.attributes.size()];
    this.mappings = new int[source.mappings.size()];
    this.functions = new int[source.functions.size()];
    this.locations = new int[source.locations.size()];
    this.stacks = new int[source.stacks.size()];
    this.links = new int[source.links.size()];
    for (int i = 0; i < strings.length; i++) {
      byte[] string = source.strings.get(i);
      strings[i] = target.strings().intern(string, 0, string.length);
    }
    translateAttributes(source.attributes);
    translateMappings(source.mappings);
    translateFunctions(source.functions);
    translateLocations(source.locations);
    translateLinks(source.links);
    translateStacks(source.stacks);
  }

  private static int translated(int[] table, int index, String field, String name)
      throws MalformedMessageException {
    if (index == 0) {
      return 0;
    }
    if (index < 0 || index >= table.length) {
      throw new MalformedMessageException(
          field + "=" + index + ": " + name + " has " + table.length + " entries");
    }
    return table[index];
  }

  int string(int index, String field) throws MalformedMessageException {
    return translated(strings, index, field, "string_table");
  }

  int stack(int index) throws MalformedMessageException {
    return translated(stacks, index, "stack_index", "stack_table");
  }

  int link(int index) throws MalformedMessageException {
    return translated(links, index, "link_index", "link_table");
  }

  /** The set of a list of attributes. If several have one key, the last counts. */
  int attributeSet(IntList indices, int from, int to) throws MalformedMessageException {
    ensureScratch(to - from);
    for (int i = from; i < to; i++) {
      scratch[i - from] =
          translated(attributes, indices.get(i), "attribute_indices", "attribute_table");
    }
    return target.attributeSets().intern(scratch, 0, to - from);
  }

  private void ensureScratch(int length) {
    if (scratch.length < length) {
      scratch = new int[length];
    }
  }

  private void translateAttributes(RawDictionary.Attributes table)
      throws MalformedMessageException {
    for (int i = 1; i < table.size(); i++) {
      int key = string(table.key.get(i), "key_strindex");
      int unit = string(table.unit.get(i), "unit_strindex");
      // Without a key it says nothing, and 0 is passed over when a set is interned.
      attributes[i] = key == 0 ? 0 : attribute(key, table.value.get(i), unit);
    }
  }

  private int attribute(int key, @Nullable Object value, int unit)
      throws MalformedMessageException {
    if (value instanceof RawDictionary.StringReference) {
      int index = ((RawDictionary.StringReference) value).index;
      return target.attributes().internString(key, string(index, "string_value_strindex"), unit);
    }
    if (value instanceof Long) {
      return target.attributes().internLong(key, (Long) value, unit);
    }
    if (value instanceof Double) {
      return target.attributes().internDouble(key, (Double) value, unit);
    }
    if (value instanceof Boolean) {
      return target.attributes().internBoolean(key, (Boolean) value);
    }
    String text = value == null ? "" : text(value);
    return target.attributes().internString(key, target.strings().intern(text), unit);
  }

  private static String text(Object value) {
    return value instanceof byte[]
        ? Base64.getEncoder().encodeToString((byte[]) value)
        : value.toString();
  }

  private void translateMappings(RawDictionary.Mappings table) throws MalformedMessageException {
    for (int i = 1; i < table.size(); i++) {
      mappings[i] =
          target
              .mappings()
              .intern(
                  table.start.get(i),
                  table.limit.get(i),
                  table.fileOffset.get(i),
                  string(table.fileName.get(i), "filename_strindex"),
                  attributeSet(
                      table.attributes, table.attributeRows.from(i), table.attributeRows.to(i)));
    }
  }

  private void translateFunctions(RawDictionary.Functions table) throws MalformedMessageException {
    for (int i = 1; i < table.size(); i++) {
      functions[i] =
          target
              .functions()
              .intern(
                  string(table.name.get(i), "name_strindex"),
                  string(table.systemName.get(i), "system_name_strindex"),
                  string(table.fileName.get(i), "filename_strindex"),
                  table.startLine.get(i));
    }
  }

  private void translateLocations(RawDictionary.Locations table) throws MalformedMessageException {
    int[] lineFunctions = new int[16];
    long[] lines = new long[16];
    long[] columns = new long[16];
    for (int i = 1; i < table.size(); i++) {
      int from = table.lineRows.from(i);
      int count = table.lineRows.length(i);
      if (count > lines.length) {
        lineFunctions = new int[count];
        lines = new long[count];
        columns = new long[count];
      }
      for (int k = 0; k < count; k++) {
        int function = table.lineFunction.get(from + k);
        lineFunctions[k] = translated(functions, function, "function_index", "function_table");
        lines[k] = table.lineNumber.get(from + k);
        columns[k] = table.lineColumn.get(from + k);
      }
      int set =
          attributeSet(table.attributes, table.attributeRows.from(i), table.attributeRows.to(i));
      int mapping = translated(mappings, table.mapping.get(i), "mapping_index", "mapping_table");
      locations[i] =
          target
              .locations()
              .intern(mapping, table.address.get(i), set, lineFunctions, lines, columns, count);
    }
  }

  private void translateLinks(RawDictionary.Links table) {
    for (int i = 1; i < table.size(); i++) {
      byte[] trace = table.trace.get(i);
      byte[] span = table.span.get(i);
      links[i] =
          target.links().intern(bigEndian(trace, 0), bigEndian(trace, 8), bigEndian(span, 0));
    }
  }

  /** Eight bytes as a number; what is missing of them is 0. */
  private static long bigEndian(byte[] bytes, int from) {
    long value = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      value = value << 8 | (i < bytes.length ? bytes[i] & 0xFF : 0);
    }
    return value;
  }

  private void translateStacks(RawDictionary.Stacks table) throws MalformedMessageException {
    for (int i = 1; i < table.size(); i++) {
      int from = table.rows.from(i);
      int depth = table.rows.length(i);
      ensureScratch(depth);
      for (int k = 0; k < depth; k++) {
        int location = table.locations.get(from + k);
        int known = translated(locations, location, "location_indices", "location_table");
        scratch[k] = known == 0 ? target.unknownLocation() : known;
      }
      stacks[i] = target.stacks().intern(scratch, 0, depth);
    }
  }

  /**
   * Adds an attribute of a resource; one without a value becomes the empty text, and one without a
   * key is passed over.
   */
  void put(Attributes resource, RawProfiles.KeyValue attribute) throws MalformedMessageException {
    String key = attribute.key;
    if (key.isEmpty()) {
      key = target.strings().get(string(attribute.keyIndex, "key_strindex"));
    }
    if (key.isEmpty()) {
      return;
    }
    Object value = attribute.value == null ? "" : attribute.value;
    resource.putAny(key, resolved(value));
  }

  private Object resolved(Object value) throws MalformedMessageException {
    if (value instanceof RawDictionary.StringReference) {
      int index = ((RawDictionary.StringReference) value).index;
      return target.strings().get(string(index, "string_value_strindex"));
    }
    if (value instanceof List) {
      List<Object> list = new ArrayList<>();
      for (Object element : (List<?>) value) {
        list.add(resolved(element));
      }
      return list;
    }
    if (value instanceof Map) {
      Map<String, Object> map = new LinkedHashMap<>();
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        map.put((String) entry.getKey(), resolved(entry.getValue()));
      }
      return map;
    }
    return value;
  }

  /** A string of the received table. */
  String text(int index, String field) throws MalformedMessageException {
    return target.strings().get(string(index, field));
  }
}
