package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/**
 * Turns the stack traces of one chunk that events name into stacks of the dictionary, without an
 * object for a frame.
 *
 * <p>This goes block by block: stack traces are decoded to numbers of distinct frames, half of them
 * by a second thread if there is a processor for it; the new frames are looked up in the tables;
 * then each stack trace is put together from locations.
 */
final class StackTraces {
  private static final int TRUNCATED = Integer.MIN_VALUE;

  /** Bytes of stack traces that are decoded before their frames are looked up. */
  private static final int BLOCK = 1 << 20;

  /** Fewer bytes than that are not worth a second thread. */
  private static final int LEAST_SHARED = 1 << 16;

  /** Frames that are looked up together. */
  private static final int BATCH = 256;

  private final Dictionary dictionary;
  private final Constants constants;
  private final Names names;
  private final FrameTypes frameTypes;
  private final boolean withBytecodeIndex;
  private final boolean parallel = Runtime.getRuntime().availableProcessors() > 1;
  private final StackDecoder decoder = new StackDecoder();
  private final StackDecoder helper = new StackDecoder();
  private final int[] functions = new int[BATCH];
  private final int[] lines = new int[BATCH];
  private final int[] attributeSets = new int[BATCH];
  private final int[] results = new int[BATCH];
  private int[] stack = new int[256];
  private @Nullable Window helperWindow;

  private @Nullable Metadata metadata;
  private boolean compressed;
  private StackDecoder.@Nullable Layouts layouts;

  /**
   * @param withBytecodeIndex whether frames that differ in it alone are kept apart
   */
  StackTraces(Dictionary dictionary, Constants constants, Names names, boolean withBytecodeIndex) {
    this.dictionary = dictionary;
    this.constants = constants;
    this.names = names;
    this.frameTypes = new FrameTypes(dictionary, constants, names);
    this.withBytecodeIndex = withBytecodeIndex;
  }

  /** Whether async-profiler wrote the chunk; known once its stack traces have been resolved. */
  boolean isAsyncProfiler() {
    return frameTypes.isAsyncProfiler();
  }

  /** The stack that a resolved stack trace has become. */
  static int stack(int resolved) {
    return (resolved & ~TRUNCATED) - 1;
  }

  /** Whether a resolved stack trace was cut off by the JVM. */
  static boolean isTruncated(int resolved) {
    return resolved < 0;
  }

  /** Decodes every stack trace that was asked for and found. */
  void resolve(Window window, Metadata types) throws IOException, DamageException {
    frameTypes.begin();
    if (types != metadata || compressed != window.compressed) {
      metadata = types;
      compressed = window.compressed;
      layouts = StackDecoder.Layouts.compile(types, compressed);
    }
    StackDecoder.Layouts chunkLayouts = layouts;
    if (chunkLayouts == null) {
      return;
    }
    decoder.begin();
    helper.begin();
    WantedPool wanted = constants.stacks;
    int from = 0;
    while (from < wanted.found()) {
      int end = rankAfter(wanted, from, BLOCK);
      int middle = parallel ? rankAfter(wanted, from, bytes(wanted, from, end) / 2) : end;
      if (bytes(wanted, middle, end) < LEAST_SHARED) {
        middle = end;
      }
      resolve(window, chunkLayouts, from, middle, end);
      from = end;
    }
  }

  /** The rank of the first stack trace behind so many bytes of them. */
  private static int rankAfter(WantedPool wanted, int from, long bytes) {
    int rank = from;
    for (long sum = 0; rank < wanted.found() && sum < bytes; rank++) {
      sum += wanted.length(wanted.inOrder(rank));
    }
    return rank;
  }

  private static long bytes(WantedPool wanted, int from, int to) {
    long sum = 0;
    for (int rank = from; rank < to; rank++) {
      sum += wanted.length(wanted.inOrder(rank));
    }
    return sum;
  }

  private void resolve(
      Window window, StackDecoder.Layouts chunkLayouts, int from, int middle, int end)
      throws IOException, DamageException {
    WantedPool wanted = constants.stacks;
    ForkJoinTask<?> other = null;
    if (middle < end) {
      int last = wanted.inOrder(end - 1);
      Window twin =
          window.twin(
              wanted.offset(wanted.inOrder(from)),
              wanted.offset(last) + wanted.length(last),
              helperWindow);
      helperWindow = twin.bytes == window.bytes ? helperWindow : twin;
      other =
          ForkJoinPool.commonPool()
              .submit(() -> helper.decode(twin, chunkLayouts, wanted, middle, end));
    }
    decoder.decode(window, chunkLayouts, wanted, from, middle);
    if (other != null) {
      other.join();
    }
    finish(decoder);
    decoder.check();
    if (other != null) {
      finish(helper);
      helper.check();
    }
  }

  /** Gives the frames of decoded stack traces their locations, and the traces their stacks. */
  private void finish(StackDecoder decoded) {
    FrameTable frames = decoded.frames;
    if (decoded.locations.length < frames.size()) {
      decoded.locations = Arrays.copyOf(decoded.locations, frames.size() * 2);
    }
    while (decoded.located < frames.size()) {
      int count = Math.min(BATCH, frames.size() - decoded.located);
      locate(frames, decoded.located, count);
      System.arraycopy(results, 0, decoded.locations, decoded.located, count);
      decoded.located += count;
    }
    for (int i = 0; i < decoded.count(); i++) {
      int depth = decoded.depth(i);
      if (stack.length < depth) {
        stack = new int[Math.max(depth, stack.length * 2)];
      }
      decoded.locate(i, stack);
      int index = dictionary.stacks().intern(stack, 0, depth);
      // 1 is added since 0 stands for a stack trace that was not found.
      constants.stacks.resolve(
          constants.stacks.inOrder(decoded.rank(i)),
          (index + 1) | (decoded.isTruncated(i) ? TRUNCATED : 0));
    }
  }

  private void locate(FrameTable frames, int from, int count) {
    for (int i = 0; i < count; i++) {
      functions[i] = constants.methods.indexOf(frames.method(from + i));
    }
    for (int i = 0; i < count; i++) {
      int method = functions[i];
      long type = frames.type(from + i);
      functions[i] =
          frameTypes.isNative(type) ? names.nativeFunction(method) : names.function(method);
      attributeSets[i] = attributes(method, frames.bytecodeIndex(from + i), type);
      lines[i] = frames.line(from + i);
    }
    dictionary.locations().intern(functions, lines, attributeSets, count, results);
  }

  /** The attributes of a frame, once its function is known. */
  private int attributes(int method, int bytecodeIndex, long type) {
    int set =
        frameTypes.isNative(type)
            ? frameTypes.attributes(type, names.library(method))
            : frameTypes.attributes(type);
    return withBytecodeIndex && bytecodeIndex >= 0
        ? frameTypes.withBytecodeIndex(set, bytecodeIndex)
        : set;
  }
}
