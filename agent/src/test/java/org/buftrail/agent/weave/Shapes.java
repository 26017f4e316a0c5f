package org.buftrail.agent.weave;

import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_BRIDGE;
import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_INTERFACE;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Makes classes at random, of any class file version, that pass buffers and resources about and
 * tell a {@link Ledger} what weaving must make them tell.
 *
 * <p>What must be told is known from tables here and from where code is put; nothing is asked of
 * the weaver's classes.
 */
final class Shapes {
  static final String PACKAGE = "com/example/shapes/";

  /** When a parameter or result of a type is reported. */
  enum Told {
    NEVER,

    /** In methods of channel handlers. */
    HANDLERS,
    ALWAYS,
    RESOURCE
  }

  /** Types of parameters and results. */
  enum Kind {
    BOOLEAN("Z", Told.NEVER),
    BYTE("B", Told.NEVER),
    SHORT("S", Told.NEVER),
    CHAR("C", Told.NEVER),
    INT("I", Told.NEVER),
    LONG("J", Told.NEVER),
    FLOAT("F", Told.NEVER),
    DOUBLE("D", Told.NEVER),
    INTS("[I", Told.NEVER),
    MATRIX("[[J", Told.NEVER),
    TEXT("Ljava/lang/String;", Told.NEVER),
    LIST("Ljava/util/List;", Told.NEVER),
    BUFFERS("[Lio/netty/buffer/ByteBuf;", Told.NEVER),
    CHANNEL("Lio/netty/channel/Channel;", Told.NEVER),
    CONTEXT("Lio/netty/channel/ChannelHandlerContext;", Told.NEVER),
    OBJECT("Ljava/lang/Object;", Told.HANDLERS),
    COUNTED("Lio/netty/util/ReferenceCounted;", Told.ALWAYS),
    BUFFER("Lio/netty/buffer/ByteBuf;", Told.ALWAYS),
    COMPOSITE("Lio/netty/buffer/CompositeByteBuf;", Told.ALWAYS),
    HOLDER("Lio/netty/buffer/ByteBufHolder;", Told.ALWAYS),
    MESSAGE("Lio/netty/buffer/DefaultByteBufHolder;", Told.ALWAYS),
    REQUEST("Lio/netty/handler/codec/http/FullHttpRequest;", Told.ALWAYS),
    RESOURCE("Ljava/io/StringReader;", Told.RESOURCE);

    private final Told told;
    private final String descriptor;

    Kind(String descriptor, Told told) {
      this.told = told;
      this.descriptor = descriptor;
    }

    Type type() {
      return Type.getType(descriptor);
    }

    /** The call that woven code makes, or null. */
    @Nullable String call(boolean handler) {
      return switch (told) {
        case NEVER -> null;
        case HANDLERS -> handler ? "Buffers.hop" : null;
        case ALWAYS -> "Buffers.hop";
        case RESOURCE -> "Resources.passed";
      };
    }
  }

  /** One method: static or not, and whether its entry and exits must be reported. */
  record Method(
      int access, String name, List<Kind> parameters, @Nullable Kind result, boolean written) {
    boolean isStatic() {
      return (access & ACC_STATIC) != 0;
    }

    boolean isConstructor() {
      return name.equals("<init>");
    }

    boolean isHandler() {
      return parameters.contains(Kind.CONTEXT);
    }

    String descriptor() {
      Type[] types = parameters.stream().map(Kind::type).toArray(Type[]::new);
      return Type.getMethodDescriptor(result == null ? Type.VOID_TYPE : result.type(), types);
    }
  }

  /** A class. */
  static final class Made {
    private final String name;
    private final byte[] classFile;
    private final List<Method> methods;

    private Made(String name, byte[] classFile, List<Method> methods) {
      this.name = name;
      this.classFile = classFile;
      this.methods = methods;
    }

    String name() {
      return name;
    }

    String binaryName() {
      return name.replace('/', '.');
    }

    byte[] classFile() {
      return classFile;
    }

    /** Those that can be called from outside. */
    List<Method> methods() {
      return methods;
    }
  }

  /** Which methods are hops, as the options of the agent say. */
  record Included(boolean methods, boolean constructors) {}

  private final Random random;
  private final int version;
  private final Included included;
  private final List<Method> methods = new ArrayList<>();

  private Shapes(long seed, int version, Included included) {
    random = new Random(seed);
    this.version = version;
    this.included = included;
  }

  /** A class with methods and constructors of all kinds. */
  static Made random(long seed, int version, Included included) {
    Shapes shapes = new Shapes(seed, version, included);
    String name = PACKAGE + "Random" + version + "_" + Long.toUnsignedString(seed);
    return shapes.make(name, shapes.draw());
  }

  /** A class with these methods, whose bodies are drawn. */
  static Made of(String name, int version, Included included, List<Method> methods) {
    Shapes shapes = new Shapes(name.hashCode(), version, included);
    return shapes.make(PACKAGE + name, methods);
  }

  private List<Method> draw() {
    List<Method> drawn = new ArrayList<>();
    drawn.add(new Method(ACC_PUBLIC, "<init>", List.of(), null, true));
    drawn.add(new Method(ACC_PUBLIC, "<init>", kinds(1 + random.nextInt(4)), null, true));
    for (int i = 0; i < 6; i++) {
      drawn.add(method(i));
    }
    return drawn;
  }

  private Method method(int number) {
    @Nullable Kind result = random.nextInt(3) == 0 ? null : kind();
    List<Kind> parameters = kinds(random.nextInt(7));
    int access = ACC_PUBLIC;
    String name = "method" + number;
    boolean written = true;
    switch (random.nextInt(8)) {
      case 0 -> access |= ACC_FINAL;
      case 1 -> access |= ACC_SYNCHRONIZED;
      case 2 -> {
        access |= ACC_BRIDGE | ACC_SYNTHETIC;
        written = false;
      }
      case 3 -> {
        access |= ACC_STATIC | ACC_SYNTHETIC;
        name = "access$" + number;
        written = false;
      }
      case 4 -> {
        access |= ACC_STATIC | ACC_SYNTHETIC;
        name = "lambda$method$" + number;
      }
      default -> access |= random.nextBoolean() ? ACC_STATIC : 0;
    }
    return new Method(access, name, parameters, result, written);
  }

  private List<Kind> kinds(int count) {
    List<Kind> kinds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      kinds.add(kind());
    }
    return kinds;
  }

  /** Buffers as often as all else. */
  private Kind kind() {
    Kind[] all = Kind.values();
    return random.nextInt(3) == 0 ? Kind.BUFFER : all[random.nextInt(all.length)];
  }

  private Made make(String name, List<Method> drawn) {
    // Frames came with version 50.
    int flags = version < Opcodes.V1_6 ? ClassWriter.COMPUTE_MAXS : ClassWriter.COMPUTE_FRAMES;
    ClassWriter writer =
        new ClassWriter(flags) {
          @Override
          protected String getCommonSuperClass(String one, String other) {
            return "java/lang/Object";
          }
        };
    writer.visit(version, ACC_PUBLIC | ACC_SUPER, name, null, "java/lang/Object", null);
    writer.visitSource("Shapes.java", null);
    for (Method method : drawn) {
      MethodVisitor mv =
          writer.visitMethod(method.access, method.name, method.descriptor(), null, null);
      new ShapeBody(mv, name, method, methods, random, included).write();
      methods.add(method);
    }
    writer.visitEnd();
    return new Made(name, writer.toByteArray(), List.copyOf(methods));
  }

  /** An interface with a default, a static, a private and an abstract method. */
  static Made contract(int version, Included included) {
    Shapes shapes = new Shapes(version, version, included);
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
    String name = PACKAGE + "Contract" + version;
    int access = ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT;
    writer.visit(version, access, name, null, "java/lang/Object", null);
    List<Kind> takes = List.of(Kind.LONG, Kind.BUFFER);
    String descriptor = "(JLio/netty/buffer/ByteBuf;)V";
    writer.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "abstracted", descriptor, null, null).visitEnd();
    for (Method method :
        List.of(
            new Method(ACC_PUBLIC, "defaulted", takes, Kind.BUFFER, true),
            new Method(ACC_PUBLIC | ACC_STATIC, "made", takes, Kind.BUFFER, true),
            new Method(ACC_PRIVATE | ACC_STATIC, "hidden", takes, Kind.HOLDER, true))) {
      MethodVisitor mv =
          writer.visitMethod(method.access, method.name, method.descriptor(), null, null);
      new ShapeBody(mv, name, method, List.of(), shapes.random, included).write();
      shapes.methods.add(method);
    }
    writer.visitEnd();
    return new Made(name, writer.toByteArray(), List.copyOf(shapes.methods));
  }

  /** A class that implements it and adds nothing. */
  static Made implementation(Made contract, int version) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    String name = contract.name + "Implementation";
    String[] interfaces = {contract.name};
    writer.visit(version, ACC_PUBLIC, name, null, "java/lang/Object", interfaces);
    MethodVisitor mv = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
    mv.visitCode();
    mv.visitVarInsn(Opcodes.ALOAD, 0);
    mv.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    mv.visitInsn(Opcodes.RETURN);
    mv.visitMaxs(0, 0);
    mv.visitEnd();
    String descriptor = "(JLio/netty/buffer/ByteBuf;)V";
    mv = writer.visitMethod(ACC_PUBLIC, "abstracted", descriptor, null, null);
    mv.visitCode();
    mv.visitInsn(Opcodes.RETURN);
    mv.visitMaxs(0, 0);
    mv.visitEnd();
    writer.visitEnd();
    return new Made(name, writer.toByteArray(), List.of());
  }
}
