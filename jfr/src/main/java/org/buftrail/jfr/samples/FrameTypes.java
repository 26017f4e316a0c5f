package org.buftrail.jfr.samples;

import java.util.Arrays;
import org.buftrail.jfr.constants.Constants;
import org.buftrail.jfr.constants.StringPool;
import org.buftrail.jfr.events.AttributeKeys;
import org.buftrail.jfr.stacks.ChunkStacks;
import org.buftrail.jfr.table.LongIntMap;
import org.buftrail.profile.dictionary.Dictionary;

/**
 * What the frame types of one chunk mean. The JDK's {@code Native} is a native method of a Java
 * class; async-profiler's is a C function. Its {@code Kernel}, which no JDK has, tells them apart.
 */
public final class FrameTypes {
  private static final int KEYS = ChunkStacks.MOST_TYPES;

  private final Dictionary dictionary;
  private final SymbolResolver names;
  private final boolean withCompilation;
  private final boolean[] isNative = new boolean[KEYS];
  private final int[] attributes = new int[KEYS];
  // Attribute sets of types in libraries.
  private final LongIntMap pairs = new LongIntMap();
  private int[] sets = new int[64];
  private boolean asyncProfiler;
  private int jvm;

  /**
   * @param withCompilation whether frames of Java code say how they ran
   */
  public FrameTypes(Dictionary dictionary, SymbolResolver names, boolean withCompilation) {
    this.dictionary = dictionary;
    this.names = names;
    this.withCompilation = withCompilation;
  }

  /** Learns the frame types of the next chunk. */
  public void begin(Constants constants) {
    jvm = dictionary.frameType("jvm");
    StringPool pool = constants.frameTypes();
    asyncProfiler = false;
    pairs.clear();
    String[] descriptions = new String[KEYS];
    for (int key = 0; key < KEYS; key++) {
      long constant = constants.chunkStacks.typeKey(key);
      if (constant != -1 && pool.indexOf(constant) >= 0) {
        descriptions[key] = dictionary.strings().get(names.text(pool, constant));
        asyncProfiler |= "Kernel".equals(descriptions[key]);
      }
    }
    Arrays.fill(isNative, false);
    Arrays.fill(attributes, jvm);
    for (int key = 0; key < KEYS; key++) {
      if (asyncProfiler) {
        define(key, String.valueOf(descriptions[key]));
      }
      if (withCompilation && !isNative[key] && descriptions[key] != null) {
        attributes[key] = withCompilation(descriptions[key]);
      }
    }
  }

  private void define(int key, String description) {
    boolean kernel = description.equals("Kernel");
    // Datadog's profiler has one more kind of native frames: without a symbol.
    isNative[key] = kernel || description.startsWith("Native") || description.equals("C++");
    if (isNative[key]) {
      attributes[key] = dictionary.frameType(kernel ? "kernel" : "native");
      if (withCompilation && description.equals("C++")) {
        attributes[key] = with(attributes[key], "C++");
      }
    }
  }

  private int withCompilation(String description) {
    String how = compilation(description);
    return how.isEmpty() ? jvm : with(jvm, how);
  }

  private int with(int set, String how) {
    int attribute = dictionary.attributes().intern(Dictionary.COMPILATION, how);
    return dictionary.attributeSets().with(set, attribute);
  }

  /** How a frame of Java code ran, from the name of its type; empty for what is not known. */
  private static String compilation(String description) {
    switch (description) {
      case "Interpreted":
        return "interpreted";
      case "JIT compiled":
        return "compiled";
      case "C1 compiled":
        return "compiled by C1";
      case "Inlined":
        return "inlined";
      case "Native":
        return "native method";
      default:
        return "";
    }
  }

  /** Whether async-profiler wrote the chunk. */
  public boolean isAsyncProfiler() {
    return asyncProfiler;
  }

  /** Whether frames of a type are machine code of a library or of the kernel. */
  public boolean isNative(long key) {
    return key >= 0 && key < KEYS && isNative[(int) key];
  }

  /** The attribute set of frames of a type. */
  public int attributes(long key) {
    return key >= 0 && key < KEYS ? attributes[(int) key] : jvm;
  }

  /** The attribute set of frames of a type in a library, an index in the string table or 0. */
  public int attributes(long key, int library) {
    int set = attributes(key);
    if (library == 0) {
      return set;
    }
    long pair = key << 32 | library;
    int known = pairs.size();
    int index = pairs.intern(pair);
    if (index == known) {
      int name = dictionary.strings().intern(AttributeKeys.LIBRARY);
      int attribute = dictionary.attributes().internString(name, library);
      sets = index < sets.length ? sets : Arrays.copyOf(sets, index * 2);
      sets[index] = dictionary.attributeSets().with(set, attribute);
    }
    return sets[index];
  }

  /** An attribute set with the bytecode index of a frame. */
  public int withBytecodeIndex(int set, int index) {
    int attribute = dictionary.attributes().intern(AttributeKeys.BYTECODE_INDEX, index, "");
    return dictionary.attributeSets().with(set, attribute);
  }
}
