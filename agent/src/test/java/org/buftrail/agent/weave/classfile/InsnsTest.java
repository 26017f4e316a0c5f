package org.buftrail.agent.weave.classfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Numbers are pushed as they are, in the shortest form that the format has for them. */
final class InsnsTest {
  private final List<String> pushed = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({
    "-2147483648, ldc -2147483648",
    "-32769, ldc -32769",
    "-32768, sipush -32768",
    "-129, sipush -129",
    "-128, bipush -128",
    "-2, bipush -2",
    "-1, iconst -1",
    "0, iconst 0",
    "5, iconst 5",
    "6, bipush 6",
    "127, bipush 127",
    "128, sipush 128",
    "32767, sipush 32767",
    "32768, ldc 32768",
    "2147483647, ldc 2147483647",
  })
  void aNumberIsPushedInItsShortestForm(int number, String expected) {
    Insns.push(
        new MethodVisitor(Opcodes.ASM9) {
          @Override
          public void visitInsn(int opcode) {
            pushed.add("iconst " + (opcode - Opcodes.ICONST_0));
          }

          @Override
          public void visitIntInsn(int opcode, int operand) {
            pushed.add((opcode == Opcodes.BIPUSH ? "bipush " : "sipush ") + operand);
          }

          @Override
          public void visitLdcInsn(Object value) {
            pushed.add("ldc " + value);
          }
        },
        number);
    assertThat(pushed).containsExactly(expected);
  }
}
