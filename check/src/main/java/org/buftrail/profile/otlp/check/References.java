package org.buftrail.profile.otlp.check;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.Violations;
import org.buftrail.profile.otlp.read.IntList;
import org.buftrail.profile.otlp.read.RawDictionary;
import org.jspecify.annotations.Nullable;

/** Judges indices into the dictionary, single ones and lists of attributes. */
final class References {
  private static final byte[] FRAME_TYPE = Dictionary.FRAME_TYPE.getBytes(StandardCharsets.UTF_8);

  private final RawDictionary dictionary;
  private final Violations violations;
  private int[] keys = new int[8];
  private int @Nullable [] firstEqual;

  References(RawDictionary dictionary, Violations violations) {
    this.dictionary = dictionary;
    this.violations = violations;
  }

  /**
   * Whether an index is that of an entry. 0 always is: that a table lacks its zero value is
   * reported once, for the table.
   *
   * @param place the record, or its table if {@code entry} is not negative
   * @param field the field with what stands before it, such as {@code .link_index}
   */
  boolean check(String place, int entry, String field, int index, String table, int size) {
    if (index == 0 || (index > 0 && index < size)) {
      return true;
    }
    add(place, entry, field + "=" + index, table + " has " + size + " entries");
    return false;
  }

  boolean checkString(String place, int entry, String field, int index) {
    return check(place, entry, field, index, "string_table", dictionary.strings.size());
  }

  /** Checks a list of attributes: indices in range, not 0, and no key twice. */
  void checkAttributes(String place, int entry, IntList indices, int from, int to) {
    int count = 0;
    if (keys.length < to - from) {
      keys = new int[to - from];
    }
    for (int i = from; i < to; i++) {
      int index = indices.get(i);
      String field = ".attribute_indices[" + (i - from) + "]";
      if (index == 0) {
        add(place, entry, field, "is 0, which is no attribute");
      } else if (check(
          place, entry, field, index, "attribute_table", dictionary.attributes.size())) {
        keys[count++] = firstEqual(dictionary.attributes.key.get(index));
      }
    }
    Arrays.sort(keys, 0, count);
    for (int i = 1; i < count; i++) {
      if (keys[i] == keys[i - 1] && (i == 1 || keys[i] != keys[i - 2])) {
        add(place, entry, ".attribute_indices", "has the key " + quoted(keys[i]) + " twice");
      }
    }
  }

  /** The first string of the table that is equal: two keys of one text are one key. */
  private int firstEqual(int string) {
    int[] first = firstEqual;
    if (first == null) {
      first = new int[dictionary.strings.size()];
      DuplicateFinder finder = new DuplicateFinder();
      for (int i = 0; i < first.length; i++) {
        int equal = finder.begin().add(dictionary.strings.get(i)).end(i);
        first[i] = equal < 0 ? i : equal;
      }
      firstEqual = first;
    }
    return isEntry(string, first.length) ? first[string] : string;
  }

  void add(String place, int entry, String field, String message) {
    if (entry < 0) {
      violations.add(place + field, message);
    } else {
      violations.add(place, entry, field, message);
    }
  }

  /** The frame type that a list of attributes names; empty if it names none. */
  String frameType(IntList indices, int from, int to) {
    for (int i = from; i < to; i++) {
      int index = indices.get(i);
      if (isEntry(index, dictionary.attributes.size())
          && Arrays.equals(string(dictionary.attributes.key.get(index)), FRAME_TYPE)) {
        Object value = dictionary.attributes.value.get(index);
        if (value instanceof RawDictionary.StringReference) {
          int reference = ((RawDictionary.StringReference) value).index;
          return new String(string(reference), StandardCharsets.UTF_8);
        }
        return value instanceof String ? (String) value : "";
      }
    }
    return "";
  }

  /** Whether a list of attributes has a key that begins so. */
  boolean hasKey(String prefix, IntList indices, int from, int to) {
    for (int i = from; i < to; i++) {
      int index = indices.get(i);
      if (isEntry(index, dictionary.attributes.size())) {
        byte[] key = string(dictionary.attributes.key.get(index));
        if (new String(key, StandardCharsets.UTF_8).startsWith(prefix)) {
          return true;
        }
      }
    }
    return false;
  }

  /** A string in quotes, cut to a length that fits a line, without control characters. */
  String quoted(int index) {
    return Violations.quoted(new String(string(index), StandardCharsets.UTF_8));
  }

  private byte[] string(int index) {
    return isEntry(index, dictionary.strings.size()) ? dictionary.strings.get(index) : new byte[0];
  }

  private static boolean isEntry(int index, int size) {
    return index >= 0 && index < size;
  }
}
