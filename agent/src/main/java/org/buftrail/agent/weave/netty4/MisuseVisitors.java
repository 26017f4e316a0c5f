package org.buftrail.agent.weave.netty4;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.F_FULL;
import static org.objectweb.asm.Opcodes.INTEGER;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.NEW;

import java.util.Set;
import org.buftrail.agent.weave.classfile.Insns;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.model.Misuse;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Weaves the places where Netty notices that a buffer was released already. */
final class MisuseVisitors {
  private static final String THROWABLE = "java/lang/Throwable";

  /** Netty's classes for which {@link #mayThrow} may be true. */
  static final Set<String> NOTICING =
      Set.of(
          "AbstractByteBuf",
          "CompositeByteBuf",
          "AdaptivePoolingAllocator$AdaptiveByteBuf",
          "AbstractPooledDerivedByteBuf");

  private MisuseVisitors() {}

  /** Whether a method throws on an access to a released buffer, which is its local variable 0. */
  static boolean mayThrow(String simpleName, String method) {
    switch (simpleName) {
      case "AbstractByteBuf":
      case "CompositeByteBuf":
        return method.equals("ensureAccessible");
      case "AdaptivePoolingAllocator$AdaptiveByteBuf":
        return method.equals("rootParent");
      case "AbstractPooledDerivedByteBuf":
        return method.equals("unwrap");
      default:
        return false;
    }
  }

  /** Tells of an exception that the method makes itself, before it is thrown. */
  static MethodVisitor beforeThrow(MethodVisitor next) {
    return new MethodVisitor(Opcodes.ASM9, next) {
      private boolean made;

      @Override
      public void visitTypeInsn(int opcode, String type) {
        made |= opcode == NEW && type.endsWith("IllegalReferenceCountException");
        super.visitTypeInsn(opcode, type);
      }

      @Override
      public void visitInsn(int opcode) {
        if (opcode == ATHROW && made) {
          tell(mv, Misuse.Kind.USE_AFTER_RELEASE);
        }
        super.visitInsn(opcode);
      }
    };
  }

  /**
   * Tells of an exception that a method without handlers of its own lets pass.
   *
   * @param descriptor without parameters, or with one int
   */
  static MethodVisitor aroundBody(
      MethodVisitor next, String owner, String descriptor, Misuse.Kind kind) {
    return new MethodVisitor(Opcodes.ASM9, next) {
      private final Label start = new Label();
      private final Label end = new Label();
      private final Label handler = new Label();

      @Override
      public void visitCode() {
        super.visitCode();
        super.visitTryCatchBlock(start, end, handler, THROWABLE);
        super.visitLabel(start);
      }

      @Override
      public void visitMaxs(int maxStack, int maxLocals) {
        super.visitLabel(end);
        super.visitLabel(handler);
        @Nullable Object[] locals =
            descriptor.startsWith("(I)") ? new Object[] {owner, INTEGER} : new Object[] {owner};
        super.visitFrame(F_FULL, locals.length, locals, 1, new Object[] {THROWABLE});
        tell(mv, kind);
        super.visitInsn(ATHROW);
        super.visitMaxs(maxStack, maxLocals);
      }
    };
  }

  /** Reports the exception on the stack, which stays there. */
  private static void tell(MethodVisitor mv, Misuse.Kind kind) {
    mv.visitInsn(DUP);
    mv.visitVarInsn(ALOAD, 0);
    Insns.push(mv, kind.code());
    mv.visitMethodInsn(
        INVOKESTATIC,
        Names.BUFFERS,
        "misused",
        "(Ljava/lang/Throwable;Ljava/lang/Object;I)V",
        false);
  }
}
