package org.buftrail.profile.otlp.check;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.buftrail.profile.otlp.Violations;
import org.buftrail.profile.otlp.read.RawDictionary;
import org.buftrail.profile.otlp.read.RawProfile;
import org.jspecify.annotations.Nullable;

/** Finds entries that a table holds twice, and samples of equal identity. */
final class DuplicateCheck {
  private final RawDictionary dictionary;
  private final Violations violations;

  DuplicateCheck(RawDictionary dictionary, Violations violations) {
    this.dictionary = dictionary;
    this.violations = violations;
  }

  void checkTables() {
    checkStrings();
    checkMappings(dictionary.mappings);
    checkLocations(dictionary.locations);
    checkFunctions(dictionary.functions);
    checkLinks(dictionary.links);
    checkAttributes(dictionary.attributes);
    checkStacks(dictionary.stacks);
  }

  private void end(DuplicateFinder finder, String table, int entry) {
    int first = finder.end(entry);
    if (first >= 0) {
      violations.advise("dictionary." + table, entry, "", "is the same as entry " + first);
    }
  }

  private void checkStrings() {
    DuplicateFinder finder = new DuplicateFinder();
    for (int i = 0; i < dictionary.strings.size(); i++) {
      end(finder.begin().add(dictionary.strings.get(i)), "string_table", i);
    }
  }

  private void checkMappings(RawDictionary.Mappings table) {
    DuplicateFinder finder = new DuplicateFinder();
    for (int i = 0; i < table.size(); i++) {
      finder.begin().add(table.start.get(i)).add(table.limit.get(i)).add(table.fileOffset.get(i));
      finder.add(table.fileName.get(i));
      finder.addSet(table.attributes, table.attributeRows.from(i), table.attributeRows.to(i));
      end(finder, "mapping_table", i);
    }
  }

  private void checkLocations(RawDictionary.Locations table) {
    DuplicateFinder finder = new DuplicateFinder();
    for (int i = 0; i < table.size(); i++) {
      finder.begin().add(table.mapping.get(i)).add(table.address.get(i));
      finder.add(table.lineRows.length(i));
      for (int k = table.lineRows.from(i); k < table.lineRows.to(i); k++) {
        finder.add(table.lineFunction.get(k));
        finder.add(table.lineNumber.get(k)).add(table.lineColumn.get(k));
      }
      finder.addSet(table.attributes, table.attributeRows.from(i), table.attributeRows.to(i));
      end(finder, "location_table", i);
    }
  }

  private void checkFunctions(RawDictionary.Functions table) {
    DuplicateFinder finder = new DuplicateFinder();
    for (int i = 0; i < table.size(); i++) {
      finder.begin().add(table.name.get(i)).add(table.systemName.get(i));
      finder.add(table.fileName.get(i)).add(table.startLine.get(i));
      end(finder, "function_table", i);
    }
  }

  private void checkLinks(RawDictionary.Links table) {
    DuplicateFinder finder = new DuplicateFinder();
    for (int i = 0; i < table.size(); i++) {
      end(finder.begin().add(table.trace.get(i)).add(table.span.get(i)), "link_table", i);
    }
  }

  private void checkAttributes(RawDictionary.Attributes table) {
    DuplicateFinder finder = new DuplicateFinder();
    Map<Object, Integer> values = new HashMap<>();
    for (int i = 0; i < table.size(); i++) {
      Object value = comparable(table.value.get(i));
      int number = values.computeIfAbsent(value, any -> values.size());
      finder.begin().add(table.key.get(i)).add(number).add(table.unit.get(i));
      end(finder, "attribute_table", i);
    }
  }

  private static Object comparable(@Nullable Object value) {
    if (value == null) {
      return Void.class;
    }
    return value instanceof byte[] ? ByteBuffer.wrap((byte[]) value) : value;
  }

  private void checkStacks(RawDictionary.Stacks table) {
    DuplicateFinder finder = new DuplicateFinder();
    for (int i = 0; i < table.size(); i++) {
      finder.begin().add(table.locations, table.rows.from(i), table.rows.to(i));
      end(finder, "stack_table", i);
    }
  }

  void checkSamples(RawProfile profile) {
    DuplicateFinder finder = new DuplicateFinder();
    for (int i = 0; i < profile.size(); i++) {
      finder.begin().add(profile.stack.get(i)).add(profile.link.get(i));
      finder.addSet(
          profile.sampleAttributes, profile.attributeRows.from(i), profile.attributeRows.to(i));
      int first = finder.end(i);
      if (first >= 0) {
        violations.advise(
            profile.place + ".samples",
            i,
            "",
            "has the stack, attributes and link of sample " + first + "; they are one sample");
      }
    }
  }
}
