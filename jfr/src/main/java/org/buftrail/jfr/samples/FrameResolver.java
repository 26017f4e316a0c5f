package org.buftrail.jfr.samples;

import org.buftrail.jfr.constants.Constants;
import org.buftrail.jfr.process.NativeLibraries;
import org.buftrail.jfr.stacks.ChunkStacks;
import org.buftrail.profile.dictionary.Dictionary;

/**
 * Finds what the frames of a chunk are called and where they lie: their functions, attributes and
 * mappings; and makes locations of these. Frames are looked up group by group, so that look-ups of
 * a group wait for memory together.
 */
public final class FrameResolver {
  private static final int GROUP = 256;

  private final Dictionary dictionary;
  private final SymbolResolver names;
  private final FrameTypes frameTypes;
  private final NativeLibraries libraries;
  private final boolean withBytecodeIndex;

  // The frames of a group.
  private final int[] functions = new int[GROUP];
  private final int[] lines = new int[GROUP];
  private final int[] attributeSets = new int[GROUP];
  private final int[] mappings = new int[GROUP];
  private final long[] addresses = new long[GROUP];

  /**
   * @param libraries whose frames get a mapping
   * @param withBytecodeIndex whether frames that differ in it alone are kept apart
   */
  public FrameResolver(
      Dictionary dictionary,
      SymbolResolver names,
      FrameTypes frameTypes,
      NativeLibraries libraries,
      boolean withBytecodeIndex) {
    this.dictionary = dictionary;
    this.names = names;
    this.frameTypes = frameTypes;
    this.libraries = libraries;
    this.withBytecodeIndex = withBytecodeIndex;
  }

  /**
   * Makes locations of all frames of a chunk.
   *
   * @param locations gets them by the frames' numbers
   */
  public void locate(Constants constants, int[] locations) {
    ChunkStacks stacks = constants.chunkStacks;
    for (int from = 0; from < stacks.frames; from += GROUP) {
      locate(constants, from, Math.min(GROUP, stacks.frames - from), locations);
    }
  }

  private void locate(Constants constants, int from, int count, int[] locations) {
    ChunkStacks stacks = constants.chunkStacks;
    boolean anyMapped = false;
    for (int i = 0; i < count; i++) {
      int frame = from + i;
      lines[i] = stacks.lines[frame];
      mappings[i] = 0;
      int method = constants.methods.indexOf(stacks.method(frame));
      if (frameTypes.isNative(stacks.types[frame])) {
        nameNative(i, method, stacks, frame);
        anyMapped |= mappings[i] != 0;
      } else {
        functions[i] = names.function(method);
        attributeSets[i] = indexed(frameTypes.attributes(stacks.types[frame]), stacks, frame);
      }
    }
    dictionary.locations().intern(functions, lines, attributeSets, 0, count, locations, from);
    for (int i = 0; anyMapped && i < count; i++) {
      if (mappings[i] != 0) {
        locations[from + i] =
            dictionary
                .locations()
                .intern(mappings[i], addresses[i], functions[i], lines[i], 0, attributeSets[i]);
      }
    }
  }

  private int indexed(int set, ChunkStacks stacks, int frame) {
    int bytecodeIndex = stacks.bytecodeIndices[frame];
    return withBytecodeIndex && bytecodeIndex >= 0
        ? frameTypes.withBytecodeIndex(set, bytecodeIndex)
        : set;
  }

  /** A native frame is put where its library is, if that has a build id. */
  private void nameNative(int i, int method, ChunkStacks stacks, int frame) {
    functions[i] = names.nativeFunction(method);
    int library = names.library(method);
    int type = stacks.types[frame];
    long address = names.address(method);
    if (address >= 0) {
      // The build id stands for the library, and there is no symbol.
      functions[i] = 0;
      lines[i] = 0;
      attributeSets[i] = frameTypes.attributes(type);
      mappings[i] = libraries.ofBuildId(dictionary.strings().get(library));
      addresses[i] = address;
      return;
    }
    attributeSets[i] = indexed(frameTypes.attributes(type, library), stacks, frame);
    mappings[i] = libraries.ofName(library);
    addresses[i] = 0;
  }
}
