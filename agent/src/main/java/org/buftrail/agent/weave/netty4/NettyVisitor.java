package org.buftrail.agent.weave.netty4;

import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_BRIDGE;
import static org.objectweb.asm.Opcodes.ACC_NATIVE;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.SWAP;

import java.util.Arrays;
import java.util.Set;
import org.buftrail.agent.weave.Insns;
import org.buftrail.agent.weave.Names;
import org.buftrail.flow.Flows;
import org.buftrail.flow.Sites;
import org.buftrail.model.Misuse;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Weaves one class of Netty's buffer package, or an allocator of anybody's: where lives begin,
 * where counts rise, and where they reach 0.
 *
 * <p>Nearly every insertion is one static call without a branch or a local variable, so the frames
 * of the class file stay as they are.
 */
final class NettyVisitor extends ClassVisitor {
  private static final String ANY_OBJECT = "Ljava/lang/Object;";

  /** What {@code ByteBufAllocator} asks of those that implement it. */
  private static final Set<String> ALLOCATING =
      Set.of(
          "buffer",
          "ioBuffer",
          "heapBuffer",
          "directBuffer",
          "compositeBuffer",
          "compositeHeapBuffer",
          "compositeDirectBuffer");

  /** The methods by which classes are known that may make buffers; see {@link Netty4}. */
  private static final Set<String> TELLING = Set.of("newDirectBuffer", "compositeDirectBuffer");

  private final String name;
  private final String simpleName;
  private final BufferShape shape;
  private boolean allocator;

  /**
   * @param name internal name of the class visited
   * @param shape how the class changes beside its methods' bodies
   */
  NettyVisitor(ClassVisitor next, String name, BufferShape shape) {
    super(Opcodes.ASM9, next);
    this.name = name;
    this.simpleName = Names.simple(name);
    this.shape = shape;
  }

  /**
   * Whether a loaded class may be changed.
   *
   * @param strings those of its constant pool, names of methods among them
   */
  static boolean mayChange(String name, Set<String> strings) {
    String simpleName = Names.simple(name);
    // Netty's own interface of allocators has their names and none of their code.
    return (TELLING.stream().anyMatch(strings::contains) && !NettyNames.isAllocator(name))
        || (NettyNames.isInBufferPackage(name)
            && (simpleName.equals("AbstractReferenceCountedByteBuf")
                || simpleName.equals("Unpooled")
                || simpleName.equals("ByteBufUtil")
                || Misuses.NOTICING.contains(simpleName)));
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      String superName,
      String[] interfaces) {
    // Others inherit the methods that Netty's own allocators have, where lives begin further in.
    allocator =
        !NettyNames.isInBufferPackage(name)
            && Arrays.stream(interfaces).anyMatch(NettyNames::isAllocator);
    super.visit(version, access, name, signature, superName, interfaces);
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
    if ((access & (ACC_ABSTRACT | ACC_NATIVE | ACC_BRIDGE)) != 0) {
      return next;
    }
    if (shape == BufferShape.COMPOSITE && (access & ACC_STATIC) == 0) {
      return new Joining(next, method.equals("addFlattenedComponents"));
    }
    if (shape == BufferShape.COMPONENT && method.equals("free")) {
      return new FirstArgument(next, "parted");
    }
    if (shape == BufferShape.DERIVED && method.equals("init")) {
      return new Told(next, "derived");
    }
    if (simpleName.equals("AbstractReferenceCountedByteBuf")) {
      return counting(next, method, descriptor);
    }
    if (Misuses.mayThrow(simpleName, method)) {
      return Misuses.beforeThrow(next);
    }
    if (simpleName.equals("Unpooled") && NettyNames.isInBufferPackage(name)) {
      return unpooled(next, access, method, descriptor);
    }
    if (method.equals("threadLocalDirectBuffer") && simpleName.equals("ByteBufUtil")) {
      return new Born(next, "born", site(method));
    }
    if ((access & ACC_STATIC) != 0) {
      return next;
    }
    if (allocator && ALLOCATING.contains(method) && returnsBuffer(descriptor)) {
      boolean compositeDirect = method.equals("compositeDirectBuffer");
      return new Allocated(next, "given", compositeDirect ? Flows.COMPOSITE_DIRECT : Flows.HEAP);
    }
    if (method.equals("capacity") && descriptor.startsWith("(I)") && returnsBuffer(descriptor)) {
      return new Told(next, "resized");
    }
    int kind = allocation(method, descriptor);
    return kind < 0 ? next : new Allocated(next, "allocated", kind);
  }

  private MethodVisitor counting(MethodVisitor next, String method, String descriptor) {
    if (method.equals("handleRelease") && descriptor.equals("(Z)Z")) {
      return new ReleaseVisitor(next, name);
    }
    if (!descriptor.startsWith("()") && !descriptor.startsWith("(I)")) {
      return next;
    }
    switch (method) {
      case "retain":
        return new Told(
            Misuses.aroundBody(next, name, descriptor, Misuse.Kind.RETAIN_AFTER_RELEASE),
            "retained");
      case "release":
        return Misuses.aroundBody(next, name, descriptor, Misuse.Kind.DOUBLE_RELEASE);
      default:
        return next;
    }
  }

  private MethodVisitor unpooled(MethodVisitor next, int access, String method, String descriptor) {
    if (method.equals("unreleasableBuffer")) {
      return new FirstArgument(next, "kept");
    }
    boolean makesBuffers =
        (access & ACC_PUBLIC) != 0 && (access & ACC_SYNTHETIC) == 0 && returnsBuffer(descriptor);
    // Asked for so often that a heap buffer should not be asked first whether it is direct.
    String event = method.equals("buffer") ? "bornInHeap" : "born";
    return makesBuffers ? new Born(next, event, site(method)) : next;
  }

  private int site(String method) {
    return Sites.intern(new Site(Names.binary(name), method, "", 0, ""));
  }

  /** The kind of memory that an allocator's innermost methods give, or -1. */
  private static int allocation(String method, String descriptor) {
    if (!returnsBuffer(descriptor)) {
      return -1;
    }
    switch (method + descriptor.substring(0, descriptor.indexOf(')') + 1)) {
      case "newHeapBuffer(II)":
        return Flows.HEAP;
      case "newDirectBuffer(II)":
        return Flows.DIRECT;
      case "compositeHeapBuffer(I)":
        return Flows.COMPOSITE_HEAP;
      case "compositeDirectBuffer(I)":
        return Flows.COMPOSITE_DIRECT;
      default:
        return -1;
    }
  }

  private static boolean returnsBuffer(String descriptor) {
    Type type = Type.getReturnType(descriptor);
    return type.getSort() == Type.OBJECT && NettyNames.isBuffer(type.getInternalName());
  }

  @Override
  public void visitEnd() {
    shape.addMethods(cv, name);
    super.visitEnd();
  }

  private abstract static class AtReturn extends MethodVisitor {
    AtReturn(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == ARETURN) {
        super.visitInsn(DUP);
        weave();
      }
      super.visitInsn(opcode);
    }

    /** With the returned buffer on the stack, to be taken off it. */
    abstract void weave();
  }

  /** Tells of the buffer that an allocator returns. */
  private static final class Allocated extends AtReturn {
    private final String call;
    private final int kind;

    /**
     * @param call which method of {@link Flows} to tell
     */
    Allocated(MethodVisitor next, String call, int kind) {
      super(next);
      this.call = call;
      this.kind = kind;
    }

    @Override
    void weave() {
      visitVarInsn(ALOAD, 0);
      Insns.push(mv, kind);
      String descriptor = "(" + ANY_OBJECT + ANY_OBJECT + "I)V";
      visitMethodInsn(INVOKESTATIC, Names.FLOWS, call, descriptor, false);
    }
  }

  private static final class Born extends AtReturn {
    private final String event;
    private final int site;

    /**
     * @param event which method of {@link Flows} to tell
     */
    Born(MethodVisitor next, String event, int site) {
      super(next);
      this.event = event;
      this.site = site;
    }

    @Override
    void weave() {
      Insns.push(mv, site);
      visitMethodInsn(INVOKESTATIC, Names.FLOWS, event, "(" + ANY_OBJECT + "I)V", false);
    }
  }

  /** Tells of the buffer returned. */
  private static final class Told extends AtReturn {
    private final String event;

    Told(MethodVisitor next, String event) {
      super(next);
      this.event = event;
    }

    @Override
    void weave() {
      visitMethodInsn(INVOKESTATIC, Names.FLOWS, event, "(" + ANY_OBJECT + ")V", false);
    }
  }

  /** Tells of the first argument, or of {@code this}, on entry. */
  private static final class FirstArgument extends MethodVisitor {
    private final String event;

    FirstArgument(MethodVisitor next, String event) {
      super(Opcodes.ASM9, next);
      this.event = event;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      visitVarInsn(ALOAD, 0);
      visitMethodInsn(INVOKESTATIC, Names.FLOWS, event, "(" + ANY_OBJECT + ")V", false);
    }
  }

  /** Tells of each component that a method of a composite makes. */
  private static final class Joining extends MethodVisitor {
    private final boolean merges;

    Joining(MethodVisitor next, boolean merges) {
      super(Opcodes.ASM9, next);
      this.merges = merges;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String method, String descriptor, boolean isInterface) {
      super.visitMethodInsn(opcode, owner, method, descriptor, isInterface);
      if (method.equals("<init>") && owner.endsWith("CompositeByteBuf$Component")) {
        super.visitInsn(DUP);
        visitVarInsn(ALOAD, 0);
        super.visitInsn(SWAP);
        String joined = "(" + ANY_OBJECT + ANY_OBJECT + ")V";
        super.visitMethodInsn(INVOKESTATIC, Names.FLOWS, "joined", joined, false);
      }
    }

    @Override
    public void visitInsn(int opcode) {
      if (merges && opcode == ARETURN) {
        visitVarInsn(ALOAD, 0);
        super.visitMethodInsn(INVOKESTATIC, Names.FLOWS, "merged", "(" + ANY_OBJECT + ")V", false);
      }
      super.visitInsn(opcode);
    }
  }
}
