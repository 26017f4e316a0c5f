package org.buftrail.agent.weave.hops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.buftrail.flow.tree.Sites;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Calls of {@code allocateDirect}, and no other, tell where they are. */
final class DirectCallsTest {
  static final class Calls {
    ByteBuffer one() {
      return ByteBuffer.allocateDirect(1);
    }

    int none() {
      return ByteBuffer.allocate(1).capacity() + allocateDirect(2);
    }

    private static int allocateDirect(int size) {
      return size;
    }
  }

  static final class NoCalls {
    ByteBuffer one() {
      return ByteBuffer.allocate(1);
    }
  }

  private static byte[] classFile(Class<?> type) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            type.getResourceAsStream(Names.simple(type.getName().replace('.', '/')) + ".class"))) {
      return in.readAllBytes();
    }
  }

  private static byte @Nullable [] weave(Class<?> type) throws IOException {
    String name = type.getName().replace('.', '/');
    return DirectCalls.weave(new Rewriter(line -> {}), name, classFile(type));
  }

  @Test
  void theCallTellsItsSite() throws IOException {
    List<String> told = new ArrayList<>();
    new ClassReader(Objects.requireNonNull(weave(Calls.class)))
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String method, String type, String sign, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                  private int pushed;

                  @Override
                  public void visitIntInsn(int opcode, int operand) {
                    pushed = operand;
                  }

                  @Override
                  public void visitInsn(int opcode) {
                    pushed = opcode - Opcodes.ICONST_0;
                  }

                  @Override
                  public void visitMethodInsn(
                      int opcode, String owner, String callee, String type, boolean isInterface) {
                    if (owner.equals(Names.RESOURCES)) {
                      told.add(method + ' ' + callee + ' ' + Sites.get(pushed).method());
                    }
                  }
                };
              }
            },
            0);
    assertThat(told).containsExactly("one allocatedDirect one");
  }

  @Test
  void aClassWithoutCallsStaysAsItIs() throws IOException {
    assertThat(weave(NoCalls.class)).isNull();
    assertThat(DirectCalls.mayBeIn(Set.of("allocate"))).isFalse();
    assertThat(DirectCalls.mayBeIn(Set.of("allocateDirect"))).isTrue();
  }
}
