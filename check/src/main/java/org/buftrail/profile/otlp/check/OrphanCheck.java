package org.buftrail.profile.otlp.check;

import java.util.List;
import org.buftrail.profile.otlp.Violations;
import org.buftrail.profile.otlp.read.IntList;
import org.buftrail.profile.otlp.read.RawDictionary;
import org.buftrail.profile.otlp.read.RawProfile;
import org.buftrail.profile.otlp.read.RawProfiles;
import org.buftrail.profile.otlp.read.Rows;

/** Finds entries of tables that no profile leads to. */
final class OrphanCheck {
  private static final String TABLE = "dictionary.";

  private final RawDictionary dictionary;
  private final Violations violations;
  private final boolean[] strings;
  private final boolean[] mappings;
  private final boolean[] locations;
  private final boolean[] functions;
  private final boolean[] links;
  private final boolean[] attributes;
  private final boolean[] stacks;

  OrphanCheck(RawDictionary dictionary, Violations violations) {
    this.dictionary = dictionary;
    this.violations = violations;
    this.strings = new boolean[dictionary.strings.size()];
    this.mappings = new boolean[dictionary.mappings.size()];
    this.locations = new boolean[dictionary.locations.size()];
    this.functions = new boolean[dictionary.functions.size()];
    this.links = new boolean[dictionary.links.size()];
    this.attributes = new boolean[dictionary.attributes.size()];
    this.stacks = new boolean[dictionary.stacks.size()];
  }

  /** Marks what a profile uses by itself. */
  void use(RawProfile profile) {
    mark(strings, profile.sampleType);
    mark(strings, profile.sampleUnit);
    mark(strings, profile.periodType);
    mark(strings, profile.periodUnit);
    markAll(attributes, profile.attributes);
    markAll(attributes, profile.sampleAttributes);
    markAll(stacks, profile.stack);
    markAll(links, profile.link);
  }

  /** Marks the keys and values that stand in the string table. */
  void use(List<RawProfiles.KeyValue> keyValues) {
    for (RawProfiles.KeyValue keyValue : keyValues) {
      mark(strings, keyValue.keyIndex);
      if (keyValue.value instanceof RawDictionary.StringReference) {
        mark(strings, ((RawDictionary.StringReference) keyValue.value).index);
      }
    }
  }

  private static void mark(boolean[] table, int index) {
    if (index >= 0 && index < table.length) {
      table[index] = true;
    }
  }

  private static void markAll(boolean[] table, IntList indices) {
    markAll(table, indices, 0, indices.size());
  }

  private static void markAll(boolean[] table, IntList indices, int from, int to) {
    for (int i = from; i < to; i++) {
      mark(table, indices.get(i));
    }
  }

  /** Follows what is marked down to the strings and reports the rest. */
  void finish() {
    follow();
    report("mapping_table", mappings);
    report("location_table", locations);
    report("function_table", functions);
    report("link_table", links);
    report("string_table", strings);
    report("attribute_table", attributes);
    report("stack_table", stacks);
  }

  private void follow() {
    for (int i = 0; i < stacks.length; i++) {
      if (stacks[i]) {
        Rows rows = dictionary.stacks.rows;
        markAll(locations, dictionary.stacks.locations, rows.from(i), rows.to(i));
      }
    }
    RawDictionary.Locations frames = dictionary.locations;
    for (int i = 0; i < locations.length; i++) {
      if (locations[i]) {
        mark(mappings, frames.mapping.get(i));
        markAll(functions, frames.lineFunction, frames.lineRows.from(i), frames.lineRows.to(i));
        Rows rows = frames.attributeRows;
        markAll(attributes, frames.attributes, rows.from(i), rows.to(i));
      }
    }
    RawDictionary.Mappings binaries = dictionary.mappings;
    for (int i = 0; i < mappings.length; i++) {
      if (mappings[i]) {
        mark(strings, binaries.fileName.get(i));
        Rows rows = binaries.attributeRows;
        markAll(attributes, binaries.attributes, rows.from(i), rows.to(i));
      }
    }
    followToStrings();
  }

  private void followToStrings() {
    for (int i = 0; i < functions.length; i++) {
      if (functions[i]) {
        mark(strings, dictionary.functions.name.get(i));
        mark(strings, dictionary.functions.systemName.get(i));
        mark(strings, dictionary.functions.fileName.get(i));
      }
    }
    for (int i = 0; i < attributes.length; i++) {
      if (attributes[i]) {
        mark(strings, dictionary.attributes.key.get(i));
        mark(strings, dictionary.attributes.unit.get(i));
        Object value = dictionary.attributes.value.get(i);
        if (value instanceof RawDictionary.StringReference) {
          mark(strings, ((RawDictionary.StringReference) value).index);
        }
      }
    }
  }

  private void report(String table, boolean[] used) {
    for (int i = 1; i < used.length; i++) {
      if (!used[i]) {
        violations.advise(TABLE + table, i, "", "no profile uses it");
      }
    }
  }
}
