package org.buftrail.agent.weave;

import org.buftrail.flow.woven.Buffers;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A replacement of the class that application threads call, which fails to report releases. */
public final class UntellingBuffers {
  private static final String BUFFERS = Type.getInternalName(Buffers.class);
  private static final int ACCESS = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;

  private UntellingBuffers() {}

  /** Counts the releases that are reported to it, and fails in each if it is to. */
  public static byte[] of(boolean fails) {
    return of(fails ? "java/lang/StackOverflowError" : null);
  }

  /** Fails in each as where somebody stops the thread. */
  public static byte[] stopping() {
    return of("java/lang/ThreadDeath");
  }

  private static byte[] of(@Nullable String error) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, BUFFERS, null, "java/lang/Object", null);
    writer.visitField(ACCESS, "MISSED", "[Ljava/lang/Object;", null, null).visitEnd();
    writer.visitField(ACCESS, "missed", "I", null, null).visitEnd();
    writer.visitField(ACCESS, "told", "I", null, null).visitEnd();
    MethodVisitor init = writer.visitMethod(ACCESS, "<clinit>", "()V", null, null);
    init.visitCode();
    init.visitIntInsn(Opcodes.SIPUSH, Buffers.LAST_MISSED + 1);
    init.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
    init.visitFieldInsn(Opcodes.PUTSTATIC, BUFFERS, "MISSED", "[Ljava/lang/Object;");
    end(init);
    MethodVisitor born =
        writer.visitMethod(ACCESS, "created", "(Ljava/lang/Object;I)V", null, null);
    born.visitCode();
    end(born);
    MethodVisitor released =
        writer.visitMethod(ACCESS, "released", "(Ljava/lang/Object;Z)V", null, null);
    released.visitCode();
    released.visitFieldInsn(Opcodes.GETSTATIC, BUFFERS, "told", "I");
    released.visitInsn(Opcodes.ICONST_1);
    released.visitInsn(Opcodes.IADD);
    released.visitFieldInsn(Opcodes.PUTSTATIC, BUFFERS, "told", "I");
    if (error != null) {
      released.visitTypeInsn(Opcodes.NEW, error);
      released.visitInsn(Opcodes.DUP);
      released.visitMethodInsn(Opcodes.INVOKESPECIAL, error, "<init>", "()V", false);
      released.visitInsn(Opcodes.ATHROW);
      released.visitMaxs(0, 0);
      released.visitEnd();
    } else {
      end(released);
    }
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void end(MethodVisitor method) {
    method.visitInsn(Opcodes.RETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
  }
}
