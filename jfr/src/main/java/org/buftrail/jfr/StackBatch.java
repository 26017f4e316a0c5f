package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Stack traces that are decoded together: numbers of frames, and those frames that their decoder
 * met for the first time. Written by one thread, which then says so by {@link #finish}; that makes
 * all of it visible to who looks up its methods, and this to who asks {@link #isReady}. What is
 * named afterwards belongs to who names.
 */
final class StackBatch {
  // States, in their order.
  private static final int OFFERED = 0;
  private static final int DECODED = 1;
  private static final int LOOKING_UP = 2;
  private static final int READY = 3;

  int[] numbers = new int[256];

  /** Where the frames of each stack trace end among the numbers, from 1; 0 at first. */
  int[] ends = new int[65];

  boolean[] truncated = new boolean[64];
  int count;

  /** The number of the first new frame, and how many are new. */
  int firstFrame;

  int frames;

  /** Keys of the new frames' methods, which {@link #lookUp} replaces by their indices. */
  long[] methods = new long[32];

  int[] lines = new int[32];
  int[] bytecodeIndices = new int[32];
  long[] types = new long[32];

  /** What the new frames are called: functions and attribute sets of the dictionary. */
  int[] functions = new int[32];

  int[] attributeSets = new int[32];

  /** Those of the new frames that lie in a mapping, with it and their addresses. */
  int[] mapped = new int[0];

  int[] mappings = new int[0];
  long[] addresses = new long[0];
  int mappedCount;

  private final AtomicInteger state = new AtomicInteger();
  private int from;
  private int to;
  private @Nullable StackDecoder decoder;
  private @Nullable DamageException damage;
  private @Nullable Throwable failure;

  /**
   * Prepares for stack traces, given by their rank among the found.
   *
   * @param newTo as {@code newFrom} where nobody knows how many there will be
   */
  void begin(int newFrom, int newTo) {
    from = newFrom;
    to = newTo;
    count = 0;
    frames = 0;
    mappedCount = 0;
    damage = null;
    failure = null;
    state.set(OFFERED);
    if (ends.length <= to - from) {
      ends = new int[to - from + 1];
      truncated = new boolean[to - from];
    }
  }

  /** The rank of the first stack trace. */
  int from() {
    return from;
  }

  /** The rank behind the last stack trace, of a batch that is decoded as a whole. */
  int to() {
    return to;
  }

  /** Whether the batch has been decoded, and its methods have been looked up. */
  boolean isReady() {
    return state.get() == READY;
  }

  /**
   * Looks the methods up, if the batch has been decoded and nobody has begun to; all of them must
   * have been read.
   *
   * @return whether this call has made the batch ready
   */
  boolean lookUp(RecordPool known) {
    if (state.get() != DECODED || !state.compareAndSet(DECODED, LOOKING_UP)) {
      return false;
    }
    try {
      for (int i = 0; i < frames; i++) {
        methods[i] = known.indexOf(methods[i]);
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    }
    state.set(READY);
    return true;
  }

  /** Says that all is decoded, as far as it can be; a batch that failed is ready with that. */
  void finish(
      StackDecoder by, @Nullable DamageException newDamage, @Nullable Throwable newFailure) {
    decoder = by;
    damage = newDamage;
    failure = newFailure;
    state.set(newFailure == null ? DECODED : READY);
  }

  /** Says that the batch cannot be named. */
  void fail(Throwable newFailure) {
    failure = newFailure;
  }

  /** Who decoded the batch. */
  StackDecoder decoder() {
    StackDecoder by = decoder;
    if (by == null) {
      throw new IllegalStateException("nobody has decoded the stack traces");
    }
    return by;
  }

  /** Whether the batch cannot be used at all. */
  boolean hasFailed() {
    return failure != null;
  }

  /** Whether anything kept the batch from being decoded in whole, or named. */
  boolean isBroken() {
    return damage != null || failure != null;
  }

  /** Throws what kept the batch from being decoded or named, if anything did. */
  void checkFailure() throws IOException {
    if (failure instanceof IOException exception) {
      throw exception;
    } else if (failure instanceof RuntimeException exception) {
      throw exception;
    } else if (failure instanceof Error error) {
      throw error;
    }
  }

  /** Throws the damage that decoding ended at, if there is any. */
  void checkDamage() throws DamageException {
    if (damage != null) {
      throw damage;
    }
  }

  /** Makes room for the frames of one more stack trace, and answers where they go. */
  int reserve(int depth) {
    int at = ends[count];
    if (numbers.length - at < depth) {
      numbers = Arrays.copyOf(numbers, Math.max(at + depth, numbers.length * 2));
    }
    return at;
  }

  /** Adds a stack trace whose frames are where {@link #reserve} said. */
  void end(int depth, boolean isTruncated) {
    if (count == truncated.length) {
      ends = Arrays.copyOf(ends, count * 2 + 1);
      truncated = Arrays.copyOf(truncated, count * 2);
    }
    truncated[count] = isTruncated;
    ends[count + 1] = ends[count] + depth;
    count++;
  }

  /** Adds a new frame. */
  void add(long method, int line, int bytecodeIndex, long type) {
    if (frames == methods.length) {
      int room = frames * 2;
      lines = Arrays.copyOf(lines, room);
      bytecodeIndices = Arrays.copyOf(bytecodeIndices, room);
      types = Arrays.copyOf(types, room);
      functions = new int[room];
      attributeSets = new int[room];
      // The last, since it says how much room there is, also if there was no memory for the others.
      methods = Arrays.copyOf(methods, room);
    }
    methods[frames] = method;
    lines[frames] = line;
    bytecodeIndices[frames] = bytecodeIndex;
    types[frames] = type;
    frames++;
  }

  /** Says where a new frame lies. */
  void map(int frame, int mapping, long address) {
    if (mappedCount == mapped.length) {
      int room = 2 * mappedCount + 16;
      mappings = Arrays.copyOf(mappings, room);
      addresses = Arrays.copyOf(addresses, room);
      mapped = Arrays.copyOf(mapped, room);
    }
    mapped[mappedCount] = frame;
    mappings[mappedCount] = mapping;
    addresses[mappedCount] = address;
    mappedCount++;
  }
}
