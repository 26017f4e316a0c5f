package org.buftrail.agent.weave.netty4;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.F_FULL;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.IFEQ;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INTEGER;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.POP;

import org.buftrail.agent.weave.classfile.Insns;
import org.buftrail.agent.weave.classfile.Names;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Tells of a release. The count is 0 by now and Netty will do the rest, so when the stack is too
 * short even for the call, the buffer is noted for later by instructions that need none. What else
 * comes out of the call, as where somebody stops the thread, is for the application.
 */
final class ReleaseVisitor extends MethodVisitor {
  private static final String OUT_OF_STACK = "java/lang/VirtualMachineError";

  private final Label start = new Label();
  private final Label end = new Label();
  private final Label handler = new Label();
  private final Label body = new Label();
  private final String owner;

  ReleaseVisitor(MethodVisitor next, String owner) {
    super(Opcodes.ASM9, next);
    this.owner = owner;
  }

  @Override
  public void visitCode() {
    super.visitCode();
    super.visitTryCatchBlock(start, end, handler, OUT_OF_STACK);
    super.visitLabel(start);
    super.visitVarInsn(ALOAD, 0);
    super.visitVarInsn(ILOAD, 1);
    String descriptor = "(Ljava/lang/Object;Z)V";
    super.visitMethodInsn(INVOKESTATIC, Names.BUFFERS, "released", descriptor, false);
    super.visitLabel(end);
    super.visitJumpInsn(GOTO, body);
    super.visitLabel(handler);
    Object[] locals = {owner, INTEGER};
    super.visitFrame(F_FULL, 2, locals, 1, new Object[] {OUT_OF_STACK});
    super.visitInsn(POP);
    super.visitVarInsn(ILOAD, 1);
    super.visitJumpInsn(IFEQ, body);
    Insns.noteMissed(mv);
    super.visitLabel(body);
    super.visitFrame(F_FULL, 2, locals, 0, new Object[0]);
  }
}
