package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.Objects;
import org.buftrail.agent.weave.UntellingBuffers;
import org.buftrail.flow.woven.Buffers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A release of which nothing can be told, since each call fails, is noted for later. */
final class ReleaseVisitorTest {
  private static final String BUFFER = "test/Buffer";

  /** Loads classes of bytes, also where the parent has one of that name. */
  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> given;

    Loader(Map<String, byte[]> given) {
      super(ReleaseVisitorTest.class.getClassLoader());
      this.given = given;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      byte @Nullable [] bytes = given.get(name);
      if (bytes == null) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? defineClass(name, bytes, 0, bytes.length) : loaded;
    }
  }

  private static ClassWriter begin(String name) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    return writer;
  }

  private static void end(MethodVisitor method) {
    method.visitMaxs(0, 0);
    method.visitEnd();
  }

  /** {@code boolean handleRelease(boolean result) { return result; }}, woven. */
  private static byte[] buffer() {
    ClassWriter writer = begin(BUFFER);
    MethodVisitor make = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    make.visitCode();
    make.visitVarInsn(Opcodes.ALOAD, 0);
    make.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    make.visitInsn(Opcodes.RETURN);
    end(make);
    MethodVisitor release =
        new ReleaseVisitor(
            writer.visitMethod(Opcodes.ACC_PUBLIC, "handleRelease", "(Z)Z", null, null), BUFFER);
    release.visitCode();
    release.visitVarInsn(Opcodes.ILOAD, 1);
    release.visitInsn(Opcodes.IRETURN);
    end(release);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static Loader loader(boolean fails) {
    return loader(UntellingBuffers.of(fails));
  }

  private static Loader loader(byte[] flows) {
    return new Loader(Map.of(Buffers.class.getName(), flows, "test.Buffer", buffer()));
  }

  private static Object field(ClassLoader loader, String name) throws Exception {
    Field field = loader.loadClass(Buffers.class.getName()).getField(name);
    return Objects.requireNonNull(field.get(null));
  }

  @ParameterizedTest
  @CsvSource({"true, true, 1", "true, false, 0", "false, true, 0", "false, false, 0"})
  void onlyTheLastReleaseIsNotedAndOnlyIfItCouldNotBeTold(boolean fails, boolean last, int noted)
      throws Exception {
    Loader loader = loader(fails);
    Class<?> type = loader.loadClass("test.Buffer");
    Object buffer = type.getConstructor().newInstance();
    // The buffer goes on whatever became of the call.
    assertThat(type.getMethod("handleRelease", boolean.class).invoke(buffer, last)).isEqualTo(last);
    assertThat(field(loader, "told")).isEqualTo(1);
    assertThat(field(loader, "missed")).isEqualTo(noted);
    Object[] missed = (Object[]) field(loader, "MISSED");
    assertThat(missed[0]).isSameAs(noted == 0 ? null : buffer);
    assertThat(missed[1]).isNull();
  }

  /** Java has no such call from release 20 on. */
  @Test
  void aThreadThatIsStoppedEnds() throws Exception {
    Class<?> type = loader(UntellingBuffers.stopping()).loadClass("test.Buffer");
    Object buffer = type.getConstructor().newInstance();
    assertThatThrownBy(() -> type.getMethod("handleRelease", boolean.class).invoke(buffer, true))
        .hasCauseInstanceOf(ThreadDeath.class);
  }

  /** The oldest gives way: what is noted has a place of its own in the ring, round and round. */
  @Test
  void moreThanThereIsRoomForGoRound() throws Exception {
    Loader loader = loader(true);
    Class<?> type = loader.loadClass("test.Buffer");
    Object newest = "none";
    for (int i = 0; i <= Buffers.LAST_MISSED + 1; i++) {
      newest = type.getConstructor().newInstance();
      type.getMethod("handleRelease", boolean.class).invoke(newest, true);
    }
    Object[] missed = (Object[]) field(loader, "MISSED");
    assertThat(missed[0]).isSameAs(newest);
    assertThat(missed).doesNotContainNull();
    assertThat(field(loader, "missed")).isEqualTo(Buffers.LAST_MISSED + 2);
  }
}
