package org.buftrail.agent.weave.hops;

import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.POP;

import org.buftrail.agent.weave.classfile.Insns;
import org.buftrail.agent.weave.classfile.Names;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/** Tells, before a call, to which method one of its arguments is given. */
final class Given {
  private Given() {}

  /**
   * @param descriptor of the method called, whose arguments are on the stack
   * @param taken which of them may be or hold a buffer
   * @param spare the first local variable that is not used; those behind the argument are put there
   *     for a moment, unless there is at most one of one word
   */
  static void insert(
      MethodVisitor mv, String descriptor, int taken, int spare, int callSite, int callee) {
    Type[] types = Type.getArgumentTypes(descriptor);
    int behind = types.length - 1 - taken;
    if (behind == 0) {
      mv.visitInsn(DUP);
      call(mv, callSite, callee);
    } else if (behind == 1 && types[taken + 1].getSize() == 1) {
      mv.visitInsn(DUP2);
      mv.visitInsn(POP);
      call(mv, callSite, callee);
    } else {
      int local = spare;
      for (int i = types.length - 1; i > taken; i--) {
        mv.visitVarInsn(types[i].getOpcode(ISTORE), local);
        local += types[i].getSize();
      }
      mv.visitInsn(DUP);
      call(mv, callSite, callee);
      for (int i = taken + 1; i < types.length; i++) {
        local -= types[i].getSize();
        mv.visitVarInsn(types[i].getOpcode(ILOAD), local);
      }
    }
  }

  private static void call(MethodVisitor mv, int callSite, int callee) {
    Insns.push(mv, callSite);
    Insns.push(mv, callee);
    mv.visitMethodInsn(INVOKESTATIC, Names.BUFFERS, "given", "(Ljava/lang/Object;II)V", false);
  }
}
