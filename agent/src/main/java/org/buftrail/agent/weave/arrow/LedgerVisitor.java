package org.buftrail.agent.weave.arrow;

import org.buftrail.agent.weave.Insns;
import org.buftrail.agent.weave.Names;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
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
        Insns.flow(mv, "born", site(Arrow.LEDGER, "new"));
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
        Insns.flow(mv, "born", site(Arrow.ALLOCATOR, "buffer"));
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

  /** It returns whether nobody holds it any more. A ledger is never used again. */
  private static final class Release extends MethodVisitor {
    Release(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.IRETURN) {
        super.visitInsn(Opcodes.DUP);
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitInsn(Opcodes.SWAP);
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC, Names.FLOWS, "released", "(Ljava/lang/Object;Z)V", false);
      }
      super.visitInsn(opcode);
    }
  }
}
