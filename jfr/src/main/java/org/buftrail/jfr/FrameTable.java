package org.buftrail.jfr;

import java.util.Arrays;

/**
 * Numbers the frames of stack traces by their bytes: a frame that was seen before is known by the
 * bytes of its four varints, and none of its numbers is decoded.
 *
 * <p>Mostly a frame is followed by the one that followed it last time: that one's bytes are
 * compared first. Others are found in a hash table, by their bytes up to the fourth that lacks the
 * top bit. Frames of more than 16 bytes, and such as may hold a varint of nine bytes, are new each
 * time, as are frames of a layout that is not four varints: a frame may have several numbers.
 *
 * <p>Where hardly any frame of a batch was met before, those of the next batches are not looked
 * for. Their numbers stand for them in their batch alone, since the next gives them to other
 * frames: batches have to be used in the order in which they were read.
 */
final class FrameTable {
  private static final int LONGEST = 2 * Long.BYTES;

  private static final long[] FACTORS = Factors.draw(4);

  private static final int SMALLEST = 512;

  /**
   * At most so many batches are read without a look into the table when not one in eight was known.
   */
  private static final int BLIND = 3;

  /** Fewer frames than that say little of those that follow. */
  private static final int LEAST_TELLING = 128;

  // Columns of an entry, which is half a cache line: its bytes in two words, how many they are,
  // and the entry that followed it last.
  private static final int STRIDE = 4;
  private static final int HIGH = 1;
  private static final int LENGTH = 2;
  private static final int NEXT = 3;

  // Entry 0 is what comes before a stack's first frame; a frame's entry is its number and 1.
  private long[] entries = new long[STRIDE * SMALLEST / 2];
  private int[] slots = new int[SMALLEST];
  private int mask = SMALLEST - 1;
  private int size;
  private int blind;

  /** How many numbers have been given for longer than a batch: the next is the first of a batch. */
  int size() {
    return size;
  }

  /** Forgets all frames. */
  void clear() {
    if (size > 0) {
      Arrays.fill(slots, 0);
    }
    entries[NEXT] = 0;
    size = 0;
    blind = 0;
  }

  /** Learns how many frames of the last batch were new, from which it is guessed for the next. */
  void learn(int frames, int fresh) {
    if (blind > 0) {
      blind--;
    } else if (frames >= LEAST_TELLING && fresh > frames - frames / 8) {
      blind = BLIND;
    }
  }

  /** The number of a frame that nobody looks for; not to be mixed with {@link #read}. */
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
    if (blind > 0) {
      readUnknown(window, batch, target, from, count);
      return;
    }
    byte[] b = window.bytes;
    int limit = window.limit;
    int p = window.position;
    int before = 0;
    int i = from;
    for (; i < from + count && p < limit; i++) {
      long low = (long) Window.LITTLE_LONG.get(b, p);
      long high = (long) Window.LITTLE_LONG.get(b, p + Long.BYTES);
      int entry = (int) entries[STRIDE * before + NEXT];
      int at = STRIDE * entry;
      int length = (int) entries[at + LENGTH];
      int same = Long.numberOfTrailingZeros(low ^ entries[at]);
      if (same == Long.SIZE) {
        same += Long.numberOfTrailingZeros(high ^ entries[at + HIGH]);
      }
      if (same < Byte.SIZE * length || length == 0) {
        window.position = p;
        entry = find(window, batch, low, high);
        entries[STRIDE * before + NEXT] = entry;
        length = window.position - p;
      }
      target[i] = entry - 1;
      before = entry;
      p += length;
    }
    // Frames that are not there any more are behind the end, whoever asks.
    window.position = i < from + count ? limit + 1 : p;
  }

  /** Numbers the frames from the batch's first on, as the next batch does again. */
  private void readUnknown(Window window, StackBatch batch, int[] target, int from, int count) {
    byte[] b = window.bytes;
    int first = batch.firstFrame;
    int limit = window.limit;
    int i = from;
    for (; i < from + count && window.position < limit; i++) {
      long low = (long) Window.LITTLE_LONG.get(b, window.position);
      long high = (long) Window.LITTLE_LONG.get(b, window.position + Long.BYTES);
      int ends = Window.ends(low) | Window.ends(high) << Long.BYTES;
      if (fourth(ends) == 0 || mayHoldLong(low, high)) {
        decode(window, batch);
      } else {
        decode(window, ends, batch);
      }
      target[i] = first + batch.frames - 1;
    }
    window.position = i < from + count ? limit + 1 : window.position;
  }

  /** The entry of the frame at the window's position, which ends up behind it. */
  private int find(Window window, StackBatch batch, long low, long high) {
    // Mostly the fourth varint ends in the first word, none of them being long.
    long last = ~low & Window.LAST_BYTES;
    last &= last - 1;
    last &= last - 1;
    last &= last - 1;
    long first = low & (last ^ (last - 1));
    long second = 0;
    int length = (Long.numberOfTrailingZeros(last) >>> 3) + 1;
    if (last == 0) {
      int end = fourth(Window.ends(low) | Window.ends(high) << Long.BYTES);
      if (end == 0 || mayHoldLong(low, high)) {
        decode(window, batch);
        return add(0, 0, 0);
      }
      length = Integer.numberOfTrailingZeros(end) + 1;
      first = low;
      second = high & (-1L >>> (Byte.SIZE * (LONGEST - length)));
    }
    int slot = home(first, second);
    for (int entry = slots[slot]; entry != 0; entry = slots[slot]) {
      // Equal bytes are of equal length, since the last of four varints ends them.
      if (entries[STRIDE * entry] == first && entries[STRIDE * entry + HIGH] == second) {
        window.position += length;
        return entry;
      }
      slot = (slot + 1) & mask;
    }
    decode(window, Window.ends(low) | Window.ends(high) << Long.BYTES, batch);
    int entry = add(first, second, length);
    slots[slot] = entry;
    if (size > slots.length / 2) {
      grow();
    }
    return entry;
  }

  /** Leaves the fourth bit and those above it. */
  private static int fourth(int bits) {
    int second = bits & (bits - 1);
    int third = second & (second - 1);
    return third & (third - 1);
  }

  /** Whether a varint of nine bytes may be among these: eight in a row have the top bit. */
  private static boolean mayHoldLong(long low, long high) {
    return Long.numberOfLeadingZeros(~low & Window.LAST_BYTES)
            + Long.numberOfTrailingZeros(~high & Window.LAST_BYTES)
        >= 9 * Byte.SIZE - 1;
  }

  private int home(long low, long high) {
    long mixed =
        low * FACTORS[0]
            + (low >>> 32) * FACTORS[1]
            + high * FACTORS[2]
            + (high >>> 32) * FACTORS[3];
    return (int) (mixed >>> 32) & mask;
  }

  /** Adds an entry; one of no length is never met again. */
  private int add(long low, long high, int length) {
    int entry = ++size;
    int at = STRIDE * entry;
    if (at == entries.length) {
      entries = Arrays.copyOf(entries, at * 2);
    }
    entries[at] = low;
    entries[at + HIGH] = high;
    entries[at + LENGTH] = length;
    entries[at + NEXT] = 0;
    return entry;
  }

  private void grow() {
    slots = new int[slots.length * 2];
    mask = slots.length - 1;
    for (int entry = 1; entry <= size; entry++) {
      int at = STRIDE * entry;
      if (entries[at + LENGTH] != 0) {
        int slot = home(entries[at], entries[at + HIGH]);
        while (slots[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        slots[slot] = entry;
      }
    }
  }

  /** Decodes four varints of at most eight bytes, of which it is known where they end. */
  private static void decode(Window window, int ends, StackBatch batch) {
    byte[] b = window.bytes;
    int p = window.position;
    int first = Integer.numberOfTrailingZeros(ends);
    int rest = ends & (ends - 1);
    int second = Integer.numberOfTrailingZeros(rest);
    rest &= rest - 1;
    int third = Integer.numberOfTrailingZeros(rest);
    int fourth = Integer.numberOfTrailingZeros(rest & (rest - 1));
    batch.add(
        Window.varint(b, p, first),
        (int) Window.varint(b, p + first + 1, second - first - 1),
        (int) Window.varint(b, p + second + 1, third - second - 1),
        Window.varint(b, p + third + 1, fourth - third - 1));
    window.position = p + fourth + 1;
  }

  private static void decode(Window window, StackBatch batch) {
    long method = window.varint();
    int line = (int) window.varint();
    int bytecodeIndex = (int) window.varint();
    batch.add(method, line, bytecodeIndex, window.varint());
  }
}
