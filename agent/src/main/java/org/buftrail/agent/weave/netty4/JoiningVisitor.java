package org.buftrail.agent.weave.netty4;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.SWAP;

import org.buftrail.agent.weave.classfile.Names;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Tells of each component that a method of a composite makes. */
final class JoiningVisitor extends MethodVisitor {
  private final boolean merges;

  /**
   * @param merges whether the method makes components of another composite's
   */
  JoiningVisitor(MethodVisitor next, boolean merges) {
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
      String joined = "(Ljava/lang/Object;Ljava/lang/Object;)V";
      super.visitMethodInsn(INVOKESTATIC, Names.BUFFERS, "joined", joined, false);
    }
  }

  @Override
  public void visitInsn(int opcode) {
    if (merges && opcode == ARETURN) {
      visitVarInsn(ALOAD, 0);
      String merged = "(Ljava/lang/Object;)V";
      super.visitMethodInsn(INVOKESTATIC, Names.BUFFERS, "merged", merged, false);
    }
    super.visitInsn(opcode);
  }
}
