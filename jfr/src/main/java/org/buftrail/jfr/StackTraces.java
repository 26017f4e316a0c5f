package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.LocationTable;
import org.jspecify.annotations.Nullable;

/**
 * Turns the stack traces of one chunk that events name into stacks of the dictionary, without an
 * object for a frame: batch by batch, as the pipeline decodes and names them, the new frames are
 * looked up in the table of locations, and then each stack trace is put together from these.
 */
final class StackTraces implements StackPipeline.Steps {
  private static final int TRUNCATED = Integer.MIN_VALUE;

  /** Frames that are looked up together. */
  private static final int GROUP = 256;

  private final Dictionary dictionary;
  private final Constants constants;
  private final FrameTypes frameTypes;
  private final FrameNamer frameNamer;
  private final StackPipeline pipeline;
  private @Nullable StacksWhenMet whenMet;
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
    this.dictionary = dictionary;
    this.constants = constants;
    this.pipeline = new StackPipeline(constants, this);
    this.frameTypes = new FrameTypes(dictionary, constants, names);
    this.frameNamer =
        new FrameNamer(dictionary, constants, names, frameTypes, libraries, withBytecodeIndex);
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
   * Has the stack traces of a chunk decoded as they are met, until {@link #resolve}, if their
   * frames say themselves where they end.
   *
   * @param window holds all constants of the chunk
   */
  void decodeWhenMet(Window window, Metadata types) throws DamageException {
    StackDecoder.Layouts chunkLayouts = layouts(window, types);
    if (chunkLayouts != null && chunkLayouts.plain) {
      whenMet = new StacksWhenMet(pipeline, chunkLayouts);
      constants.decodeStacks(whenMet);
    }
  }

  /**
   * Has another thread decode the stack traces of a chunk as they are found, until {@link
   * #resolve}.
   *
   * @param window holds all constants of the chunk
   * @param bytes of these
   * @param twin the like, for a thread that is to be started; null if one will {@link #help}
   */
  void decodeElsewhere(Window window, Metadata types, long bytes, @Nullable Window twin)
      throws DamageException {
    StackDecoder.Layouts chunkLayouts = layouts(window, types);
    if (chunkLayouts != null) {
      pipeline.open(chunkLayouts, bytes, twin);
      constants.tellStacks(pipeline);
    }
  }

  /**
   * Decodes every stack trace that was asked for and found.
   *
   * @param forks whether another thread may be asked for help, and not only give it
   */
  void resolve(Window window, Metadata types, boolean forks) throws IOException, DamageException {
    frameTypes.begin();
    StackDecoder.Layouts chunkLayouts = layouts(window, types);
    if (whenMet != null) {
      whenMet.end();
    }
    if (chunkLayouts != null) {
      pipeline.run(window, chunkLayouts, forks);
    }
  }

  /** Sees to it that no other thread decodes stack traces any more. */
  void stop() {
    whenMet = null;
    pipeline.stop();
  }

  private StackDecoder.@Nullable Layouts layouts(Window window, Metadata types)
      throws DamageException {
    if (types != metadata || compressed != window.compressed) {
      layouts = StackDecoder.Layouts.compile(types, window.compressed);
      metadata = types;
      compressed = window.compressed;
    }
    return layouts;
  }

  /**
   * Decodes and names for another thread that resolves stack traces, until it is through or needs
   * no help.
   */
  void help(Window window, OfferedWork resolving) {
    pipeline.help(window, resolving);
  }

  @Override
  public void prepare() {
    frameNamer.nameAhead();
  }

  @Override
  public void name(StackBatch batch) {
    frameNamer.name(batch);
  }

  /** Gives the new frames of a batch their locations, and its stack traces their stacks. */
  @Override
  public void consume(StackBatch batch) {
    StackDecoder decoder = batch.decoder();
    int known = batch.firstFrame + batch.frames;
    if (decoder.locations.length < known) {
      decoder.locations = Arrays.copyOf(decoder.locations, known * 2);
    }
    int[] locations = decoder.locations;
    locate(batch, locations);
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

  private void locate(StackBatch batch, int[] locations) {
    LocationTable table = dictionary.locations();
    for (int done = 0; done < batch.frames; done += GROUP) {
      int end = Math.min(done + GROUP, batch.frames);
      table.intern(
          batch.functions,
          batch.lines,
          batch.attributeSets,
          done,
          end,
          locations,
          batch.firstFrame + done);
    }
    for (int i = 0; i < batch.mappedCount; i++) {
      int frame = batch.mapped[i];
      locations[batch.firstFrame + frame] =
          table.intern(
              batch.mappings[i],
              batch.addresses[i],
              batch.functions[frame],
              batch.lines[frame],
              0,
              batch.attributeSets[frame]);
    }
  }
}
