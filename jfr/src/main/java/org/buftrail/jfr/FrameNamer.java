package org.buftrail.jfr;

import org.buftrail.profile.dictionary.Dictionary;

/**
 * Finds what the new frames of a batch are called: their functions, attributes and mappings. All
 * that it touches of the dictionary are the tables of these and of strings, while another thread
 * fills those of locations and stacks. Numbers of more than 31 bits, which the tables share, it
 * does not add.
 */
final class FrameNamer {
  private final Dictionary dictionary;
  private final Constants constants;
  private final Names names;
  private final FrameTypes frameTypes;
  private final NativeLibraries libraries;
  private final boolean withBytecodeIndex;

  /**
   * @param libraries whose frames get a mapping
   * @param withBytecodeIndex whether frames that differ in it alone are kept apart
   */
  FrameNamer(
      Dictionary dictionary,
      Constants constants,
      Names names,
      FrameTypes frameTypes,
      NativeLibraries libraries,
      boolean withBytecodeIndex) {
    this.dictionary = dictionary;
    this.constants = constants;
    this.names = names;
    this.frameTypes = frameTypes;
    this.libraries = libraries;
    this.withBytecodeIndex = withBytecodeIndex;
  }

  /**
   * Names all methods in their order, in which those of one class and their names lie side by side,
   * if nearly all of them are likely to be needed. Names of native frames are made up differently.
   */
  void nameAhead() {
    WantedPool stacks = constants.stacks;
    if (stacks.isAllWanted() && stacks.found() > 0 && !frameTypes.isAsyncProfiler()) {
      names.defineAll();
    }
  }

  /** Names the new frames of a batch that has been decoded. */
  void name(StackBatch batch) {
    for (int i = 0; i < batch.frames; i++) {
      int method = (int) batch.methods[i];
      long type = batch.types[i];
      if (frameTypes.isNative(type)) {
        nameNative(batch, i, method, type);
      } else {
        batch.functions[i] = names.function(method);
        batch.attributeSets[i] = indexed(frameTypes.attributes(type), batch.bytecodeIndices[i]);
      }
    }
  }

  private int indexed(int set, int bytecodeIndex) {
    return withBytecodeIndex && bytecodeIndex >= 0
        ? frameTypes.withBytecodeIndex(set, bytecodeIndex)
        : set;
  }

  /** A native frame is put where its library is, if that has a build id. */
  private void nameNative(StackBatch batch, int frame, int method, long type) {
    batch.functions[frame] = names.nativeFunction(method);
    int library = names.library(method);
    long address = names.address(method);
    if (address >= 0) {
      // The build id stands for the library, and there is no symbol.
      batch.functions[frame] = 0;
      batch.lines[frame] = 0;
      batch.attributeSets[frame] = frameTypes.attributes(type);
      batch.map(frame, libraries.ofBuildId(dictionary.strings().get(library)), address);
      return;
    }
    batch.attributeSets[frame] =
        indexed(frameTypes.attributes(type, library), batch.bytecodeIndices[frame]);
    int mapping = libraries.ofName(library);
    if (mapping != 0) {
      batch.map(frame, mapping, 0);
    }
  }
}
