package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Future;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/**
 * Turns the stack traces of one chunk that events name into stacks of the dictionary, without an
 * object for a frame: batch by batch, as the pipeline decodes them, the new frames are looked up in
 * the tables, and then each stack trace is put together from locations.
 */
final class StackTraces {
  private static final int TRUNCATED = Integer.MIN_VALUE;

  /** Frames that are looked up together. */
  private static final int BATCH = 256;

  private final Dictionary dictionary;
  private final Constants constants;
  private final Names names;
  private final FrameTypes frameTypes;
  private final NativeLibraries libraries;
  private final boolean withBytecodeIndex;
  private final StackPipeline pipeline;
  private final int[] functions = new int[BATCH];
  private final int[] lines = new int[BATCH];
  private final int[] attributeSets = new int[BATCH];
  private final int[] results = new int[BATCH];
  private int[] stacks = new int[64];
  private @Nullable Metadata metadata;
  private boolean compressed;
  private StackDecoder.@Nullable Layouts layouts;

  /**
   * @param libraries whose frames get a mapping
   * @param withBytecodeIndex whether frames that differ in it alone are kept apart
   */
  StackTraces(
      Dictionary dictionary,
      Constants constants,
      Names names,
      NativeLibraries libraries,
      boolean withBytecodeIndex) {
    this.libraries = libraries;
    this.dictionary = dictionary;
    this.constants = constants;
    this.pipeline = new StackPipeline(constants);
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

  /**
   * Decodes every stack trace that was asked for and found.
   *
   * @param forks whether another thread may be asked for help, and not only give it
   */
  void resolve(Window window, Metadata types, boolean forks) throws IOException, DamageException {
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
    pipeline.run(window, chunkLayouts, this::consume, forks);
  }

  /**
   * Decodes for another thread that resolves stack traces, until it is through or needs no help.
   */
  void help(Window window, Future<?> resolving) {
    pipeline.help(window, resolving);
  }

  /** Gives the new frames of a batch their locations, and its stack traces their stacks. */
  private void consume(StackBatch batch) {
    StackDecoder decoder = batch.decoder();
    int known = batch.firstFrame + batch.frames;
    if (decoder.locations.length < known) {
      decoder.locations = Arrays.copyOf(decoder.locations, known * 2);
    }
    int[] locations = decoder.locations;
    for (int done = 0; done < batch.frames; done += BATCH) {
      int count = Math.min(BATCH, batch.frames - done);
      locate(batch, done, count);
      System.arraycopy(results, 0, locations, batch.firstFrame + done, count);
    }
    // Locations take the place of the numbers, and then are what the table of stacks takes.
    int[] frames = batch.numbers;
    int end = batch.ends[batch.count];
    for (int i = 0; i < end; i++) {
      frames[i] = locations[frames[i]];
    }
    if (stacks.length < batch.count) {
      stacks = new int[batch.count * 2];
    }
    dictionary.stacks().intern(frames, batch.ends, batch.count, stacks);
    for (int i = 0; i < batch.count; i++) {
      // 1 is added since 0 stands for a stack trace that was not found.
      constants.stacks.resolve(
          constants.stacks.inOrder(batch.from() + i),
          (stacks[i] + 1) | (batch.truncated[i] ? TRUNCATED : 0));
    }
  }

  private void locate(StackBatch batch, int from, int count) {
    for (int i = 0; i < count; i++) {
      int method = (int) batch.methods[from + i];
      long type = batch.types[from + i];
      functions[i] =
          frameTypes.isNative(type) ? names.nativeFunction(method) : names.function(method);
      attributeSets[i] = attributes(method, batch.bytecodeIndices[from + i], type);
      lines[i] = batch.lines[from + i];
    }
    dictionary.locations().intern(functions, lines, attributeSets, count, results);
    for (int i = 0; i < count; i++) {
      long type = batch.types[from + i];
      if (frameTypes.isNative(type)) {
        map((int) batch.methods[from + i], type, i);
      }
    }
  }

  /** Puts a native frame where its library is, if that has a build id. */
  private void map(int method, long type, int i) {
    long address = names.address(method);
    int library = names.library(method);
    if (address >= 0) {
      int mapping = libraries.ofBuildId(dictionary.strings().get(library));
      int set = frameTypes.attributes(type);
      results[i] = dictionary.locations().intern(mapping, address, 0, 0, 0, set);
      return;
    }
    int mapping = libraries.ofName(library);
    if (mapping != 0) {
      results[i] =
          dictionary.locations().intern(mapping, 0, functions[i], lines[i], 0, attributeSets[i]);
    }
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
