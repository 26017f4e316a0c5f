package org.buftrail.agent.weave.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.buftrail.agent.weave.UntellingBuffers;
import org.buftrail.agent.weave.WeavingLoader;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.flow.woven.Buffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A release of which nothing can be told, since the call fails, is noted for later. */
final class LedgerVisitorTest {
  private static final String LEDGER = Names.binary(Arrow.LEDGER);

  /** {@code boolean release(int less) { int left = 2 - less; return left == 0; }}, woven. */
  private static byte[] ledger() {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, Arrow.LEDGER, null, "java/lang/Object", null);
    MethodVisitor make = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    make.visitCode();
    make.visitVarInsn(Opcodes.ALOAD, 0);
    make.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    make.visitInsn(Opcodes.RETURN);
    make.visitMaxs(0, 0);
    make.visitEnd();
    MethodVisitor release = writer.visitMethod(Opcodes.ACC_PUBLIC, "release", "(I)Z", null, null);
    Label some = new Label();
    Label last = new Label();
    release.visitCode();
    release.visitInsn(Opcodes.ICONST_2);
    release.visitVarInsn(Opcodes.ILOAD, 1);
    release.visitInsn(Opcodes.ISUB);
    release.visitVarInsn(Opcodes.ISTORE, 2);
    release.visitVarInsn(Opcodes.ILOAD, 2);
    release.visitJumpInsn(Opcodes.IFNE, some);
    release.visitInsn(Opcodes.ICONST_1);
    release.visitJumpInsn(Opcodes.GOTO, last);
    release.visitLabel(some);
    release.visitFrame(Opcodes.F_APPEND, 1, new Object[] {Opcodes.INTEGER}, 0, null);
    release.visitInsn(Opcodes.ICONST_0);
    release.visitLabel(last);
    release.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {Opcodes.INTEGER});
    release.visitInsn(Opcodes.IRETURN);
    release.visitMaxs(0, 0);
    release.visitEnd();
    writer.visitEnd();
    ClassReader reader = new ClassReader(writer.toByteArray());
    ClassWriter woven = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new LedgerVisitor(woven, Arrow.LEDGER), 0);
    return woven.toByteArray();
  }

  /** Java has no such call from release 20 on. */
  @Test
  void aThreadThatIsStoppedEnds() throws Exception {
    WeavingLoader loader =
        new WeavingLoader(null)
            .give(Buffers.class.getName(), UntellingBuffers.stopping())
            .give(LEDGER, ledger());
    Class<?> type = loader.loadClass(LEDGER);
    Object ledger = type.getConstructor().newInstance();
    assertThatThrownBy(() -> type.getMethod("release", int.class).invoke(ledger, 2))
        .hasCauseInstanceOf(ThreadDeath.class);
  }

  private static Object field(ClassLoader loader, String name) throws Exception {
    Class<?> flows = loader.loadClass(Buffers.class.getName());
    return Objects.requireNonNull(flows.getField(name).get(null));
  }

  @ParameterizedTest
  @CsvSource({"true, true, 1", "true, false, 0", "false, true, 0", "false, false, 0"})
  void onlyTheLastReleaseIsNotedAndOnlyIfItCouldNotBeTold(boolean fails, boolean last, int noted)
      throws Exception {
    WeavingLoader loader =
        new WeavingLoader(null)
            .give(Buffers.class.getName(), UntellingBuffers.of(fails))
            .give(LEDGER, ledger());
    Class<?> type = loader.loadClass(LEDGER);
    Object ledger = type.getConstructor().newInstance();
    // The application goes on whatever became of the call.
    assertThat(type.getMethod("release", int.class).invoke(ledger, last ? 2 : 1)).isEqualTo(last);
    assertThat(field(loader, "told")).isEqualTo(1);
    assertThat(field(loader, "missed")).isEqualTo(noted);
    assertThat(((Object[]) field(loader, "MISSED"))[0]).isSameAs(noted == 0 ? null : ledger);
  }
}
