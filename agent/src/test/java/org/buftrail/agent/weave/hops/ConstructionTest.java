package org.buftrail.agent.weave.hops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.util.Textifier;
import org.objectweb.asm.util.TraceMethodVisitor;

/** The copy of a new object is what the very next instruction makes, whatever that is. */
final class ConstructionTest {
  private static final Handle HANDLE =
      new Handle(Opcodes.H_INVOKESTATIC, "a/Maker", "make", "()V", false);

  private final Textifier written = new Textifier();
  private final List<Integer> before = new ArrayList<>();
  private final Construction construction =
      new Construction(new TraceMethodVisitor(written)) {
        @Override
        void before(int opcode) {
          before.add(opcode);
        }
      };

  private static Arguments of(int opcode, String text, Consumer<MethodVisitor> instruction) {
    return Arguments.of(opcode, text, instruction);
  }

  static Stream<Arguments> instructions() {
    return Stream.of(
        of(Opcodes.POP, "POP", mv -> mv.visitInsn(Opcodes.POP)),
        of(Opcodes.BIPUSH, "BIPUSH 7", mv -> mv.visitIntInsn(Opcodes.BIPUSH, 7)),
        of(Opcodes.ALOAD, "ALOAD 3", mv -> mv.visitVarInsn(Opcodes.ALOAD, 3)),
        of(
            Opcodes.GETSTATIC,
            "GETSTATIC a/A.f : I",
            mv -> mv.visitFieldInsn(Opcodes.GETSTATIC, "a/A", "f", "I")),
        of(
            Opcodes.INVOKESTATIC,
            "INVOKESTATIC a/A.m ()V",
            mv -> mv.visitMethodInsn(Opcodes.INVOKESTATIC, "a/A", "m", "()V", false)),
        of(
            Opcodes.INVOKEDYNAMIC,
            "INVOKEDYNAMIC d()V",
            mv -> mv.visitInvokeDynamicInsn("d", "()V", HANDLE)),
        of(Opcodes.GOTO, "GOTO L0", mv -> mv.visitJumpInsn(Opcodes.GOTO, new Label())),
        of(Opcodes.LDC, "LDC \"text\"", mv -> mv.visitLdcInsn("text")),
        of(Opcodes.IINC, "IINC 2 5", mv -> mv.visitIincInsn(2, 5)),
        of(
            Opcodes.MULTIANEWARRAY,
            "MULTIANEWARRAY [[I 2",
            mv -> mv.visitMultiANewArrayInsn("[[I", 2)),
        of(Opcodes.CHECKCAST, "CHECKCAST a/B", mv -> mv.visitTypeInsn(Opcodes.CHECKCAST, "a/B")));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("instructions")
  void aCopyBehindAnotherInstructionIsOfSomethingElse(
      int opcode, String text, Consumer<MethodVisitor> instruction) {
    construction.visitTypeInsn(Opcodes.NEW, "a/Made");
    instruction.accept(construction);
    construction.visitInsn(Opcodes.DUP);
    assertThat(construction.isCopyLeft("a/Made")).isFalse();
    assertThat(before).containsExactly(Opcodes.NEW, opcode, Opcodes.DUP);
    assertThat(written.getText()).hasSize(3);
    assertThat(written.getText().get(1).toString().strip()).startsWith(text);
  }

  @Test
  void theInnermostIsConstructedFirst() {
    construction.visitTypeInsn(Opcodes.NEW, "a/Outer");
    construction.visitInsn(Opcodes.DUP);
    construction.visitTypeInsn(Opcodes.NEW, "a/Inner");
    construction.visitLabel(new Label());
    assertThat(construction.isCopyLeft("a/Outer")).as("of the superclass").isFalse();
    assertThat(construction.isCopyLeft("a/Inner")).isFalse();
    assertThat(construction.isCopyLeft("a/Outer")).isTrue();
    assertThat(construction.isCopyLeft("a/Outer")).as("of the class itself").isFalse();
    assertThat(before).containsExactly(Opcodes.NEW, Opcodes.DUP, Opcodes.NEW, Construction.LABEL);
  }
}
