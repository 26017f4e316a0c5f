package org.buftrail.jfr;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/**
 * What the classes and methods of one chunk are called, as indices in the dictionary. Names are put
 * together as bytes, once for each method that a used stack names.
 */
final class Names {
  private static final byte[] REMOTE = "<remote>".getBytes(StandardCharsets.US_ASCII);

  /** Eight times {@code /}. */
  private static final long SLASHES = 0x2f2f2f2f2f2f2f2fL;

  private static final byte[] UNKNOWN = {'[', 'u', 'n', 'k', 'n', 'o', 'w', 'n', ']'};

  private final Dictionary dictionary;
  private final Constants constants;
  private final ChunkTexts texts;
  private final @Nullable NameRules rules;
  private int[] functions = new int[256];
  private int[] nativeFunctions = new int[256];
  private int[] libraries = new int[256];
  // By symbol: the string that a descriptor has become, of which there are few.
  private int[] descriptors = new int[256];
  private byte[] name = new byte[512];
  private int length;
  private boolean missing;

  /**
   * @param rules how to change names, or null to leave them
   */
  Names(Dictionary dictionary, Constants constants, ChunkTexts texts, @Nullable NameRules rules) {
    this.texts = texts;
    this.dictionary = dictionary;
    this.constants = constants;
    this.rules = rules;
  }

  /** Forgets the chunk before; call when the constants of the next have been read. */
  void begin() {
    int methods = constants.methods.size();
    if (functions.length <= methods) {
      functions = new int[methods * 2];
      nativeFunctions = new int[methods * 2];
      libraries = new int[methods * 2];
    } else {
      Arrays.fill(functions, 0, methods + 1, 0);
      Arrays.fill(nativeFunctions, 0, methods + 1, 0);
    }
    int symbols = constants.symbols.size();
    if (descriptors.length < symbols) {
      descriptors = new int[symbols * 2];
    } else {
      Arrays.fill(descriptors, 0, symbols, 0);
    }
    missing = false;
  }

  /**
   * Whether a name was asked for whose constant the chunk does not hold. How often is not counted:
   * that depends on which of two threads met a frame first.
   */
  boolean isAnyMissing() {
    return missing;
  }

  /**
   * The function of a Java method: {@code package.Class.method}, its descriptor beside it.
   *
   * @param method its index among the methods, or {@link LongIntMap#NONE}
   */
  int function(int method) {
    if (method < 0) {
      return unknown();
    }
    int function = functions[method];
    return function != 0 ? function : define(method);
  }

  /** The function of a native frame: its symbol alone, since its class is a library. */
  int nativeFunction(int method) {
    if (method < 0) {
      return unknown();
    }
    if (nativeFunctions[method] == 0) {
      libraries[method] = className(constants.methods.get(method, Constants.METHOD_TYPE));
      length = 0;
      appendSymbol(constants.methods.get(method, Constants.METHOD_NAME), false);
      if (length == 0) {
        appendClass(constants.methods.get(method, Constants.METHOD_TYPE));
      }
      nativeFunctions[method] = dictionary.functions().intern(nameIndex(), 0, 0, 0);
    }
    return nativeFunctions[method];
  }

  /**
   * The library of a native frame as an index in the string table, 0 if it has none. Known once
   * {@link #nativeFunction} has been asked.
   */
  int library(int method) {
    return method < 0 ? 0 : libraries[method];
  }

  /**
   * The address in its library of a native frame that has no symbol, -1 of others. Datadog's
   * profiler writes such frames as a method of the library's build id, the address for descriptor.
   */
  long address(int method) {
    if (method < 0) {
      return -1;
    }
    length = 0;
    appendSymbol(constants.methods.get(method, Constants.METHOD_NAME), false);
    if (length != REMOTE.length || !Arrays.equals(name, 0, length, REMOTE, 0, length)) {
      return -1;
    }
    length = 0;
    appendSymbol(constants.methods.get(method, Constants.METHOD_DESCRIPTOR), false);
    return hexadecimal(new String(name, 0, length, StandardCharsets.US_ASCII));
  }

  private static long hexadecimal(String text) {
    try {
      return text.startsWith("0x") ? Long.parseLong(text, 2, text.length(), 16) : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** The name of a class as an index in the string table, with dots; 0 if it is not there. */
  int className(long classKey) {
    length = 0;
    appendClass(classKey);
    return dictionary.strings().intern(name, 0, length);
  }

  /** The name of the class of an object that the JVM watched; 0 if it is not there. */
  int oldObjectClass(long objectKey) {
    int object = constants.oldObjects.indexOf(objectKey);
    return object < 0 ? 0 : className(constants.oldObjects.get(object, 0));
  }

  /** The name of a method as an index in the string table. */
  int methodName(long methodKey) {
    return dictionary.functions().name(function(constants.methods.indexOf(methodKey)));
  }

  /** A text of a pool as an index in the string table. */
  int text(TextPool pool, long key) {
    if (key == 0 && pool.indexOf(key) < 0) {
      return 0;
    }
    length = 0;
    appendText(pool, key, false);
    return dictionary.strings().intern(name, 0, length);
  }

  /** A string that {@link ChunkTexts} numbered, as an index in the string table. */
  int text(long number) {
    if (ChunkTexts.isConstant(number)) {
      return text(constants.strings, ChunkTexts.constant(number));
    }
    length = 0;
    makeRoom(texts.length(number));
    texts.copy(number, name);
    return dictionary.strings().intern(name, 0, texts.length(number));
  }

  private int unknown() {
    missing = true;
    return dictionary
        .functions()
        .intern(dictionary.strings().intern(UNKNOWN, 0, UNKNOWN.length), 0, 0, 0);
  }

  private int define(int method) {
    length = 0;
    appendClass(constants.methods.get(method, Constants.METHOD_TYPE));
    int classLength = length;
    appendByte('.');
    appendSymbol(constants.methods.get(method, Constants.METHOD_NAME), false);
    if (length == classLength + 1) {
      // A pseudo frame that stands for a class.
      length = classLength;
    } else if (classLength == 0) {
      System.arraycopy(name, 1, name, 0, --length);
    }
    if (rules != null) {
      length = rules.apply(name, length);
    }
    int nameIndex = nameIndex();
    int descriptor = descriptor(constants.methods.get(method, Constants.METHOD_DESCRIPTOR));
    functions[method] = dictionary.functions().intern(nameIndex, descriptor, 0, 0);
    return functions[method];
  }

  private int descriptor(long key) {
    int symbol = constants.symbols.indexOf(key);
    int known = symbol < 0 ? 0 : descriptors[symbol];
    if (known != 0) {
      return known;
    }
    length = 0;
    appendSymbol(key, false);
    int descriptor = dictionary.strings().intern(name, 0, length);
    if (symbol >= 0) {
      descriptors[symbol] = descriptor;
    }
    return descriptor;
  }

  private int nameIndex() {
    return length == 0
        ? dictionary.strings().intern(UNKNOWN, 0, UNKNOWN.length)
        : dictionary.strings().intern(name, 0, length);
  }

  private void appendClass(long classKey) {
    int index = constants.classes.indexOf(classKey);
    if (index >= 0) {
      appendSymbol(constants.classes.get(index, 0), true);
    } else if (classKey != 0) {
      missing = true;
    }
  }

  private void appendSymbol(long key, boolean dots) {
    appendText(constants.symbols, key, dots);
  }

  private void appendText(TextPool pool, long key, boolean dots) {
    TextPool holder = pool;
    int index = holder.indexOf(key);
    if (index >= 0 && holder.isAlias(index)) {
      long target = holder.alias(index);
      holder = constants.strings;
      index = holder.indexOf(target);
    }
    if (index < 0 || holder.isAlias(index)) {
      missing |= key != 0;
      return;
    }
    int count = holder.length(index);
    makeRoom(count + Long.BYTES);
    copy(holder.bytes(), holder.start(index), count, dots);
    length += count;
  }

  /** Copies a text, which mostly is short, by words: there is room behind it here and there. */
  private void copy(byte[] from, int start, int count, boolean dots) {
    byte[] target = name;
    int at = length;
    for (int i = 0; i < count; i += Long.BYTES) {
      long word = (long) Window.LITTLE_LONG.get(from, start + i);
      Window.LITTLE_LONG.set(target, at + i, dots ? dotted(word) : word);
    }
  }

  /** Eight bytes with {@code .} in place of {@code /}, which differs from it in the lowest bit. */
  private static long dotted(long word) {
    long other = word ^ SLASHES;
    long notZero = ((other & ~Window.LAST_BYTES) + ~Window.LAST_BYTES) | other;
    return word ^ ((~notZero & Window.LAST_BYTES) >>> 7);
  }

  private void appendByte(char c) {
    makeRoom(1);
    name[length++] = (byte) c;
  }

  private void makeRoom(int count) {
    if (count > name.length - length) {
      name = Arrays.copyOf(name, Math.max(Math.addExact(length, count), name.length * 2));
    }
  }
}
