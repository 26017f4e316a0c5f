package org.buftrail.jfr.stacks;

import java.util.Arrays;
import org.buftrail.jfr.table.LongIntMap;

/**
 * The stack traces of a chunk that its events name, in the order of the file: numbers of frames,
 * and the frames themselves, each of which is there once where the decoder recognised it.
 */
public final class ChunkStacks {
  /** So many frame types of a chunk have a number. */
  public static final int MOST_TYPES = 127;

  /** Keys below are their own numbers. */
  private static final int SMALL_TYPES = 64;

  /** Stands for the frame types that nobody knows. */
  private static final byte OTHER_TYPE = -1;

  /** The frames of all stack traces, by their numbers. */
  public int[] numbers = new int[256];

  /** Where the frames of each stack trace end among the numbers, from 1; 0 at first. */
  public int[] ends = new int[65];

  public boolean[] truncated = new boolean[64];
  public int count;

  /** How many frames there are; each has its place in the arrays that follow. */
  public int frames;

  public int[] lines = new int[256];
  public int[] bytecodeIndices = new int[256];

  /** Numbers of the frames' types, from 0 to {@link #MOST_TYPES}; -1 for all others. */
  public byte[] types = new byte[256];

  private final LongIntMap typeNumbers = new LongIntMap();
  private final long[] typeKeys = new long[MOST_TYPES - SMALL_TYPES];
  private long[] methods = new long[256];

  /** Forgets all and keeps the memory. */
  public void clear() {
    count = 0;
    frames = 0;
    typeNumbers.clear();
  }

  /** The key of the frame type of a number; -1 if no frame is of it. */
  public long typeKey(int number) {
    if (number < SMALL_TYPES) {
      return number;
    }
    return number - SMALL_TYPES < typeNumbers.size() ? typeKeys[number - SMALL_TYPES] : -1;
  }

  private byte typeNumber(long key) {
    if (key >= 0 && key < SMALL_TYPES) {
      return (byte) key;
    }
    int known = typeNumbers.size();
    int index = known < typeKeys.length ? typeNumbers.intern(key) : typeNumbers.get(key);
    if (index == known) {
      typeKeys[index] = key;
    }
    return index < 0 ? OTHER_TYPE : (byte) (SMALL_TYPES + index);
  }

  /** The key of a frame's method. */
  public long method(int frame) {
    return methods[frame];
  }

  /** Makes room for the frames of one more stack trace, and answers where they go. */
  public int reserve(int depth) {
    int at = ends[count];
    if (numbers.length - at < depth) {
      numbers = Arrays.copyOf(numbers, Math.max(Math.addExact(at, depth), numbers.length * 2));
    }
    return at;
  }

  /** Adds a stack trace whose frames are where {@link #reserve} said. */
  public void end(int depth, boolean isTruncated) {
    if (count == truncated.length) {
      ends = Arrays.copyOf(ends, count * 2 + 1);
      truncated = Arrays.copyOf(truncated, count * 2);
    }
    truncated[count] = isTruncated;
    ends[count + 1] = ends[count] + depth;
    count++;
  }

  /** Adds a frame; answers its number. */
  public int add(long method, int line, int bytecodeIndex, long type) {
    if (frames == methods.length) {
      int room = frames * 2;
      lines = Arrays.copyOf(lines, room);
      bytecodeIndices = Arrays.copyOf(bytecodeIndices, room);
      types = Arrays.copyOf(types, room);
      // The last, since it says how much room there is, also if there was no memory for the others.
      methods = Arrays.copyOf(methods, room);
    }
    set(frames, method, line, bytecodeIndex, type);
    return frames++;
  }

  /** Says what a frame is that was added before it was known. */
  void set(int frame, long method, int line, int bytecodeIndex, long type) {
    methods[frame] = method;
    lines[frame] = line;
    bytecodeIndices[frame] = bytecodeIndex;
    types[frame] = typeNumber(type);
  }
}
