package org.buftrail.agent.weave.classfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Names of parameters come back to a class file that was made without them, and to no other. */
final class ParameterNamesTest {
  private final ParameterNames names = new ParameterNames();

  /** The class that is asked about; the tests name its parameters. */
  static final class Asked {
    private Asked() {}

    static int sum(int first, long second) {
      return first + (int) second;
    }

    static int none() {
      return 0;
    }
  }

  private static final class Loader extends ClassLoader {
    private byte @Nullable [] file;

    /** Has the file of its class, as most loaders have. */
    Loader with(byte[] classFile) {
      file = classFile;
      return this;
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
      return file == null ? null : new ByteArrayInputStream(file);
    }

    Class<?> define(byte[] classFile) {
      return defineClass(Asked.class.getName(), classFile, 0, classFile.length);
    }
  }

  private static byte[] compiled() throws IOException {
    try (InputStream in = Asked.class.getResourceAsStream("ParameterNamesTest$Asked.class")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  /**
   * The class with names as given for the parameters of each method that has any, or without.
   *
   * @param copied whether what is no longer used stays in the pool of constants, as a JVM leaves it
   */
  private static byte[] classFile(byte[] from, boolean copied, String... given) {
    ClassReader reader = new ClassReader(from);
    ClassWriter writer = copied ? new ClassWriter(reader, 0) : new ClassWriter(0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access,
              String method,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            MethodVisitor next =
                super.visitMethod(access, method, descriptor, signature, exceptions);
            if (method.equals("sum")) {
              for (String name : given) {
                next.visitParameter(name, Opcodes.ACC_FINAL);
              }
            }
            return new MethodVisitor(Opcodes.ASM9, next) {
              @Override
              public void visitParameter(@Nullable String name, int access) {
                // Given above.
              }
            };
          }
        },
        0);
    return writer.toByteArray();
  }

  private static List<String> parameters(Class<?> c) throws ReflectiveOperationException {
    Method sum = c.getDeclaredMethod("sum", int.class, long.class);
    List<String> found = new ArrayList<>();
    for (Parameter parameter : sum.getParameters()) {
      found.add(parameter.toString() + (parameter.isNamePresent() ? "" : " (none)"));
    }
    return found;
  }

  @Test
  void namesThatWereLostComeBack() throws Exception {
    byte[] named = classFile(compiled(), false, "kept", "too");
    Class<?> loaded = new Loader().define(named);
    names.remember(loaded);
    byte[] lost = classFile(named, true);
    assertThat(parameters(new Loader().define(lost)))
        .containsExactly("int arg0 (none)", "long arg1 (none)");

    byte[] restored = names.restore(loaded, lost);

    assertThat(parameters(new Loader().define(restored)))
        .isEqualTo(parameters(loaded))
        .containsExactly("final int kept", "final long too");
  }

  /** The class with one method more, which takes what is not there. */
  private static byte[] needy(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visitEnd() {
            int access = Opcodes.ACC_NATIVE | Opcodes.ACC_STATIC;
            super.visitMethod(access, "need", "(Lcom/example/Nowhere;)V", null, null).visitEnd();
            super.visitEnd();
          }
        },
        0);
    return writer.toByteArray();
  }

  @Test
  void ofAClassThatCannotBeAskedTheFileTellsThem() throws Exception {
    byte[] named = needy(classFile(compiled(), false, "kept", "too"));
    Class<?> loaded = new Loader().with(named).define(named);
    names.remember(loaded);
    byte[] restored = names.restore(loaded, classFile(named, true));
    byte[] asked = classFile(compiled(), false, "kept", "too");
    assertThat(declared(restored)).isEqualTo(declared(asked)).isNotEmpty();
    Class<?> without = new Loader().define(named);
    assertThatThrownBy(() -> names.remember(without)).isInstanceOf(NoClassDefFoundError.class);
  }

  /** The named parameters of {@code sum} in a class file. */
  private static List<String> declared(byte[] classFile) {
    List<String> found = new ArrayList<>();
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access,
                  String method,
                  String descriptor,
                  @Nullable String signature,
                  String @Nullable [] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitParameter(@Nullable String name, int access) {
                    found.add(method + " " + name + " " + access);
                  }
                };
              }
            },
            0);
    return found;
  }

  @Test
  void aClassThatHasThemStaysAsItIs() throws Exception {
    byte[] named = classFile(compiled(), false, "kept", "too");
    Class<?> loaded = new Loader().define(named);
    names.remember(loaded);
    assertThat(names.restore(loaded, named)).isSameAs(named);
  }

  @Test
  void aClassThatNeverHadThemStaysAsItIs() throws Exception {
    byte[] plain = classFile(compiled(), false);
    Class<?> loaded = new Loader().define(plain);
    names.remember(loaded);
    assertThat(names.restore(loaded, plain)).isSameAs(plain);
    byte[] lost = classFile(classFile(compiled(), false, "kept", "too"), true);
    assertThat(names.restore(loaded, lost)).isSameAs(lost);
  }

  /** Asked once: what a woven class says of itself later may be wrong. */
  @Test
  void whatIsNotRememberedIsNotRestored() throws Exception {
    byte[] named = classFile(compiled(), false, "kept", "too");
    Class<?> loaded = new Loader().define(named);
    byte[] lost = classFile(named, true);
    assertThat(names.restore(loaded, lost)).isSameAs(lost);
    names.remember(loaded);
    names.remember(loaded);
    assertThat(Arrays.equals(names.restore(loaded, lost), lost)).isFalse();
  }

  /** A class file may say of two parameters that there are three. */
  @Test
  void namesThatAreNoneAreNotRemembered() throws Exception {
    byte[] malformed = classFile(compiled(), false, "one", "two", "three");
    Class<?> loaded = new Loader().define(malformed);
    names.remember(loaded);
    byte[] lost = classFile(malformed, true);
    assertThat(names.restore(loaded, lost)).isSameAs(lost);
  }
}
