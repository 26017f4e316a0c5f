package org.buftrail.jfr;

import java.util.Arrays;
import org.buftrail.profile.dictionary.KeyTable;

/** Cumulative values, of which the last of each identity counts. */
final class LastValues {
  private final KeyTable keys = new KeyTable();
  private long[] values = new long[3 * 16];

  /** Replaces the values of an identity. */
  void put(int stack, int attributes, int link, long time, long first, long second) {
    int at = 3 * keys.intern(stack, attributes, link);
    if (at == values.length) {
      values = Arrays.copyOf(values, at * 2);
    }
    values[at] = time;
    values[at + 1] = first;
    values[at + 2] = second;
  }

  /** Adds the values to samples and starts anew. */
  void endProcess(ProfileSums sums) {
    for (int i = 0; i < keys.size(); i++) {
      sums.put(
          keys.stack(i),
          keys.attributeSet(i),
          keys.link(i),
          values[3 * i],
          values[3 * i + 1],
          values[3 * i + 2]);
    }
    clear();
  }

  /** Forgets all values. */
  void clear() {
    keys.clear();
  }
}
