package org.buftrail.agent.weave.arrow;

import org.buftrail.agent.weave.classfile.Insns;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Weaves where the count of a ledger begins, goes up and falls to 0.
 *
 * <p>A ledger is made for an allocation, and for each further allocator that memory is handed to.
 * It begins there, and the method of the allocator that the application called gives it its name.
 */
final class LedgerVisitor extends ClassVisitor {
  private final String name;

  LedgerVisitor(ClassVisitor next, String name) {
    super(Opcodes.ASM9, next);
    this.name = name;
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
    if (name.equals(Arrow.ALLOCATOR)) {
      boolean allocates = method.equals("buffer") && descriptor.endsWith(")L" + Arrow.BUFFER + ";");
      return allocates ? new Allocation(next) : next;
    }
    switch (method + descriptor) {
      case "retain(I)V":
        return new Retain(next);
      case "release(I)Z":
        return new Release(next);
      default:
        return method.equals("<init>") ? new Beginning(next) : next;
    }
  }

  private static int site(String type, String method) {
    return Sites.intern(new Site(Names.binary(type), method, "", 0, ""));
  }

  /** At the end of the constructor. */
  private static final class Beginning extends MethodVisitor {
    Beginning(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN) {
        super.visitVarInsn(Opcodes.ALOAD, 0);
        Insns.flow(mv, "created", site(Arrow.LEDGER, "new"));
      }
      super.visitInsn(opcode);
    }
  }

  private static final class Allocation extends MethodVisitor {
    Allocation(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.ARETURN) {
        super.visitInsn(Opcodes.DUP);
        Insns.flow(mv, "created", site(Arrow.ALLOCATOR, "buffer"));
      }
      super.visitInsn(opcode);
    }
  }

  private static final class Retain extends MethodVisitor {
    Retain(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN) {
        super.visitVarInsn(Opcodes.ALOAD, 0);
        Insns.flow(mv, "hop", site(Arrow.BUFFER, "retain"));
      }
      super.visitInsn(opcode);
    }
  }

  /**
   * It returns whether nobody holds it any more. A ledger is never used again.
   *
   * <p>As in Netty, a release is noted for later when the stack is too short even for the call. The
   * returned value waits in the variable of the parameter, an int too, and the handler comes last,
   * so that no frame of Arrow's own code is another than it was.
   */
  private static final class Release extends MethodVisitor {
    private static final String OUT_OF_STACK = "java/lang/VirtualMachineError";

    private final Label handler = new Label();

    Release(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode != Opcodes.IRETURN) {
        super.visitInsn(opcode);
        return;
      }
      Label start = new Label();
      Label end = new Label();
      super.visitTryCatchBlock(start, end, handler, OUT_OF_STACK);
      super.visitVarInsn(Opcodes.ISTORE, 1);
      super.visitLabel(start);
      super.visitVarInsn(Opcodes.ALOAD, 0);
      super.visitVarInsn(Opcodes.ILOAD, 1);
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC, Names.BUFFERS, "released", "(Ljava/lang/Object;Z)V", false);
      super.visitLabel(end);
      returnResult();
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      Label last = new Label();
      Object[] locals = {Arrow.LEDGER, Opcodes.INTEGER};
      super.visitLabel(handler);
      super.visitFrame(Opcodes.F_FULL, 2, locals, 1, new Object[] {OUT_OF_STACK});
      super.visitInsn(Opcodes.POP);
      super.visitVarInsn(Opcodes.ILOAD, 1);
      super.visitJumpInsn(Opcodes.IFEQ, last);
      Insns.noteMissed(mv);
      super.visitLabel(last);
      super.visitFrame(Opcodes.F_FULL, 2, locals, 0, new Object[0]);
      returnResult();
      super.visitMaxs(maxStack, maxLocals);
    }

    private void returnResult() {
      super.visitVarInsn(Opcodes.ILOAD, 1);
      super.visitInsn(Opcodes.IRETURN);
    }
  }
}
