package org.buftrail.agent.weave.tests;

import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.F_FULL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.RETURN;

import org.buftrail.agent.weave.classfile.MethodsVisitor;
import org.buftrail.agent.weave.classfile.Names;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Reports that the static initialiser of a class begins and ends: what it makes is not the test's
 * that happens to come first.
 */
final class InitializerVisitor extends MethodsVisitor {
  private final String className;

  InitializerVisitor(ClassVisitor next, String className) {
    super(next);
    this.className = className;
  }

  @Override
  protected MethodVisitor visit(MethodVisitor next, int access, String name, String descriptor) {
    return name.equals("<clinit>") ? new Method(next, className) : next;
  }

  private static final class Method extends MethodVisitor {
    private final String className;
    private final Label start = new Label();
    private final Label end = new Label();
    private final Label handler = new Label();

    Method(MethodVisitor next, String className) {
      super(Opcodes.ASM9, next);
      this.className = className;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      call("initializing");
      super.visitLabel(start);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == RETURN) {
        call("initialized");
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      super.visitLabel(end);
      super.visitTryCatchBlock(start, end, handler, null);
      super.visitLabel(handler);
      super.visitFrame(F_FULL, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
      call("initialized");
      super.visitInsn(ATHROW);
      super.visitMaxs(maxStack, maxLocals);
    }

    private void call(String method) {
      super.visitLdcInsn(className);
      super.visitMethodInsn(INVOKESTATIC, Names.TEST_CODE, method, "(Ljava/lang/String;)V", false);
    }
  }
}
