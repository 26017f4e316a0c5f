package org.buftrail.agent.weave;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.buftrail.flow.BufferHolder;
import org.buftrail.flow.Trail;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Weaves classes as they load.
 *
 * <p>Thread-safe. A class that cannot be woven is left as it is and named once; nothing is thrown
 * into class loading. Insertions never branch, so no type of the application is looked up to
 * compute frames.
 */
public final class Weaver implements ClassFileTransformer {
  private static final String[] NEVER = {
    "java/",
    "javax/",
    "jdk/",
    "sun/",
    "com/sun/",
    "org/buftrail/flow/",
    "org/buftrail/agent/",
    "org/buftrail/boot/",
    "org/buftrail/cli/",
    "org/buftrail/profile/",
    "org/buftrail/jfr/"
  };

  private static final byte[] ALLOCATOR_METHOD = "newDirectBuffer".getBytes(StandardCharsets.UTF_8);
  private static final byte[] COMPOSITE_METHOD =
      "compositeDirectBuffer".getBytes(StandardCharsets.UTF_8);

  private final ClassPattern include;
  private final ClassPattern exclude;
  private final ClassPattern constructors;
  private final Consumer<String> log;
  private final Ancestry ancestry = new Ancestry();
  private final AtomicBoolean failed = new AtomicBoolean();

  /**
   * @param include classes whose methods and calls are hops
   * @param exclude taken out of {@code include} and {@code constructors}
   * @param constructors classes whose constructors are hops
   * @param log takes a line when a class cannot be woven
   */
  public Weaver(
      ClassPattern include, ClassPattern exclude, ClassPattern constructors, Consumer<String> log) {
    this.include = include;
    this.exclude = exclude;
    this.constructors = constructors;
    this.log = log;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (name == null || isOurs(name)) {
      return null;
    }
    try {
      return weave(loader, name, redefined, classFile);
    } catch (Throwable e) {
      if (failed.compareAndSet(false, true)) {
        log.accept("class " + Names.binary(name) + " is not woven (nor is any like it): " + e);
      }
      return null;
    }
  }

  /**
   * Whether a loaded class is of interest, {@code binaryName} being {@code
   * com.example.Outer$Inner}.
   */
  public boolean wants(String binaryName) {
    String name = binaryName.replace('.', '/');
    return !isOurs(name)
        && (Names.isInBufferPackage(name) || (include.matches(name) && !exclude.matches(name)));
  }

  /** Whether a class named {@code ByteBuf} of some Netty is loaded already. */
  public static boolean isAnyBufferLoaded(Instrumentation instrumentation) {
    for (Class<?> c : instrumentation.getAllLoadedClasses()) {
      if (c.getName().endsWith("netty.buffer.ByteBuf")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOurs(String name) {
    for (String prefix : NEVER) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  private byte @Nullable [] weave(
      @Nullable ClassLoader loader, String name, @Nullable Class<?> redefined, byte[] classFile) {
    boolean netty = Names.isInBufferPackage(name);
    boolean methods = include.matches(name) && !exclude.matches(name);
    boolean inits = constructors.matches(name) && !exclude.matches(name);
    if (netty || isAllocator(classFile)) {
      ClassReader reader = new ClassReader(classFile);
      BufferShape shape = netty ? shape(Names.simple(name), redefined) : BufferShape.NONE;
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(new NettyVisitor(writer, name, shape), 0);
      classFile = writer.toByteArray();
      if (netty || (!methods && !inits)) {
        return classFile;
      }
    }
    if (!methods && !inits) {
      return null;
    }
    return weaveHops(loader, name, classFile, methods, inits);
  }

  private byte @Nullable [] weaveHops(
      @Nullable ClassLoader loader, String name, byte[] classFile, boolean methods, boolean inits) {
    ClassReader reader = new ClassReader(classFile);
    String parent = reader.getSuperName();
    if (parent != null && Names.isBuffer(parent)) {
      // A buffer's own methods take and return buffers all the time; they are not journeys.
      return null;
    }
    FirstLines lines = new FirstLines();
    reader.accept(lines, ClassReader.SKIP_FRAMES);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    HopVisitor.Scope scope = new HopVisitor.Scope(include, methods, inits);
    Carriers carriers = new Carriers(ancestry, loader);
    reader.accept(new HopVisitor(writer, name, carriers, scope, lines.byMethod), 0);
    return writer.toByteArray();
  }

  /** A class that is loaded already keeps the shape that it was loaded with. */
  private static BufferShape shape(String simpleName, @Nullable Class<?> redefined) {
    boolean mayChange =
        redefined == null
            || Trail.class.isAssignableFrom(redefined)
            || BufferHolder.class.isAssignableFrom(redefined);
    return mayChange ? BufferShape.of(simpleName) : BufferShape.NONE;
  }

  private static boolean isAllocator(byte[] classFile) {
    return contains(classFile, ALLOCATOR_METHOD) || contains(classFile, COMPOSITE_METHOD);
  }

  private static boolean contains(byte[] bytes, byte[] wanted) {
    byte first = wanted[0];
    for (int i = 0; i <= bytes.length - wanted.length; i++) {
      if (bytes[i] == first && matchesAt(bytes, i, wanted)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matchesAt(byte[] bytes, int at, byte[] wanted) {
    for (int i = 1; i < wanted.length; i++) {
      if (bytes[at + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  /** The first line of each method that has lines. */
  private static final class FirstLines extends ClassVisitor {
    final Map<String, Integer> byMethod = new HashMap<>();

    FirstLines() {
      super(Opcodes.ASM9);
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String method,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitLineNumber(int line, Label start) {
          byMethod.putIfAbsent(method + descriptor, line);
        }
      };
    }
  }
}
