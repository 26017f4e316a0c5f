package org.buftrail.profile.dictionary;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Sets of attributes, as samples, locations, mappings and profiles have them. Kept in the order of
 * their indices; no key occurs twice. 4 bytes an attribute, 8 bytes a set and 6 to 12 bytes for its
 * slot. Not a table of the format, where the sets are written out.
 */
public final class AttributeSetTable {
  /** Sets are small; up to here every member is compared with every other. */
  private static final int MOST_COMPARED = 32;

  private final AttributeTable attributes;
  private final IntSequences sequences = new IntSequences();
  private int[] scratch = new int[8];

  AttributeSetTable(AttributeTable attributes) {
    this.attributes = attributes;
  }

  /** Number of sets, the empty one included. */
  public int size() {
    return sequences.size();
  }

  /** The index of the set of one attribute. */
  public int intern(int attribute) {
    scratch[0] = attribute;
    return attribute == 0 ? 0 : sequences.intern(scratch, 0, 1);
  }

  /**
   * The index of a set; new sets are added. The order does not matter. Attribute 0 is passed over,
   * and of several attributes with one key the last counts.
   *
   * @param members indices in the attribute table
   * @param from position of the first
   * @param to position after the last
   */
  public int intern(int[] members, int from, int to) {
    if (scratch.length < to - from) {
      scratch = new int[Growth.of(scratch.length, to - from)];
    }
    int count = 0;
    if (to - from > MOST_COMPARED) {
      count = putMany(members, from, to);
    } else {
      for (int i = from; i < to; i++) {
        count = put(count, members[i]);
      }
    }
    return sequences.intern(scratch, 0, count);
  }

  /** As {@link #put} for each, in time that does not grow with the square of their number. */
  private int putMany(int[] members, int from, int to) {
    Map<Integer, Integer> last = new HashMap<>();
    for (int i = from; i < to; i++) {
      if (members[i] != 0) {
        last.put(attributes.key(members[i]), members[i]);
      }
    }
    int count = 0;
    for (int member : last.values()) {
      scratch[count++] = member;
    }
    Arrays.sort(scratch, 0, count);
    return count;
  }

  /** The index of a set with one attribute more, in place of what had the same key. */
  public int with(int set, int attribute) {
    int length = sequences.length(set);
    if (scratch.length <= length) {
      scratch = new int[Growth.of(scratch.length, length + 1L)];
    }
    sequences.copy(set, scratch);
    return sequences.intern(scratch, 0, put(length, attribute));
  }

  private int put(int count, int attribute) {
    if (attribute == 0) {
      return count;
    }
    int size = withoutKey(count, attributes.key(attribute));
    int at = size;
    for (; at > 0 && scratch[at - 1] > attribute; at--) {
      scratch[at] = scratch[at - 1];
    }
    scratch[at] = attribute;
    return size + 1;
  }

  private int withoutKey(int count, int key) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (attributes.key(scratch[i]) != key) {
        scratch[kept++] = scratch[i];
      }
    }
    return kept;
  }

  /** Number of attributes in a set. */
  public int length(int set) {
    return sequences.length(set);
  }

  /** Index in the attribute table of the member at a position. */
  public int attribute(int set, int position) {
    return sequences.element(set, position);
  }

  /** About how many bytes the sets take. */
  long bytes() {
    return sequences.bytes();
  }

  void clear() {
    sequences.clear();
  }
}
