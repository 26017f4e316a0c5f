package org.buftrail.jfr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Numbers the frames of stack traces by their bytes: a frame that was seen lately is known by the
 * bytes of its four varints, and none of its numbers is decoded.
 *
 * <p>A frame of at most 16 bytes is found in two words by its four last bytes, those without the
 * top bit; longer ones, and such as may hold a varint of nine bytes, are new each time, as are
 * frames of a layout that is not four varints. So are those that another frame has taken the place
 * of, since the table stays small enough for the processor's caches: a number stands for one frame,
 * but a frame may have several.
 */
final class FrameTable {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The top bits of eight bytes, which the last byte of a varint does not have. */
  private static final long LAST_BYTES = 0x8080808080808080L;

  /** Multiplied with eight bytes of 0 or 1, leaves them as bits of the top byte, lowest first. */
  private static final long GATHER = 0x0102040810204080L;

  private static final int LONGEST = 2 * Long.BYTES;

  /** What to keep of the first and of the second word, by the length of a frame in bytes. */
  private static final long[] FIRST_WORD = masks(0);

  private static final long[] SECOND_WORD = masks(Long.BYTES);

  private static final int SMALLEST = 256;
  private static final int LARGEST = 32_768;

  /** In so many slots a frame is looked for. */
  private static final int PROBES = 4;

  // Two words a slot, and the number of the frame that has them, from 1.
  private long[] words = new long[2 * SMALLEST];
  private int[] numbers = new int[SMALLEST];
  private int mask = SMALLEST - 1;
  private int taken;
  private int size;

  private static long[] masks(int skipped) {
    long[] masks = new long[LONGEST + 1];
    for (int length = 0; length <= LONGEST; length++) {
      int kept = Math.min(Long.BYTES, Math.max(0, length - skipped));
      masks[length] = kept == 0 ? 0 : -1L >>> (Long.SIZE - Byte.SIZE * kept);
    }
    return masks;
  }

  /** How many numbers have been given. */
  int size() {
    return size;
  }

  /** Forgets all frames. */
  void clear() {
    if (taken > 0) {
      Arrays.fill(numbers, 0);
    }
    taken = 0;
    size = 0;
  }

  /** The number of a frame that the caller does not look for. */
  int next() {
    return size++;
  }

  /**
   * Numbers the frames, of four varints each, at the window's position, which ends up behind them,
   * or past the limit.
   *
   * @param batch gets the frames that are not known
   */
  void read(Window window, StackBatch batch, int[] target, int from, int count) {
    byte[] b = window.bytes;
    int limit = window.limit;
    int p = window.position;
    int i = from;
    for (; i < from + count && p < limit; i++) {
      long low = (long) LONG.get(b, p);
      long high = (long) LONG.get(b, p + Long.BYTES);
      int end = fourth(ends(low) | ends(high) << Long.BYTES);
      if (end == 0 || mayHoldLong(low, high)) {
        window.position = p;
        target[i] = decode(window, batch);
        p = window.position;
        continue;
      }
      int length = Integer.numberOfTrailingZeros(end) + 1;
      low &= FIRST_WORD[length];
      high &= SECOND_WORD[length];
      int slot = slot(low, high);
      int number = numbers[slot];
      if (number == 0 || words[2 * slot] != low || words[2 * slot + 1] != high) {
        window.position = p;
        number = insert(window, batch, slot, low, high);
      }
      target[i] = number - 1;
      p += length;
    }
    // Frames that are not there any more are behind the end, whoever asks.
    window.position = i < from + count ? limit + 1 : p;
  }

  /** One bit for each of eight bytes: whether it lacks the top bit. */
  private static int ends(long bytes) {
    return (int) ((((~bytes & LAST_BYTES) >>> 7) * GATHER) >>> 56);
  }

  /** Leaves the fourth bit and those above it. */
  private static int fourth(int bits) {
    int second = bits & (bits - 1);
    int third = second & (second - 1);
    return third & (third - 1);
  }

  /** Whether a varint of nine bytes may be among these: eight in a row have the top bit. */
  private static boolean mayHoldLong(long low, long high) {
    return Long.numberOfLeadingZeros(~low & LAST_BYTES)
            + Long.numberOfTrailingZeros(~high & LAST_BYTES)
        >= 9 * Byte.SIZE - 1;
  }

  /** Where a frame is, or is to be put, be it in place of another. */
  private int slot(long low, long high) {
    long mixed = (low ^ high * 0xC2B2AE3D27D4EB4FL) * 0x9E3779B97F4A7C15L;
    int home = (int) (mixed >>> 40) & mask;
    for (int probe = 0; probe < PROBES; probe++) {
      // Slots that share a cache line, or two.
      int slot = home ^ probe;
      if (numbers[slot] == 0 || (words[2 * slot] == low && words[2 * slot + 1] == high)) {
        return slot;
      }
    }
    return home;
  }

  private int insert(Window window, StackBatch batch, int slot, long low, long high) {
    int number = decode(window, batch) + 1;
    taken += numbers[slot] == 0 ? 1 : 0;
    numbers[slot] = number;
    words[2 * slot] = low;
    words[2 * slot + 1] = high;
    if (taken > numbers.length / 2 && numbers.length < LARGEST) {
      grow();
    }
    return number;
  }

  private void grow() {
    long[] oldWords = words;
    int[] oldNumbers = numbers;
    words = new long[oldWords.length * 2];
    numbers = new int[oldNumbers.length * 2];
    mask = numbers.length - 1;
    taken = 0;
    for (int i = 0; i < oldNumbers.length; i++) {
      if (oldNumbers[i] != 0) {
        int slot = slot(oldWords[2 * i], oldWords[2 * i + 1]);
        taken += numbers[slot] == 0 ? 1 : 0;
        numbers[slot] = oldNumbers[i];
        words[2 * slot] = oldWords[2 * i];
        words[2 * slot + 1] = oldWords[2 * i + 1];
      }
    }
  }

  private int decode(Window window, StackBatch batch) {
    long method = window.varint();
    int line = (int) window.varint();
    int bytecodeIndex = (int) window.varint();
    batch.add(method, line, bytecodeIndex, window.varint());
    return next();
  }
}
