package org.buftrail.jfr.events;

import java.util.Arrays;
import org.buftrail.jfr.file.Cursor;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.profile.hash.Words;

/**
 * Reads the fields of events, and knows the row of one by the bytes of its keys: most events have
 * the keys of one before, and these are not decoded again.
 *
 * <p>For that, all wanted fields have to be integers, and nothing that differs from event to event
 * may lie between the keys, which have to fit 16 bytes.
 */
final class KnownKeys {
  /** What {@link #read} answers where the keys have to be looked up. */
  static final int UNKNOWN = -1;

  private static final int ENTRIES = 1 << 12;

  /** Two words of bytes, and the row and 1. */
  private static final int STRIDE = 3;

  private final Layout layout;

  /** Steps before the keys, and before what follows them. */
  private final int first;

  private final int behind;

  /** How many integers the keys are; 0 if they are not known by their bytes. */
  private final int integers;

  private long[] entries = new long[0];

  // The bytes of the event at hand.
  private long low;
  private long high;
  private int length;
  private boolean isWhole;

  /** How many more events were known than were not; once very low, none is looked up any more. */
  private int balance;

  /**
   * @param keys slots below are keys
   * @param isPossible whether keys say the row, and nothing else is computed from them
   */
  KnownKeys(Layout layout, int keys, boolean isPossible) {
    this.layout = layout;
    int from = 0;
    int to = 0;
    for (int step = 0; step < layout.wanted(); step++) {
      int slot = layout.slot(step);
      boolean isKey = slot >= 0 && slot < keys;
      from = isKey && to == 0 ? step : from;
      to = isKey ? step + 1 : to;
    }
    first = from;
    behind = to;
    integers = isPossible ? integers(keys) : 0;
    clear();
  }

  private int integers(int keys) {
    int count = 0;
    for (int step = 0; step < layout.wanted(); step++) {
      int slot = layout.slot(step);
      boolean isBetween = step >= first && step < behind;
      if (slot == Layout.OTHER || (isBetween && slot >= keys)) {
        return 0;
      }
      count += isBetween ? layout.integers(step) : 0;
    }
    return count <= 2 * Long.BYTES ? count : 0;
  }

  /**
   * Reads an event; the buffer ends up behind its last wanted field.
   *
   * @param slots are given its fields, but not its keys if its row is known
   * @return its row, or {@link #UNKNOWN}
   */
  int read(Cursor buffer, long[] slots) {
    layout.read(buffer, slots, 0, first);
    int start = buffer.position;
    int row = UNKNOWN;
    length = 0;
    if (balance > -ENTRIES) {
      row = find(buffer.bytes, start);
      balance += row == UNKNOWN ? -1 : 1;
    }
    if (row == UNKNOWN) {
      layout.read(buffer, slots, first, behind);
      isWhole = buffer.position == start + length;
    } else {
      buffer.position = start + length;
    }
    layout.read(buffer, slots, behind, layout.wanted());
    return row;
  }

  /** Takes the bytes up to the end of the last integer, the first byte without the top bit. */
  private int find(byte[] bytes, int start) {
    low = Words.get(bytes, start);
    high = 0;
    long ends = ~low & Cursor.LAST_BYTES;
    int count = Long.bitCount(ends);
    if (count >= integers) {
      ends = end(ends, integers);
      low &= ends ^ (ends - 1);
    } else {
      length = Long.BYTES;
      high = Words.get(bytes, start + Long.BYTES);
      ends = end(~high & Cursor.LAST_BYTES, integers - count);
      high &= ends ^ (ends - 1);
    }
    if (ends == 0) {
      length = 0;
      return UNKNOWN;
    }
    length += (Long.numberOfTrailingZeros(ends) >>> 3) + 1;
    if (entries.length == 0) {
      entries = new long[STRIDE * ENTRIES];
    }
    int at = entry();
    return entries[at] == low && entries[at + 1] == high ? (int) entries[at + 2] - 1 : UNKNOWN;
  }

  /** The last of so many bits, the lowest first. */
  private static long end(long ends, int count) {
    long left = ends;
    for (int i = 1; i < count; i++) {
      left &= left - 1;
    }
    return left & -left;
  }

  private int entry() {
    long mixed = (low ^ high * 0xC2B2AE3D27D4EB4FL) * 0x9E3779B97F4A7C15L;
    return STRIDE * (int) (mixed >>> 52);
  }

  /** Notes the row of the event that was read last. */
  void remember(int row) {
    if (length > 0 && isWhole) {
      int at = entry();
      entries[at] = low;
      entries[at + 1] = high;
      entries[at + 2] = row + 1L;
    }
  }

  /** Forgets all rows. */
  void clear() {
    Arrays.fill(entries, 0);
    balance = integers == 0 ? -ENTRIES : 0;
  }
}
