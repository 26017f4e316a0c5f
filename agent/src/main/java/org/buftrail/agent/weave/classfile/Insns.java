package org.buftrail.agent.weave.classfile;

import org.buftrail.flow.woven.Buffers;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Instruction sequences that several visitors emit. */
public final class Insns {
  private Insns() {}

  /** Pushes an int constant in its shortest form. */
  public static void push(MethodVisitor mv, int value) {
    if (value >= -1 && value <= 5) {
      mv.visitInsn(Opcodes.ICONST_0 + value);
    } else if (value == (byte) value) {
      mv.visitIntInsn(Opcodes.BIPUSH, value);
    } else if (value == (short) value) {
      mv.visitIntInsn(Opcodes.SIPUSH, value);
    } else {
      mv.visitLdcInsn(value);
    }
  }

  /** Calls {@code Buffers.method(Object, int)} with the object on the stack and a site. */
  public static void flow(MethodVisitor mv, String method, int site) {
    call(mv, Names.BUFFERS, method, site);
  }

  /** Calls a method of {@code Resources} with a site or the number of a type. */
  public static void resource(MethodVisitor mv, String method, int number) {
    call(mv, Names.RESOURCES, method, number);
  }

  /**
   * {@code Buffers.MISSED[Buffers.missed++ & Buffers.LAST_MISSED] = this}, without a call: for a
   * release that could not be recorded.
   */
  public static void noteMissed(MethodVisitor mv) {
    mv.visitFieldInsn(Opcodes.GETSTATIC, Names.BUFFERS, "MISSED", "[Ljava/lang/Object;");
    mv.visitFieldInsn(Opcodes.GETSTATIC, Names.BUFFERS, "missed", "I");
    mv.visitInsn(Opcodes.DUP);
    mv.visitInsn(Opcodes.ICONST_1);
    mv.visitInsn(Opcodes.IADD);
    mv.visitFieldInsn(Opcodes.PUTSTATIC, Names.BUFFERS, "missed", "I");
    push(mv, Buffers.LAST_MISSED);
    mv.visitInsn(Opcodes.IAND);
    mv.visitVarInsn(Opcodes.ALOAD, 0);
    mv.visitInsn(Opcodes.AASTORE);
  }

  private static void call(MethodVisitor mv, String owner, String method, int number) {
    push(mv, number);
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method, "(Ljava/lang/Object;I)V", false);
  }
}
