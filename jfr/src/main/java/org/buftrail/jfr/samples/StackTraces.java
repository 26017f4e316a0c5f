package org.buftrail.jfr.samples;

import org.buftrail.jfr.constants.Constants;
import org.buftrail.jfr.process.NativeLibraries;
import org.buftrail.jfr.stacks.ChunkStacks;
import org.buftrail.profile.dictionary.Dictionary;

/**
 * Turns the stack traces of one chunk that events name into stacks of the dictionary, without an
 * object for a frame: its frames get names and locations, and then each stack trace is put together
 * from these.
 */
public final class StackTraces {
  private static final int TRUNCATED = Integer.MIN_VALUE;

  private final Dictionary dictionary;
  private final FrameTypes frameTypes;
  private final FrameResolver frameNamer;
  private int[] locations = new int[256];
  private int[] stacks = new int[64];

  /**
   * @param libraries whose frames get a mapping
   * @param withCompilation whether frames that differ in how they ran alone are kept apart
   * @param withBytecodeIndex the same of their place in the method's code
   */
  public StackTraces(
      Dictionary dictionary,
      SymbolResolver names,
      NativeLibraries libraries,
      boolean withCompilation,
      boolean withBytecodeIndex) {
    this.dictionary = dictionary;
    this.frameTypes = new FrameTypes(dictionary, names, withCompilation);
    this.frameNamer =
        new FrameResolver(dictionary, names, frameTypes, libraries, withBytecodeIndex);
  }

  /** Whether async-profiler wrote the chunk; known once its stack traces have been resolved. */
  public boolean isAsyncProfiler() {
    return frameTypes.isAsyncProfiler();
  }

  /** The stack that a resolved stack trace has become. */
  public static int stack(int resolved) {
    return (resolved & ~TRUNCATED) - 1;
  }

  /** Whether a resolved stack trace was cut off by the JVM. */
  public static boolean isTruncated(int resolved) {
    return resolved < 0;
  }

  /** Resolves every stack trace of a chunk that has been decoded. */
  public void resolve(Constants constants) {
    frameTypes.begin(constants);
    ChunkStacks decoded = constants.chunkStacks;
    if (locations.length < decoded.frames) {
      locations = new int[decoded.frames * 2];
    }
    frameNamer.locate(constants, locations);
    // Locations take the place of the numbers, and then are what the table of stacks takes.
    int[] frames = decoded.numbers;
    int end = decoded.ends[decoded.count];
    for (int i = 0; i < end; i++) {
      frames[i] = locations[frames[i]];
    }
    if (stacks.length < decoded.count) {
      stacks = new int[decoded.count * 2];
    }
    dictionary.stacks().intern(frames, decoded.ends, decoded.count, stacks);
    for (int i = 0; i < decoded.count; i++) {
      // 1 is added since 0 stands for a stack trace that was not found.
      constants.stacks.resolve(
          constants.stacks.inOrder(i), (stacks[i] + 1) | (decoded.truncated[i] ? TRUNCATED : 0));
    }
  }
}
