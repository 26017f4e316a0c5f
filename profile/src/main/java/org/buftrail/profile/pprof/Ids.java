package org.buftrail.profile.pprof;

import java.util.Arrays;

/** Numbers from 1 for the entries of a table, in the order in which they are first asked for. */
final class Ids {
  private int[] ids;
  private int[] entries = new int[16];
  private int count;

  /**
   * @param tableSize entries that there may be
   */
  Ids(int tableSize) {
    this.ids = new int[tableSize];
  }

  /** The number of an entry; 0 for entry 0, which stands for nothing. */
  int of(int entry) {
    if (entry == 0) {
      return 0;
    }
    if (entry >= ids.length) {
      ids = Arrays.copyOf(ids, Math.max(entry + 1, ids.length * 2));
    }
    if (ids[entry] == 0) {
      if (count == entries.length) {
        entries = Arrays.copyOf(entries, count * 2);
      }
      entries[count++] = entry;
      ids[entry] = count;
    }
    return ids[entry];
  }

  /** How many numbers there are. */
  int count() {
    return count;
  }

  /** The entry of a number. */
  int entry(int id) {
    return entries[id - 1];
  }
}
