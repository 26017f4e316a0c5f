package org.buftrail.profile.otlp.check;

import org.buftrail.profile.dictionary.Utf8;
import org.buftrail.profile.otlp.Violations;
import org.buftrail.profile.otlp.read.RawDictionary;

/** Checks every table by itself: zero values, indices, ranges, what an entry must have. */
final class DictionaryCheck {
  private static final String BUILD_ID = "process.executable.build_id.";
  private static final int TRACE_ID = 16;
  private static final int SPAN_ID = 8;

  private final RawDictionary dictionary;
  private final Violations violations;
  private final References references;

  DictionaryCheck(RawDictionary dictionary, Violations violations) {
    this.dictionary = dictionary;
    this.violations = violations;
    this.references = new References(dictionary, violations);
  }

  void check() {
    if (!dictionary.present) {
      violations.add("dictionary", "is missing");
      return;
    }
    checkStrings();
    checkMappings(dictionary.mappings);
    checkLocations(dictionary.locations);
    checkFunctions(dictionary.functions);
    checkLinks(dictionary.links);
    checkAttributes(dictionary.attributes);
    checkStacks(dictionary.stacks);
  }

  /** Checks that there is an entry 0 and that it is the zero value. */
  private void zero(String table, int size, boolean isZero, String zeroValue) {
    if (size == 0) {
      violations.add(table, "is empty; entry 0 must be " + zeroValue);
    } else if (!isZero) {
      violations.add(table, 0, "", "is not " + zeroValue);
    }
  }

  private void notNegative(String table, int entry, String field, long value) {
    if (value < 0) {
      violations.add(table, entry, field + "=" + value, "is negative");
    }
  }

  private void checkStrings() {
    String table = "dictionary.string_table";
    int size = dictionary.strings.size();
    zero(table, size, size > 0 && dictionary.strings.get(0).length == 0, "\"\"");
    for (int i = 0; i < size; i++) {
      byte[] string = dictionary.strings.get(i);
      if (!Utf8.isValid(string, 0, string.length)) {
        violations.add(table, i, "", "is not valid UTF-8");
      }
    }
  }

  private void checkMappings(RawDictionary.Mappings entries) {
    String table = "dictionary.mapping_table";
    zero(table, entries.size(), entries.size() > 0 && isZero(entries), "Mapping{}");
    for (int i = 1; i < entries.size(); i++) {
      long start = entries.start.get(i);
      long limit = entries.limit.get(i);
      if ((start | limit) != 0 && Long.compareUnsigned(start, limit) >= 0) {
        String start16 = Long.toHexString(start);
        violations.add(
            table,
            i,
            ".memory_start=0x" + start16,
            "is not below memory_limit=0x" + Long.toHexString(limit));
      }
      references.checkString(table, i, ".filename_strindex", entries.fileName.get(i));
      int from = entries.attributeRows.from(i);
      int to = entries.attributeRows.to(i);
      references.checkAttributes(table, i, entries.attributes, from, to);
      if (!references.hasKey(BUILD_ID, entries.attributes, from, to)) {
        violations.advise(table, i, "", "has no attribute " + BUILD_ID + "*; backends drop it");
      }
    }
  }

  private static boolean isZero(RawDictionary.Mappings entries) {
    return (entries.start.get(0) | entries.limit.get(0) | entries.fileOffset.get(0)) == 0
        && entries.fileName.get(0) == 0
        && entries.attributeRows.length(0) == 0;
  }

  private void checkLocations(RawDictionary.Locations entries) {
    String table = "dictionary.location_table";
    zero(table, entries.size(), entries.size() > 0 && isZero(entries), "Location{}");
    for (int i = 1; i < entries.size(); i++) {
      int mapping = entries.mapping.get(i);
      references.check(
          table, i, ".mapping_index", mapping, "mapping_table", dictionary.mappings.size());
      checkLines(entries, table, i);
      int from = entries.attributeRows.from(i);
      int to = entries.attributeRows.to(i);
      references.checkAttributes(table, i, entries.attributes, from, to);
      String frameType = references.frameType(entries.attributes, from, to);
      if (frameType.isEmpty()) {
        violations.advise(table, i, "", "has no attribute profile.frame.type");
      } else if (frameType.equals("jvm") && mapping != 0) {
        violations.advise(table, i, ".mapping_index=" + mapping, "a jvm frame has no mapping");
      }
    }
  }

  private void checkLines(RawDictionary.Locations entries, String table, int entry) {
    int from = entries.lineRows.from(entry);
    for (int k = from; k < entries.lineRows.to(entry); k++) {
      String line = ".lines[" + (k - from) + "]";
      int function = entries.lineFunction.get(k);
      references.check(
          table,
          entry,
          line + ".function_index",
          function,
          "function_table",
          dictionary.functions.size());
      notNegative(table, entry, line + ".line", entries.lineNumber.get(k));
      notNegative(table, entry, line + ".column", entries.lineColumn.get(k));
    }
  }

  private static boolean isZero(RawDictionary.Locations entries) {
    return entries.mapping.get(0) == 0
        && entries.address.get(0) == 0
        && entries.lineRows.length(0) == 0
        && entries.attributeRows.length(0) == 0;
  }

  private void checkFunctions(RawDictionary.Functions entries) {
    String table = "dictionary.function_table";
    zero(table, entries.size(), entries.size() > 0 && isZero(entries), "Function{}");
    for (int i = 1; i < entries.size(); i++) {
      int name = entries.name.get(i);
      int systemName = entries.systemName.get(i);
      int fileName = entries.fileName.get(i);
      references.checkString(table, i, ".name_strindex", name);
      references.checkString(table, i, ".system_name_strindex", systemName);
      references.checkString(table, i, ".filename_strindex", fileName);
      notNegative(table, i, ".start_line", entries.startLine.get(i));
      if ((name | systemName | fileName) == 0) {
        violations.add(table, i, "", "has no name, no system name and no file");
      }
    }
  }

  private static boolean isZero(RawDictionary.Functions entries) {
    return (entries.name.get(0) | entries.systemName.get(0) | entries.fileName.get(0)) == 0
        && entries.startLine.get(0) == 0;
  }

  private void checkLinks(RawDictionary.Links entries) {
    String table = "dictionary.link_table";
    boolean isZero =
        entries.size() > 0 && entries.trace.get(0).length + entries.span.get(0).length == 0;
    zero(table, entries.size(), isZero, "Link{}");
    for (int i = 1; i < entries.size(); i++) {
      byte[] trace = entries.trace.get(i);
      byte[] span = entries.span.get(i);
      length(table, i, ".trace_id", trace.length, TRACE_ID);
      length(table, i, ".span_id", span.length, SPAN_ID);
      if (isZero(trace) && isZero(span)) {
        violations.add(table, i, "", "has only zeros for ids, which is no link");
      }
    }
  }

  private void length(String table, int entry, String field, int length, int wanted) {
    if (length != wanted) {
      violations.add(table, entry, field, "has " + length + " bytes instead of " + wanted);
    }
  }

  static boolean isZero(byte[] bytes) {
    for (byte b : bytes) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  private void checkAttributes(RawDictionary.Attributes entries) {
    String table = "dictionary.attribute_table";
    boolean isZero =
        entries.size() > 0
            && (entries.key.get(0) | entries.unit.get(0)) == 0
            && entries.value.get(0) == null;
    zero(table, entries.size(), isZero, "KeyValueAndUnit{}");
    for (int i = 1; i < entries.size(); i++) {
      references.checkString(table, i, ".key_strindex", entries.key.get(i));
      references.checkString(table, i, ".unit_strindex", entries.unit.get(i));
      if (entries.key.get(i) == 0) {
        violations.add(table, i, ".key_strindex", "is 0, an attribute without a key");
      }
      Object value = entries.value.get(i);
      if (value instanceof RawDictionary.StringReference) {
        int index = ((RawDictionary.StringReference) value).index;
        references.checkString(table, i, ".value.string_value_strindex", index);
      }
    }
  }

  private void checkStacks(RawDictionary.Stacks entries) {
    String table = "dictionary.stack_table";
    zero(table, entries.size(), entries.size() > 0 && entries.rows.length(0) == 0, "Stack{}");
    int locations = dictionary.locations.size();
    for (int i = 1; i < entries.size(); i++) {
      int from = entries.rows.from(i);
      for (int k = from; k < entries.rows.to(i); k++) {
        int location = entries.locations.get(k);
        if (location <= 0 || location >= locations) {
          checkLocation(table, i, k - from, location);
        }
      }
    }
  }

  private void checkLocation(String table, int entry, int position, int location) {
    String field = ".location_indices[" + position + "]";
    if (location == 0) {
      violations.add(table, entry, field, "is 0, which is no location");
    } else {
      references.check(
          table, entry, field, location, "location_table", dictionary.locations.size());
    }
  }
}
