package org.buftrail.jfr.stacks;

import java.util.Arrays;
import org.buftrail.jfr.file.Cursor;
import org.buftrail.jfr.table.HashSeed;
import org.buftrail.profile.hash.HashIndex;
import org.buftrail.profile.hash.Words;

/**
 * Numbers the frames of stack traces by their bytes: a frame that was seen before is known by the
 * bytes of its four varints, and none of its numbers is decoded.
 *
 * <p>Mostly a frame is followed by the one that followed it last time: that one's bytes are
 * compared first. Others are found in a hash table, by their bytes up to the fourth that lacks the
 * top bit. Frames of more than 16 bytes, and such as may hold a varint of nine bytes, are new each
 * time: a frame may have several numbers.
 *
 * <p>Where hardly any frame was met before, those of the next stack traces are not looked for, nor
 * kept: that halves the time of a recording of such.
 */
public final class FrameTable {
  private static final int LONGEST = 2 * Long.BYTES;

  private static final long[] FACTORS = HashSeed.draw(4);

  private static final int SMALLEST = 512;

  /** After so many frames it is decided whether to look for the next. */
  private static final int STRETCH = 1024;

  /** Frames that are not looked for when not one in eight of a stretch was known. */
  private static final int BLIND = 8 * STRETCH;

  // Columns of an entry, which is half a cache line: its bytes in two words, how many they are and
  // in the upper half the frame's number, and the entry that followed it last.
  private static final int STRIDE = 4;
  private static final int HIGH = 1;
  private static final int LENGTH = 2;
  private static final int NEXT = 3;

  // Entry 0 is what comes before a stack's first frame.
  private long[] entries = new long[STRIDE * SMALLEST / 2];
  private final HashIndex slots = new HashIndex(SMALLEST);
  private int size;

  // For the current stretch, or for the frames that are not looked for.
  private int frames;
  private int known;
  private int blind;

  /** Forgets all frames. */
  public void clear() {
    if (size > 0) {
      slots.clear();
    }
    entries[NEXT] = 0;
    size = 0;
    frames = 0;
    known = 0;
    blind = 0;
  }

  /**
   * Numbers the frames, of four varints each, at the buffer's position, which ends up behind them,
   * or past the limit.
   *
   * @param stacks gets the numbers, and the frames that are not known; no others are added to it
   * @param from where the numbers go
   */
  public void read(Cursor buffer, ChunkStacks stacks, int from, int count) {
    if (blind > 0) {
      blind -= count;
      decodeAll(buffer, stacks, from, count);
      return;
    }
    int before = stacks.frames;
    lookUp(buffer, stacks, from, count);
    frames += count;
    known += count - (stacks.frames - before);
    if (frames >= STRETCH) {
      blind = known < frames / 8 ? BLIND : 0;
      frames = 0;
      known = 0;
    }
  }

  private void decodeAll(Cursor buffer, ChunkStacks stacks, int from, int count) {
    byte[] b = buffer.bytes;
    int limit = buffer.limit;
    int i = from;
    for (; i < from + count && buffer.position < limit; i++) {
      long low = Words.get(b, buffer.position);
      long high = Words.get(b, buffer.position + Long.BYTES);
      int ends = Cursor.ends(low) | Cursor.ends(high) << Long.BYTES;
      stacks.numbers[i] =
          fourth(ends) == 0 || mayHoldLong(low, high)
              ? decode(buffer, stacks)
              : decode(buffer, ends, stacks);
    }
    buffer.position = i < from + count ? limit + 1 : buffer.position;
  }

  private void lookUp(Cursor buffer, ChunkStacks stacks, int from, int count) {
    int[] target = stacks.numbers;
    byte[] b = buffer.bytes;
    int limit = buffer.limit;
    int p = buffer.position;
    int before = 0;
    int i = from;
    for (; i < from + count && p < limit; i++) {
      long low = Words.get(b, p);
      long high = Words.get(b, p + Long.BYTES);
      int entry = (int) entries[STRIDE * before + NEXT];
      int at = STRIDE * entry;
      int length = (int) entries[at + LENGTH];
      int same = Long.numberOfTrailingZeros(low ^ entries[at]);
      if (same == Long.SIZE) {
        same += Long.numberOfTrailingZeros(high ^ entries[at + HIGH]);
      }
      if (same < Byte.SIZE * length || length == 0) {
        buffer.position = p;
        entry = find(buffer, stacks, low, high);
        entries[STRIDE * before + NEXT] = entry;
        length = buffer.position - p;
      }
      target[i] = (int) (entries[STRIDE * entry + LENGTH] >>> Integer.SIZE);
      before = entry;
      p += length;
    }
    // Frames that no longer exist are behind the end for each caller.
    buffer.position = i < from + count ? limit + 1 : p;
  }

  /** The entry of the frame at the buffer's position, which ends up behind it. */
  private int find(Cursor buffer, ChunkStacks stacks, long low, long high) {
    // Mostly the fourth varint ends in the first word, none of them being long.
    long last = ~low & Cursor.LAST_BYTES;
    last &= last - 1;
    last &= last - 1;
    last &= last - 1;
    long first = low & (last ^ (last - 1));
    long second = 0;
    int length = (Long.numberOfTrailingZeros(last) >>> 3) + 1;
    if (last == 0) {
      int end = fourth(Cursor.ends(low) | Cursor.ends(high) << Long.BYTES);
      if (end == 0 || mayHoldLong(low, high)) {
        return add(0, 0, 0, decode(buffer, stacks));
      }
      length = Integer.numberOfTrailingZeros(end) + 1;
      first = low;
      second = high & (-1L >>> (Byte.SIZE * (LONGEST - length)));
    }
    int hash = hash(first, second);
    int slot = slots.home(hash);
    for (int held = slots.at(slot); held != 0; held = slots.at(slot)) {
      int entry = slots.index(held);
      // Equal bytes are of equal length, since the last of four varints ends them.
      if (entries[STRIDE * entry] == first && entries[STRIDE * entry + HIGH] == second) {
        buffer.position += length;
        return entry;
      }
      slot = slots.after(slot);
    }
    int number = decode(buffer, Cursor.ends(low) | Cursor.ends(high) << Long.BYTES, stacks);
    int entry = add(first, second, length, number);
    slots.put(slot, hash, entry);
    if (slots.isFullWith(size)) {
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
    return Long.numberOfLeadingZeros(~low & Cursor.LAST_BYTES)
            + Long.numberOfTrailingZeros(~high & Cursor.LAST_BYTES)
        >= 9 * Byte.SIZE - 1;
  }

  private static int hash(long low, long high) {
    long mixed =
        low * FACTORS[0]
            + (low >>> 32) * FACTORS[1]
            + high * FACTORS[2]
            + (high >>> 32) * FACTORS[3];
    return (int) (mixed >>> 32);
  }

  /** Adds an entry; one of no length is never met again. */
  private int add(long low, long high, int length, int number) {
    int entry = ++size;
    int at = STRIDE * entry;
    if (at == entries.length) {
      entries = Arrays.copyOf(entries, at * 2);
    }
    entries[at] = low;
    entries[at + HIGH] = high;
    entries[at + LENGTH] = (long) number << Integer.SIZE | length;
    entries[at + NEXT] = 0;
    return entry;
  }

  private void grow() {
    // More than once if many have come that need no slot.
    do {
      slots.grow();
    } while (slots.isFullWith(size));
    for (int entry = 1; entry <= size; entry++) {
      int at = STRIDE * entry;
      if ((int) entries[at + LENGTH] != 0) {
        slots.putFree(hash(entries[at], entries[at + HIGH]), entry);
      }
    }
  }

  /** Adds the frame of four varints of at most eight bytes, of which it is known where they end. */
  private static int decode(Cursor buffer, int ends, ChunkStacks stacks) {
    byte[] b = buffer.bytes;
    int p = buffer.position;
    int first = Integer.numberOfTrailingZeros(ends);
    int rest = ends & (ends - 1);
    int second = Integer.numberOfTrailingZeros(rest);
    rest &= rest - 1;
    int third = Integer.numberOfTrailingZeros(rest);
    int fourth = Integer.numberOfTrailingZeros(rest & (rest - 1));
    buffer.position = p + fourth + 1;
    return stacks.add(
        Cursor.varint(b, p, first),
        (int) Cursor.varint(b, p + first + 1, second - first - 1),
        (int) Cursor.varint(b, p + second + 1, third - second - 1),
        Cursor.varint(b, p + third + 1, fourth - third - 1));
  }

  private static int decode(Cursor buffer, ChunkStacks stacks) {
    long method = buffer.varint();
    int line = (int) buffer.varint();
    int bytecodeIndex = (int) buffer.varint();
    return stacks.add(method, line, bytecodeIndex, buffer.varint());
  }
}
