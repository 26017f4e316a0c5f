package org.buftrail.agent.weave.classfile;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The head of a class file: its constant pool, and what the class extends and implements.
 *
 * <p>Thousands of classes are looked at while an application starts, and most have nothing to do
 * with a buffer. So nothing of their members is read before somebody asks for it, and only what is
 * asked for becomes a string.
 */
public final class ClassHead {
  /** Tags of the constant pool. */
  private static final int UTF8 = 1;

  private static final int CLASS = 7;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int METHOD = 10;
  private static final int INTERFACE_METHOD = 11;

  /**
   * Bytes of a constant by its tag, which is one of them; 0 for none. A string's own come on top.
   */
  private static final byte[] SIZES = {
    0, 3, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3
  };

  private static final byte[] FOR_OBJECT =
      ")Ljava/lang/Object;".getBytes(StandardCharsets.US_ASCII);

  private static final int POOL = 8;

  /** Bytes of a member without its attributes, and of the head of an attribute. */
  private static final int MEMBER = 6;

  private static final int ATTRIBUTE = 6;

  private final byte[] bytes;

  /** Where the tag of each constant is, 0 where there is none. */
  private final int[] constants;

  /** The offset at which access, name, superclass and interfaces follow. */
  private final int behindPool;

  /**
   * @throws IllegalArgumentException when it has a constant of an unknown kind
   */
  public ClassHead(byte[] classFile) {
    bytes = classFile;
    constants = new int[unsignedShort(POOL)];
    int at = POOL + 2;
    int tag;
    for (int i = 1; i < constants.length; i += tag == LONG || tag == DOUBLE ? 2 : 1) {
      constants[i] = at;
      tag = bytes[at];
      int size = tag < 0 || tag >= SIZES.length ? 0 : SIZES[tag];
      if (size == 0) {
        throw new IllegalArgumentException("a constant of an unknown kind, " + tag);
      }
      at += tag == UTF8 ? size + unsignedShort(at + 1) : size;
    }
    behindPool = at;
  }

  /** A field, method or constructor that a class declares. */
  public static final class Declared {
    public final int access;
    public final String name;
    public final String descriptor;

    public Declared(int access, String name, String descriptor) {
      this.access = access;
      this.name = name;
      this.descriptor = descriptor;
    }

    public boolean isAny(int flags) {
      return (access & flags) != 0;
    }
  }

  /** The fields that the class declares, in their order. Reads nothing behind them. */
  public List<Declared> fields() {
    return members(fieldsAt());
  }

  /** The methods and constructors that the class declares, in their order. */
  public List<Declared> methods() {
    int fields = fieldsAt();
    int at = fields + 2;
    for (int i = unsignedShort(fields); i > 0; i--) {
      at = behindMember(at);
    }
    return members(at);
  }

  private int fieldsAt() {
    return behindPool + 8 + 2 * unsignedShort(behindPool + 6);
  }

  private List<Declared> members(int table) {
    List<Declared> members = new ArrayList<>();
    int count = unsignedShort(table);
    int at = table + 2;
    for (int i = 0; i < count; i++) {
      String name = text(constants[unsignedShort(at + 2)]);
      String descriptor = text(constants[unsignedShort(at + 4)]);
      members.add(new Declared(unsignedShort(at), name, descriptor));
      at = behindMember(at);
    }
    return members;
  }

  private int behindMember(int member) {
    int at = member + MEMBER + 2;
    for (int i = unsignedShort(member + MEMBER); i > 0; i--) {
      at += ATTRIBUTE + (unsignedShort(at + 2) << 16 | unsignedShort(at + 4));
    }
    return at;
  }

  /** Whether the class has any of these access flags. */
  public boolean isAny(int flags) {
    return (unsignedShort(behindPool) & flags) != 0;
  }

  /** The class's own name. */
  public String name() {
    return String.valueOf(nameAt(behindPool + 2));
  }

  /** Null for {@code Object} and for modules. */
  public @Nullable String superclass() {
    return nameAt(behindPool + 4);
  }

  /** The interfaces named in the class itself. */
  public String[] interfaces() {
    String[] names = new String[unsignedShort(behindPool + 6)];
    for (int i = 0; i < names.length; i++) {
      names[i] = String.valueOf(nameAt(behindPool + 8 + 2 * i));
    }
    return names;
  }

  /**
   * Which constants may be descriptors of methods, declared or called, with a type that passes a
   * test; null when none is.
   *
   * @param test null for all descriptors
   */
  public boolean @Nullable [] descriptors(@Nullable TypeTest test) {
    boolean[] chosen = null;
    for (int i = 1; i < constants.length; i++) {
      int constant = constants[i];
      if (bytes[constant] == UTF8
          && unsignedShort(constant + 1) > 0
          && bytes[constant + 3] == '('
          && (test == null || anyType(constant, test))) {
        chosen = chosen == null ? new boolean[constants.length] : chosen;
        chosen[i] = true;
      }
    }
    return chosen;
  }

  /** Constants that are strings. */
  public Set<String> texts(boolean[] chosen) {
    Set<String> texts = new HashSet<>();
    for (int i = 1; i < constants.length; i++) {
      if (chosen[i]) {
        texts.add(text(constants[i]));
      }
    }
    return texts;
  }

  private boolean anyType(int descriptor, TypeTest test) {
    int end = descriptor + 3 + unsignedShort(descriptor + 1);
    int at = descriptor + 3;
    while (at < end) {
      if (bytes[at++] == 'L') {
        int from = at;
        int hash = 0;
        while (at < end && bytes[at] != ';') {
          hash = 31 * hash + bytes[at++];
        }
        // Else it was no descriptor after all.
        if (at < end && test.passes(bytes, from, at, hash, descriptor)) {
          return true;
        }
      }
    }
    return false;
  }

  public interface TypeTest {
    /**
     * @param from where its internal name begins
     * @param to where it ends
     * @param hash as {@link org.buftrail.agent.weave.hops.KnownNames} takes it
     * @param descriptor the constant that names it, for {@link #text}
     */
    boolean passes(byte[] file, int from, int to, int hash, int descriptor);
  }

  /**
   * Whether one of the methods and constructors that are called passes a test.
   *
   * @param descriptors others are passed over
   */
  public boolean anyCall(boolean[] descriptors, CallTest test) {
    for (int constant : constants) {
      int tag = bytes[constant];
      if (constant > 0 && (tag == METHOD || tag == INTERFACE_METHOD)) {
        int called = constants[unsignedShort(constant + 3)];
        int descriptor = unsignedShort(called + 3);
        if (descriptors[descriptor]
            && test.passes(
                String.valueOf(nameAt(constant + 1)),
                text(constants[unsignedShort(called + 1)]),
                text(constants[descriptor]))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether one of the methods that are called returns any object and has a name that passes. */
  public boolean anyCallForObject(Predicate<String> test) {
    for (int constant : constants) {
      int tag = bytes[constant];
      if (constant > 0 && (tag == METHOD || tag == INTERFACE_METHOD)) {
        int called = constants[unsignedShort(constant + 3)];
        if (endsWith(constants[unsignedShort(called + 3)], FOR_OBJECT)
            && test.test(text(constants[unsignedShort(called + 1)]))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean endsWith(int string, byte[] end) {
    int length = unsignedShort(string + 1);
    int to = string + 3 + length;
    return length >= end.length && Arrays.equals(bytes, to - end.length, to, end, 0, end.length);
  }

  /** Whether one of the classes that are named, other than in descriptors, passes a test. */
  public boolean anyClass(Predicate<String> test) {
    for (int constant : constants) {
      if (constant > 0 && bytes[constant] == CLASS) {
        String name = text(constants[unsignedShort(constant + 1)]);
        if (!name.startsWith("[") && test.test(name)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether one of the methods that are called has the name of a {@link CountCall} and passes a
   * test.
   */
  public boolean anyCountCall(CallTest test) {
    for (int constant : constants) {
      int tag = bytes[constant];
      if (constant > 0 && (tag == METHOD || tag == INTERFACE_METHOD)) {
        int called = constants[unsignedShort(constant + 3)];
        int name = constants[unsignedShort(called + 1)];
        if (mayBeCountCall(name)
            && CountCall.isName(text(name))
            && test.passes(
                String.valueOf(nameAt(constant + 1)),
                text(name),
                text(constants[unsignedShort(called + 3)]))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean mayBeCountCall(int name) {
    int length = unsignedShort(name + 1);
    return length > 5 && length < 18 && (bytes[name + 3] == 'r' || bytes[name + 3] == 's');
  }

  /** Whether a method that is declared may have a parameter whose type is a type variable. */
  public boolean mayHaveTypeVariables() {
    for (int i = 1; i < constants.length; i++) {
      int constant = constants[i];
      if (bytes[constant] == UTF8
          && unsignedShort(constant + 1) > 3
          && (bytes[constant + 3] == '(' || bytes[constant + 3] == '<')
          && TypeVariables.mayBeSignature(text(constant))) {
        return true;
      }
    }
    return false;
  }

  public interface CallTest {
    /** Given internal names and a descriptor. */
    boolean passes(String owner, String method, String descriptor);
  }

  /** The name of the class whose constant is named at a place, null where there is none. */
  private @Nullable String nameAt(int at) {
    int constant = constants[unsignedShort(at)];
    return constant == 0 ? null : text(constants[unsignedShort(constant + 1)]);
  }

  public String text(int constant) {
    int from = constant + 3;
    return text(bytes, from, from + unsignedShort(constant + 1));
  }

  /** Part of a string in a class file. */
  public static String text(byte[] file, int from, int to) {
    for (int i = from; i < to; i++) {
      if (file[i] < 0) {
        return modified(file, from, to);
      }
    }
    return new String(file, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /** Java's own form of UTF-8, which is read behind its length in two bytes. */
  private static String modified(byte[] file, int from, int to) {
    byte[] text = new byte[2 + to - from];
    text[0] = (byte) ((to - from) >> 8);
    text[1] = (byte) (to - from);
    System.arraycopy(file, from, text, 2, to - from);
    try {
      return new DataInputStream(new ByteArrayInputStream(text)).readUTF();
    } catch (IOException e) {
      throw new IllegalArgumentException("a string that is none", e);
    }
  }

  private int unsignedShort(int at) {
    return (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
  }
}
