package org.buftrail.profile.dictionary;

import org.buftrail.profile.hash.Words;

/** Tells valid UTF-8 from other bytes, by the table of RFC 3629. */
public final class Utf8 {
  private static final long TOP_BITS = 0x8080808080808080L;

  private Utf8() {}

  /** Whether a range holds only whole, shortest-form code points that are not surrogates. */
  public static boolean isValid(byte[] bytes, int offset, int length) {
    int end = offset + length;
    int i = offset;
    while (i < end) {
      if (i <= end - Long.BYTES && (Words.get(bytes, i) & TOP_BITS) == 0) {
        i += Long.BYTES;
        continue;
      }
      if (bytes[i] >= 0) {
        i++;
        continue;
      }
      int more = continuations(bytes, i, end);
      if (more == 0) {
        return false;
      }
      i += 1 + more;
    }
    return true;
  }

  /** How many valid continuation bytes follow a lead byte; 0 if it begins no valid sequence. */
  private static int continuations(byte[] bytes, int at, int end) {
    int lead = bytes[at] & 0xFF;
    int more = lead < 0xC2 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : lead < 0xF5 ? 3 : 0;
    if (more == 0 || end - at <= more || !isSecond(lead, bytes[at + 1] & 0xFF)) {
      return 0;
    }
    for (int i = 2; i <= more; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return more;
  }

  private static boolean isSecond(int lead, int second) {
    int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high;
  }
}
