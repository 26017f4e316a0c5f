package org.buftrail.profile.dictionary;

import java.util.Arrays;
import org.buftrail.profile.hash.HashIndex;
import org.buftrail.profile.hash.Hashing;

/**
 * Links to spans. {@code ProfilesDictionary.link_table}. 24 bytes an entry and 6 to 12 bytes for
 * its slot.
 */
public final class LinkTable {
  private static final int STRIDE = 3;

  private final HashIndex slots = new HashIndex();
  private long[] ids = new long[STRIDE * 16];
  private int size = 1;

  LinkTable() {}

  /** Number of links, the zero one included. */
  public int size() {
    return size;
  }

  /**
   * The index of a link; new links are added. All zero is index 0: no link.
   *
   * @param traceHigh first 8 bytes of the trace id, big endian
   * @param traceLow last 8 bytes of the trace id, big endian
   * @param span the span id, big endian
   */
  public int intern(long traceHigh, long traceLow, long span) {
    if ((traceHigh | traceLow | span) == 0) {
      return 0;
    }
    long[] all = ids;
    int hash = Hashing.of(traceHigh, traceLow, span);
    int slot = slots.home(hash);
    for (int entry = slots.at(slot); entry != 0; entry = slots.at(slot)) {
      if (slots.matches(entry, hash)) {
        int at = slots.index(entry) * STRIDE;
        if (all[at] == traceHigh && all[at + 1] == traceLow && all[at + 2] == span) {
          return at / STRIDE;
        }
      }
      slot = slots.after(slot);
    }
    return insert(slot, hash, traceHigh, traceLow, span);
  }

  private int insert(int slot, int hash, long traceHigh, long traceLow, long span) {
    int at = size * STRIDE;
    if (at + STRIDE > ids.length) {
      ids = Arrays.copyOf(ids, Growth.of(ids.length, at + (long) STRIDE));
    }
    ids[at] = traceHigh;
    ids[at + 1] = traceLow;
    ids[at + 2] = span;
    int index = size++;
    slots.put(slot, hash, index);
    if (slots.isFullWith(size)) {
      slots.grow();
      for (int i = 1; i < size; i++) {
        slots.putFree(Hashing.of(traceHigh(i), traceLow(i), span(i)), i);
      }
    }
    return index;
  }

  /** First 8 bytes of {@code Link.trace_id}, big endian. */
  public long traceHigh(int index) {
    return ids[index * STRIDE];
  }

  /** Last 8 bytes of {@code Link.trace_id}, big endian. */
  public long traceLow(int index) {
    return ids[index * STRIDE + 1];
  }

  /** {@code Link.span_id}, big endian. */
  public long span(int index) {
    return ids[index * STRIDE + 2];
  }

  void clear() {
    slots.clear();
    size = 1;
  }
}
