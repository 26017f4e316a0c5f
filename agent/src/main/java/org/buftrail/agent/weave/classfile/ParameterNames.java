package org.buftrail.agent.weave.classfile;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.MalformedParametersException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Keeps the names of parameters that a class was compiled with.
 *
 * <p>JVMs before 21 make up the class file of a loaded class without its {@code MethodParameters}
 * (JDK-8240908), so that each later retransformation of the class takes them from it. Frameworks
 * that call methods by the names of their parameters fail from then on. So the names are asked for
 * before, and put into every class file that comes without. Thread-safe; classes are held weakly.
 */
public final class ParameterNames {
  /** The name of the attribute, which the class file keeps when it loses the attribute. */
  public static final String ATTRIBUTE = "MethodParameters";

  private static final byte[] ATTRIBUTE_BYTES = ATTRIBUTE.getBytes(StandardCharsets.UTF_8);
  private static final int FIRST_JAVA_THAT_KEEPS_THEM = 21;

  private final Map<Class<?>, Map<String, List<Named>>> known =
      Collections.synchronizedMap(new WeakHashMap<>());

  private static final class Named {
    final @Nullable String name;
    final int access;

    Named(Parameter parameter) {
      this(parameter.isNamePresent() ? parameter.getName() : null, parameter.getModifiers());
    }

    Named(@Nullable String name, int access) {
      this.name = name;
      this.access = access;
    }
  }

  /** Whether this JVM may take the names from a class that is retransformed. */
  public static boolean mayBeLost() {
    return Runtime.version().feature() < FIRST_JAVA_THAT_KEEPS_THEM;
  }

  /**
   * Asks a loaded class for its names, before it is retransformed for the first time.
   *
   * @throws LinkageError when types of its parameters cannot be loaded, and its loader has no file
   *     of it
   */
  public void remember(Class<?> c) {
    if (known.containsKey(c)) {
      return;
    }
    known.put(c, names(c));
  }

  private static Map<String, List<Named>> names(Class<?> c) {
    try {
      return declared(c);
    } catch (NoClassDefFoundError e) {
      // A type of one of them is not there, as of a library that the application does without.
      byte[] file = Supertypes.file(c.getClassLoader(), c.getName().replace('.', '/') + ".class");
      if (file == null) {
        throw e;
      }
      return declared(file);
    }
  }

  private static Map<String, List<Named>> declared(Class<?> c) {
    Map<String, List<Named>> names = new HashMap<>();
    for (Method method : c.getDeclaredMethods()) {
      put(names, method.getName() + Type.getMethodDescriptor(method), method);
    }
    for (Constructor<?> constructor : c.getDeclaredConstructors()) {
      put(names, "<init>" + Type.getConstructorDescriptor(constructor), constructor);
    }
    return names;
  }

  private static Map<String, List<Named>> declared(byte[] classFile) {
    Map<String, List<Named>> names = new HashMap<>();
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access,
                  String method,
                  String descriptor,
                  @Nullable String signature,
                  String @Nullable [] exceptions) {
                return new Listed(names, method + descriptor);
              }
            },
            ClassReader.SKIP_CODE);
    return names;
  }

  /** Lists the parameters of a method that has names for them. */
  private static final class Listed extends MethodVisitor {
    private final Map<String, List<Named>> names;
    private final String method;

    Listed(Map<String, List<Named>> names, String method) {
      super(Opcodes.ASM9);
      this.names = names;
      this.method = method;
    }

    @Override
    public void visitParameter(@Nullable String name, int access) {
      names.computeIfAbsent(method, m -> new ArrayList<>()).add(new Named(name, access));
    }
  }

  private static void put(Map<String, List<Named>> names, String method, Executable executable) {
    List<Named> parameters = new ArrayList<>();
    boolean named = false;
    try {
      for (Parameter parameter : executable.getParameters()) {
        parameters.add(new Named(parameter));
        named |= parameter.isNamePresent();
      }
    } catch (MalformedParametersException e) {
      return;
    }
    if (named) {
      names.put(method, parameters);
    }
  }

  /** The class file with the names that it came without, or as it is. */
  public byte[] restore(Class<?> c, byte[] classFile) {
    Map<String, List<Named>> names = known.get(c);
    if (names == null || names.isEmpty() || !isLost(classFile)) {
      return classFile;
    }
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access,
              String method,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            MethodVisitor next =
                super.visitMethod(access, method, descriptor, signature, exceptions);
            List<Named> parameters = names.get(method + descriptor);
            return parameters == null ? next : named(next, parameters);
          }
        },
        0);
    return writer.toByteArray();
  }

  /** A visitor of its own, lest the method is copied as it was. */
  private static MethodVisitor named(MethodVisitor next, List<Named> parameters) {
    for (Named parameter : parameters) {
      next.visitParameter(parameter.name, parameter.access);
    }
    return new MethodVisitor(Opcodes.ASM9, next) {};
  }

  private static boolean isLost(byte[] classFile) {
    return ByteSearch.contains(classFile, ATTRIBUTE_BYTES) && declared(classFile).isEmpty();
  }
}
