package org.buftrail.jfr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The distinct frames of some stack traces, numbered by their bytes: a frame that is there already
 * is known by the bytes of its four varints, and none of its numbers is decoded.
 *
 * <p>A frame of at most 16 bytes is found in two words by its four last bytes, those without the
 * top bit; longer ones, and such as may hold a varint of nine bytes, are new each time, as are
 * frames of a layout that is not four varints.
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

  /** So many frames are kept from one block of stack traces to the next. */
  private static final int MOST_KEPT = 16_384;

  private static final int SMALLEST = 256;

  // Open addressed: two words a slot, and the number of the frame that has them, from 1.
  private long[] words = new long[2 * SMALLEST];
  private int[] numbers = new int[SMALLEST];
  private int mask = SMALLEST - 1;
  private int taken;

  private long[] methods = new long[SMALLEST];
  private int[] lines = new int[SMALLEST];
  private int[] bytecodeIndices = new int[SMALLEST];
  private long[] types = new long[SMALLEST];
  private int size;

  private static long[] masks(int skipped) {
    long[] masks = new long[LONGEST + 1];
    for (int length = 0; length <= LONGEST; length++) {
      int kept = Math.min(Long.BYTES, Math.max(0, length - skipped));
      masks[length] = kept == 0 ? 0 : -1L >>> (Long.SIZE - Byte.SIZE * kept);
    }
    return masks;
  }

  /** Number of frames. */
  int size() {
    return size;
  }

  /** Key of a frame's method. */
  long method(int frame) {
    return methods[frame];
  }

  /** A frame's line as the recording has it. */
  int line(int frame) {
    return lines[frame];
  }

  /** A frame's bytecode index. */
  int bytecodeIndex(int frame) {
    return bytecodeIndices[frame];
  }

  /** Key of a frame's type. */
  long type(int frame) {
    return types[frame];
  }

  /** Forgets all frames. */
  void clear() {
    if (taken > 0) {
      Arrays.fill(numbers, 0);
    }
    taken = 0;
    size = 0;
  }

  /** Whether there are so many frames that they should be forgotten. */
  boolean isLarge() {
    return size > MOST_KEPT;
  }

  /**
   * Numbers the frames, of four varints each, at the window's position, which ends up behind them,
   * or past the limit.
   */
  void read(Window window, int[] target, int from, int count) {
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
        target[i] = decode(window);
        p = window.position;
        continue;
      }
      int length = Integer.numberOfTrailingZeros(end) + 1;
      low &= FIRST_WORD[length];
      high &= SECOND_WORD[length];
      int slot = slot(low, high);
      int number = numbers[slot];
      if (number == 0) {
        window.position = p;
        number = insert(window, slot, low, high);
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

  private int slot(long low, long high) {
    long mixed = (low ^ high * 0xC2B2AE3D27D4EB4FL) * 0x9E3779B97F4A7C15L;
    int slot = (int) (mixed >>> 40) & mask;
    while (numbers[slot] != 0 && (words[2 * slot] != low || words[2 * slot + 1] != high)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int insert(Window window, int slot, long low, long high) {
    int number = decode(window) + 1;
    numbers[slot] = number;
    words[2 * slot] = low;
    words[2 * slot + 1] = high;
    if (++taken > numbers.length / 2) {
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
    for (int i = 0; i < oldNumbers.length; i++) {
      if (oldNumbers[i] != 0) {
        int slot = slot(oldWords[2 * i], oldWords[2 * i + 1]);
        numbers[slot] = oldNumbers[i];
        words[2 * slot] = oldWords[2 * i];
        words[2 * slot + 1] = oldWords[2 * i + 1];
      }
    }
  }

  private int decode(Window window) {
    long method = window.varint();
    int line = (int) window.varint();
    int bytecodeIndex = (int) window.varint();
    return add(method, line, bytecodeIndex, window.varint());
  }

  /** Adds a frame without a look at those that are there, and answers its number. */
  int add(long method, int line, int bytecodeIndex, long type) {
    if (size == methods.length) {
      int room = size + (size >> 1);
      methods = Arrays.copyOf(methods, room);
      lines = Arrays.copyOf(lines, room);
      bytecodeIndices = Arrays.copyOf(bytecodeIndices, room);
      types = Arrays.copyOf(types, room);
    }
    methods[size] = method;
    lines[size] = line;
    bytecodeIndices[size] = bytecodeIndex;
    types[size] = type;
    return size++;
  }
}
