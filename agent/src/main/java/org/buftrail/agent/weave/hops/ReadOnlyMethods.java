package org.buftrail.agent.weave.hops;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.buftrail.agent.weave.classfile.Supertypes;
import org.buftrail.agent.weave.classfile.TypeVariables;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The methods of one class that only read the buffers they get: they neither release nor retain,
 * return, store or pass on any of them, but to methods that only read too. And those that put one
 * into a collection that they were not given.
 *
 * <p>Methods that a library calls are never among them: lambdas and methods that are referred to,
 * methods of handlers, and those that a type of a library declares. Libraries give away what they
 * pass to these, so to read it and no more may be the mistake.
 */
public final class ReadOnlyMethods extends ClassVisitor {
  /** Tag of the constant pool. */
  private static final int METHOD_HANDLE = 15;

  private final String name;
  private final TrackedTypes types;

  /** Methods that read, by name and descriptor, with the methods that must only read for that. */
  private final Map<String, Set<String>> readers = new HashMap<>();

  /** Methods that no subclass can override. */
  private final Set<String> fixed = new HashSet<>();

  /** Methods that override nothing. */
  private final Set<String> first = new HashSet<>();

  private final Set<String> collectors = new HashSet<>();

  private boolean isFinal;

  private ReadOnlyMethods(String name, TrackedTypes types) {
    super(Opcodes.ASM9);
    this.name = name;
    this.types = types;
  }

  /**
   * Returns what the methods of a class do.
   *
   * @param loader of the class
   * @param isOwn tests the internal name of a type for the application's
   */
  public static MethodUses of(
      ClassReader reader,
      @Nullable ClassLoader loader,
      TrackedTypes types,
      Predicate<String> isOwn) {
    String name = reader.getClassName();
    ReadOnlyMethods methods = new ReadOnlyMethods(name, types);
    reader.accept(methods, ClassReader.SKIP_DEBUG | ClassReader.EXPAND_FRAMES);
    if (!methods.readers.isEmpty()) {
      methods.removeReferredTo(reader);
      methods.removeOverriding(loader, isOwn);
      methods.removeDependent();
    }
    return new MethodUses(
        methods.readers.keySet(),
        methods.collectors,
        methods.collectors.isEmpty() ? List.of() : ReleasingMethods.of(reader, types));
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      @Nullable String superclass,
      String @Nullable [] interfaces) {
    isFinal = (access & ACC_FINAL) != 0;
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    Type[] parameters = Type.getArgumentTypes(descriptor);
    if (!HopVisitor.isWritten(access, method)) {
      return null;
    }
    boolean handles = types.takesContext(descriptor);
    boolean mayOnlyRead =
        !handles
            && !HopVisitor.isLambda(method)
            && TypeVariables.of(signature, parameters.length) == null;
    boolean[] buffers = new boolean[parameters.length];
    boolean any = false;
    boolean isGivenCollection = false;
    for (int i = 0; i < parameters.length; i++) {
      // Not all that a handler's method gets is a message.
      buffers[i] = types.carries(parameters[i], false) || (handles && isObject(parameters[i]));
      any |= buffers[i];
      mayOnlyRead &= !types.isResource(parameters[i]);
      isGivenCollection |= isCollection(parameters[i]);
    }
    if (!any) {
      return null;
    }
    boolean isStatic = (access & ACC_STATIC) != 0;
    String key = method + descriptor;
    if (isStatic || method.equals("<init>") || (access & ACC_PRIVATE) != 0) {
      first.add(key);
      fixed.add(key);
    } else if (isFinal || (access & ACC_FINAL) != 0) {
      fixed.add(key);
    }
    return new Code(isStatic, parameters, buffers, key, mayOnlyRead, !isGivenCollection);
  }

  private static boolean isObject(Type type) {
    return type.getDescriptor().equals("Ljava/lang/Object;");
  }

  private static boolean isCollection(Type type) {
    return type.getSort() == Type.OBJECT && CollectingCalls.isCollection(type.getInternalName());
  }

  private final class Code extends ReadOnlyCode {
    private final String key;
    private final boolean mayOnlyRead;
    private final boolean mayCollect;
    private final Set<String> called = new HashSet<>();

    Code(
        boolean isStatic,
        Type[] parameters,
        boolean[] buffers,
        String key,
        boolean mayOnlyRead,
        boolean mayCollect) {
      super(isStatic, parameters, buffers);
      this.key = key;
      this.mayOnlyRead = mayOnlyRead;
      this.mayCollect = mayCollect;
    }

    @Override
    boolean onlyReads(
        int opcode,
        String owner,
        String method,
        String descriptor,
        boolean receiver,
        boolean[] arguments) {
      if (types.onlyReads(opcode, owner, method, descriptor, arguments)) {
        return true;
      }
      if (mayCollect && !receiver && CollectingCalls.collect(owner, method)) {
        collectors.add(key);
      }
      called.add(method + descriptor);
      return owner.equals(name) && !receiver && areBuffers(descriptor, arguments);
    }

    /** Whether the method looks at these arguments itself. */
    private boolean areBuffers(String descriptor, boolean[] arguments) {
      Type[] parameters = Type.getArgumentTypes(descriptor);
      for (int i = 0; i < arguments.length; i++) {
        if (arguments[i] && !types.carries(parameters[i], false)) {
          return false;
        }
      }
      return true;
    }

    @Override
    boolean mayCarry(Type type) {
      return types.carries(type, false) || isObject(type);
    }

    @Override
    void isReader() {
      if (mayOnlyRead) {
        readers.put(key, called);
      }
    }
  }

  /** A method that calls one that does more, or that a subclass may override, does more itself. */
  private void removeDependent() {
    boolean again = true;
    while (again) {
      again =
          readers
              .values()
              .removeIf(
                  called -> !readers.keySet().containsAll(called) || !fixed.containsAll(called));
    }
  }

  private void removeOverriding(@Nullable ClassLoader loader, Predicate<String> isOwn) {
    if (!first.containsAll(readers.keySet())) {
      Set<String> declared = Supertypes.methodsAbove(loader, name, isOwn);
      readers
          .keySet()
          .removeIf(
              key ->
                  !first.contains(key)
                      && (declared == null
                          || declared.contains(key.substring(0, key.indexOf('(')))));
    }
  }

  private void removeReferredTo(ClassReader reader) {
    char[] text = new char[reader.getMaxStringLength()];
    for (int i = 1; i < reader.getItemCount(); i++) {
      int at = reader.getItem(i);
      if (at > 0 && reader.readByte(at - 1) == METHOD_HANDLE) {
        int method = reader.getItem(reader.readUnsignedShort(at + 1));
        if (name.equals(reader.readClass(method, text))) {
          int named = reader.getItem(reader.readUnsignedShort(method + 2));
          readers.remove(reader.readUTF8(named, text) + reader.readUTF8(named + 2, text));
        }
      }
    }
  }
}
