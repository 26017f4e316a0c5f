package org.buftrail.agent.weave.netty4;

import org.buftrail.agent.weave.classfile.Names;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Weaves what Netty allocates for itself and never releases: buffers made while one of its classes
 * initialises, and those that hold addresses for system calls as long as an event loop lives.
 *
 * <p>They begin as any buffer does, inside whichever call of the application came first, and are
 * reported as kept as soon as the initialiser has them in hand.
 */
final class KeptVisitor extends ClassVisitor {
  private final boolean constructors;

  KeptVisitor(ClassVisitor next, String name) {
    super(Opcodes.ASM9, next);
    constructors = isOfEventLoop(name);
  }

  private static boolean isOfEventLoop(String name) {
    return Names.simple(name).equals("IovArray");
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
    boolean keeps = method.equals("<clinit>") || (constructors && method.equals("<init>"));
    return keeps ? new Calls(next) : next;
  }

  private static final class Calls extends MethodVisitor {
    Calls(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String callee, String descriptor, boolean isInterface) {
      super.visitMethodInsn(opcode, owner, callee, descriptor, isInterface);
      Type type = Type.getReturnType(descriptor);
      if (type.getSort() == Type.OBJECT && NettyNames.isBuffer(type.getInternalName())) {
        super.visitInsn(Opcodes.DUP);
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            Names.BUFFERS,
            "markedUnreleasable",
            "(Ljava/lang/Object;)V",
            false);
      }
    }
  }
}
