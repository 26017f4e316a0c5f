package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Of exceptions that a method throws those alone are told that say that a buffer was released. */
final class MisuseVisitorsTest {
  private static final String MISUSE = "io/netty/util/IllegalReferenceCountException";

  private final List<String> written = new ArrayList<>();
  private final MethodVisitor visitor =
      MisuseVisitors.beforeThrow(
          new MethodVisitor(Opcodes.ASM9) {
            @Override
            public void visitInsn(int opcode) {
              written.add(opcode == Opcodes.ATHROW ? "throw" : "other");
            }

            @Override
            public void visitMethodInsn(
                int opcode, String owner, String method, String types, boolean isInterface) {
              written.add(method);
            }
          });

  private void make(String exception) {
    visitor.visitTypeInsn(Opcodes.NEW, exception);
    visitor.visitMethodInsn(Opcodes.INVOKESPECIAL, exception, "<init>", "()V", false);
  }

  @Test
  void whatTheMethodMakesIsToldBeforeItIsThrown() {
    make(MISUSE);
    visitor.visitInsn(Opcodes.ATHROW);
    assertThat(written).containsSubsequence("<init>", "misused", "throw").hasSize(5);
  }

  @Test
  void anotherExceptionIsNotTold() {
    make("java/lang/IndexOutOfBoundsException");
    visitor.visitInsn(Opcodes.ATHROW);
    assertThat(written).containsExactly("<init>", "throw");
  }

  @Test
  void anExceptionOfSomebodyElsesIsNotTold() {
    visitor.visitTypeInsn(Opcodes.CHECKCAST, MISUSE);
    visitor.visitInsn(Opcodes.ATHROW);
    assertThat(written).containsExactly("throw");
  }

  @Test
  void nothingIsToldWhereNothingIsThrown() {
    make(MISUSE);
    visitor.visitInsn(Opcodes.POP);
    assertThat(written).containsExactly("<init>", "other");
  }
}
