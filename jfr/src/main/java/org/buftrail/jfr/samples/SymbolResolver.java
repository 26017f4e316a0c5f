package org.buftrail.jfr.samples;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.buftrail.jfr.chunk.ChunkResult;
import org.buftrail.jfr.constants.ChunkTexts;
import org.buftrail.jfr.constants.Constants;
import org.buftrail.jfr.constants.StringPool;
import org.buftrail.jfr.file.Cursor;
import org.buftrail.jfr.table.LongIntMap;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.hash.Words;
import org.jspecify.annotations.Nullable;

/**
 * What the classes and methods of one chunk are called, as indices in the dictionary. A name is
 * joined from those of its class and its method once for each method.
 */
public final class SymbolResolver {
  private static final byte[] REMOTE = "<remote>".getBytes(StandardCharsets.US_ASCII);

  /** Eight times {@code /}. */
  private static final long SLASHES = 0x2f2f2f2f2f2f2f2fL;

  private static final byte[] UNKNOWN = {'[', 'u', 'n', 'k', 'n', 'o', 'w', 'n', ']'};

  private final Dictionary dictionary;
  private final @Nullable NameRules rules;
  private Constants constants = new Constants();
  private ChunkTexts texts = new ChunkTexts();
  private int[] functions = new int[256];
  private int[] nativeFunctions = new int[256];
  private int[] libraries = new int[256];
  // What descriptors, and class names with dots, have become in the table of strings.
  private int[] descriptors = new int[256];
  private int[] classes = new int[256];
  // What methods have become, by their keys, from the second chunk of a process on: it has the
  // same keys in all of them. A writer may number anew in each chunk, so names are compared.
  private final LongIntMap known = new LongIntMap();
  private int[] knownFunctions = new int[256];
  private int chunks;
  private byte[] name = new byte[512];
  private int length;
  private boolean missing;
  // The class of the method that was named last; its name is 0 if it is not to be used again.
  private long lastClassKey;
  private int lastClass;

  /**
   * @param rules how to change names, or null to leave them
   */
  public SymbolResolver(Dictionary dictionary, @Nullable NameRules rules) {
    this.dictionary = dictionary;
    this.rules = rules;
  }

  /** Forgets the methods of earlier chunks: of a process that ended, or of another dictionary. */
  public void clear() {
    known.clear();
    Arrays.fill(knownFunctions, 0);
    chunks = 0;
  }

  /** Begins with the next chunk. */
  public void begin(ChunkResult chunk) {
    chunks++;
    constants = chunk.constants;
    texts = chunk.texts;
    int methods = constants.methods.size();
    if (functions.length <= methods) {
      functions = new int[methods * 2];
      nativeFunctions = new int[methods * 2];
      libraries = new int[methods * 2];
    } else {
      Arrays.fill(functions, 0, methods + 1, 0);
      Arrays.fill(nativeFunctions, 0, methods + 1, 0);
    }
    descriptors = cleared(descriptors, constants.descriptors().size());
    classes = cleared(classes, constants.classes.size());
    missing = false;
    lastClass = 0;
  }

  private static int[] cleared(int[] indices, int count) {
    if (indices.length < count) {
      return new int[count * 2];
    }
    Arrays.fill(indices, 0, count, 0);
    return indices;
  }

  /** Whether a name was asked for whose constant the chunk does not hold. */
  public boolean isAnyMissing() {
    return missing;
  }

  /**
   * The function of a Java method: {@code package.Class.method}, its descriptor beside it.
   *
   * @param method its index among the methods, or {@link LongIntMap#NONE}
   */
  public int function(int method) {
    if (method < 0) {
      return unknown();
    }
    int function = functions[method];
    return function != 0 ? function : define(method);
  }

  /** The function of a native frame: its symbol alone, since its class is a library. */
  public int nativeFunction(int method) {
    if (method < 0) {
      return unknown();
    }
    if (nativeFunctions[method] == 0) {
      libraries[method] = className(constants.methods.get(method, Constants.METHOD_TYPE));
      int symbol = text(constants.methodNames(), method, Constants.METHOD_NAME);
      int name = symbol != 0 ? symbol : libraries[method];
      nativeFunctions[method] = dictionary.functions().intern(orUnknown(name), 0, 0, 0);
    }
    return nativeFunctions[method];
  }

  /**
   * The library of a native frame as an index in the string table, 0 if it has none. Known once
   * {@link #nativeFunction} has been asked.
   */
  public int library(int method) {
    return method < 0 ? 0 : libraries[method];
  }

  /**
   * The address in its library of a native frame that has no symbol, -1 of others. Datadog's
   * profiler writes such frames as a method of the library's build id, the address for descriptor.
   */
  public long address(int method) {
    if (method < 0) {
      return -1;
    }
    length = 0;
    appendText(
        constants.methodNames(), constants.methods.get(method, Constants.METHOD_NAME), false);
    if (length != REMOTE.length || !Arrays.equals(name, 0, length, REMOTE, 0, length)) {
      return -1;
    }
    length = 0;
    long descriptor = constants.methods.get(method, Constants.METHOD_DESCRIPTOR);
    appendText(constants.descriptors(), descriptor, false);
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
  public int className(long classKey) {
    int index = constants.classes.indexOf(classKey);
    if (index < 0) {
      missing |= classKey != 0;
      return 0;
    }
    if (classes[index] == 0) {
      length = 0;
      appendText(constants.classNames(), constants.classes.get(index, 0), true);
      classes[index] = dictionary.strings().intern(name, 0, length);
    }
    return classes[index];
  }

  /** A descriptor as an index in the string table; 0 if it is empty or not there. */
  private int descriptor(long key) {
    int index = constants.descriptors().indexOf(key);
    if (index < 0) {
      missing |= key != 0;
      return 0;
    }
    if (descriptors[index] == 0) {
      length = 0;
      appendText(constants.descriptors(), key, false);
      descriptors[index] = dictionary.strings().intern(name, 0, length);
    }
    return descriptors[index];
  }

  private int text(StringPool pool, int method, int column) {
    length = 0;
    appendText(pool, constants.methods.get(method, column), false);
    return dictionary.strings().intern(name, 0, length);
  }

  /** The name of the class of an object that the JVM watched; 0 if it is not there. */
  public int oldObjectClass(long objectKey) {
    int object = constants.oldObjects.indexOf(objectKey);
    return object < 0 ? 0 : className(constants.oldObjects.get(object, 0));
  }

  /** The name of a method as an index in the string table. */
  public int methodName(long methodKey) {
    return dictionary.functions().name(function(constants.methods.indexOf(methodKey)));
  }

  /** A text of a pool as an index in the string table. */
  public int text(StringPool pool, long key) {
    if (key == 0 && pool.indexOf(key) < 0) {
      return 0;
    }
    length = 0;
    appendText(pool, key, false);
    return dictionary.strings().intern(name, 0, length);
  }

  /** A string that {@link ChunkTexts} numbered, as an index in the string table. */
  public int text(long number) {
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
    return dictionary.functions().intern(orUnknown(0), 0, 0, 0);
  }

  private int orUnknown(int name) {
    return name != 0 ? name : dictionary.strings().intern(UNKNOWN, 0, UNKNOWN.length);
  }

  private int define(int method) {
    long key = constants.methods.get(method, Constants.METHOD_TYPE);
    int type = lastClass != 0 && key == lastClassKey ? lastClass : className(key);
    lastClassKey = key;
    lastClass = type;
    functions[method] = rules == null && chunks > 1 ? known(method, type) : resolved(method, type);
    return functions[method];
  }

  /** What a method of the same names has become in an earlier chunk, if there is one. */
  private int known(int method, int type) {
    int place = known.intern(constants.methods.key(method));
    if (place == knownFunctions.length) {
      knownFunctions = Arrays.copyOf(knownFunctions, place * 2);
    }
    if (knownFunctions[place] == 0 || !is(knownFunctions[place], method, type)) {
      knownFunctions[place] = resolved(method, type);
    }
    return knownFunctions[place];
  }

  /** Whether a function is a method. */
  private boolean is(int function, int method, int type) {
    StringPool pool = constants.methodNames();
    int symbol = pool.indexOf(constants.methods.get(method, Constants.METHOD_NAME));
    int name = dictionary.functions().name(function);
    return type != 0
        && symbol >= 0
        && pool.length(symbol) > 0
        && dictionary
            .strings()
            .isJoin(name, type, pool.bytes(), pool.start(symbol), pool.length(symbol))
        && dictionary.functions().systemName(function)
            == descriptor(constants.methods.get(method, Constants.METHOD_DESCRIPTOR));
  }

  private int resolved(int method, int type) {
    int name = joined(type, constants.methods.get(method, Constants.METHOD_NAME));
    int descriptor = descriptor(constants.methods.get(method, Constants.METHOD_DESCRIPTOR));
    return dictionary.functions().intern(orUnknown(changed(name)), descriptor, 0, 0);
  }

  /** A class's name, a dot and a symbol; the one alone if there is not the other. */
  private int joined(int type, long key) {
    StringPool pool = constants.methodNames();
    int symbol = pool.indexOf(key);
    if (type != 0 && symbol >= 0 && pool.length(symbol) > 0) {
      return dictionary.strings().join(type, pool.bytes(), pool.start(symbol), pool.length(symbol));
    }
    length = 0;
    appendText(pool, key, false);
    if (length == 0) {
      // A pseudo frame that stands for a class.
      return type;
    }
    return type == 0
        ? dictionary.strings().intern(name, 0, length)
        : dictionary.strings().join(type, name, 0, length);
  }

  /** A name as the rules, if there are any, change it. */
  private int changed(int index) {
    if (rules == null || index == 0) {
      return index;
    }
    int whole = dictionary.strings().byteLength(index);
    length = 0;
    makeRoom(whole);
    dictionary.strings().copyBefore(index, name, whole);
    length = rules.apply(name, whole);
    return dictionary.strings().intern(name, 0, length);
  }

  private void appendText(StringPool pool, long key, boolean dots) {
    int index = pool.indexOf(key);
    if (index < 0 || pool.isMissing(index)) {
      missing |= key != 0;
      return;
    }
    StringPool holder = pool.holder(index);
    int target = pool.target(index);
    int count = holder.length(target);
    makeRoom(count + Long.BYTES);
    copy(holder.bytes(), holder.start(target), count, dots);
    length += count;
  }

  /** Copies a text, which mostly is short, by words: there is room behind it here and there. */
  private void copy(byte[] from, int start, int count, boolean dots) {
    byte[] target = name;
    int at = length;
    for (int i = 0; i < count; i += Long.BYTES) {
      long word = Words.get(from, start + i);
      Words.put(target, at + i, dots ? dotted(word) : word);
    }
  }

  /** Eight bytes with {@code .} in place of {@code /}, which differs from it in the lowest bit. */
  private static long dotted(long word) {
    long other = word ^ SLASHES;
    long notZero = ((other & ~Cursor.LAST_BYTES) + ~Cursor.LAST_BYTES) | other;
    return word ^ ((~notZero & Cursor.LAST_BYTES) >>> 7);
  }

  private void makeRoom(int count) {
    if (count > name.length - length) {
      name = Arrays.copyOf(name, Math.max(Math.addExact(length, count), name.length * 2));
    }
  }
}
