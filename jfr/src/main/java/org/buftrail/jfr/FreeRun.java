package org.buftrail.jfr;

/**
 * Reads events that say only which address was freed and when. A profiler of native memory writes
 * more of them than of all others, several one after the other: those that follow one are read in
 * local variables, as far as they look like most, and what does not as any other event.
 */
final class FreeRun {
  private final Pairing pairing;
  private final int skipped;

  /**
   * @param pairing is told what is freed
   * @param skipped varints between the start time, which is the first field, and the address
   */
  FreeRun(Pairing pairing, int skipped) {
    this.pairing = pairing;
    this.skipped = skipped;
  }

  /**
   * Reads events up to the first that is near the end of what is in memory or does not look like
   * most: is of another type, has 128 bytes or more, ends in its fields, or has a number, or
   * numbers that are passed over together, of more than eight bytes.
   *
   * @param from where in the window the first begins
   * @param entry their type, which counts them
   * @return how many bytes were read; none if the type's number takes more than one byte
   */
  int read(Window window, int from, EventTypes.Entry entry) {
    byte[] b = window.bytes;
    int limit = window.limit - Byte.MAX_VALUE;
    long type = entry.id;
    int count = 0;
    int at = from;
    while (at < limit && type >= 0) {
      // A size or a type of more than one byte is negative.
      int size = b[at];
      if (size <= 0 || b[at + 1] != type) {
        break;
      }
      int p = at + 2;
      long startWord = (long) Window.LITTLE_LONG.get(b, p);
      long startEnds = ~startWord & Window.LAST_BYTES;
      p += length(startEnds);
      long skippedEnds = ~(long) Window.LITTLE_LONG.get(b, p) & Window.LAST_BYTES;
      for (int i = 1; i < skipped; i++) {
        skippedEnds &= skippedEnds - 1;
      }
      p += length(skippedEnds);
      long addressWord = (long) Window.LITTLE_LONG.get(b, p);
      long addressEnds = ~addressWord & Window.LAST_BYTES;
      p += length(addressEnds);
      if (startEnds == 0 || skippedEnds == 0 || addressEnds == 0 || p > at + size) {
        break;
      }
      pairing.freed(first(addressWord, addressEnds), first(startWord, startEnds));
      at += size;
      count++;
    }
    entry.count += count;
    entry.converted += count;
    entry.bytes += at - from;
    return at - from;
  }

  /** The length of the varint that ends first; more than a word's if none does. */
  private static int length(long ends) {
    return (Long.numberOfTrailingZeros(ends) >>> 3) + 1;
  }

  /** The varint of a word that ends first. */
  private static long first(long word, long ends) {
    return Window.sevens(word & (ends ^ (ends - 1)));
  }
}
