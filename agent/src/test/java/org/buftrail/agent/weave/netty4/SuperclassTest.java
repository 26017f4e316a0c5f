package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.flow.state.HolderRoot;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A class with another superclass is otherwise what it was. */
class SuperclassTest {
  /** Type parameters that look like a superclass, and objects made before and in between. */
  public static class Box<L, M extends Comparable<M>> implements Supplier<Object> {
    private final Object lock = new Object();
    private final Object[] made;

    /** With objects of class {@code Object}. */
    public Box() {
      this(new Object(), new Object());
    }

    /** Holds two objects and one of its own. */
    public Box(Object one, Object other) {
      made = new Object[] {one, other, new Object()};
    }

    @Override
    public Object get() {
      return Arrays.asList(lock, made[0], made[1], made[2]);
    }
  }

  /** Whose superclass stands first in its signature. */
  public static class Text implements Supplier<String> {
    @Override
    public String get() {
      return "text";
    }
  }

  /** Without a signature. */
  public static class Bare {}

  private static final class Loader extends ClassLoader {
    Class<?> define(byte[] classFile) {
      return defineClass(null, classFile, 0, classFile.length);
    }
  }

  private static Class<?> woven() throws IOException {
    return woven("Box");
  }

  private static Class<?> woven(String nested) throws IOException {
    String file = "SuperclassTest$" + nested + ".class";
    try (InputStream in = SuperclassTest.class.getResourceAsStream(file)) {
      return woven(Objects.requireNonNull(in).readAllBytes());
    }
  }

  private static Class<?> woven(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new Superclass(writer, Names.HOLDER_ROOT), 0);
    return new Loader().define(writer.toByteArray());
  }

  @Test
  void itsConstructorsCallTheSuperclassAndMakeWhatTheyMade() throws Exception {
    for (Constructor<?> each : woven().getConstructors()) {
      Object[] arguments = each.getParameterCount() == 0 ? new Object[0] : new Object[] {"a", "b"};
      Object box = each.newInstance(arguments);
      assertThat(box).isInstanceOf(HolderRoot.class);
      for (Object made : (Iterable<?>) ((Supplier<?>) box).get()) {
        assertThat(made.getClass()).isIn(Object.class, String.class);
      }
    }
  }

  @Test
  void itsTypeParametersStay() throws Exception {
    Class<?> woven = woven();
    assertThat(woven.getGenericSuperclass()).isEqualTo(HolderRoot.class);
    assertThat(woven.getGenericInterfaces()).containsExactly(Box.class.getGenericInterfaces());
    assertThat(woven.getTypeParameters())
        .extracting(TypeVariable::getName, each -> Arrays.toString(each.getBounds()))
        .containsExactly(
            tuple("L", "[class java.lang.Object]"), tuple("M", "[java.lang.Comparable<M>]"));
  }

  @Test
  void itsInterfacesStayWhereItHasNoParameters() throws Exception {
    Class<?> text = woven("Text");
    assertThat(text.getGenericSuperclass()).isEqualTo(HolderRoot.class);
    assertThat(text.getGenericInterfaces()).containsExactly(Text.class.getGenericInterfaces());
    assertThat(woven("Bare").getGenericSuperclass()).isEqualTo(HolderRoot.class);
  }

  /** As Java 22 lets a constructor do, and other languages. */
  @Test
  void whatIsMadeBeforeTheSuperclassIsCalledIsLeftAsItIs() throws Exception {
    ClassWriter made = new ClassWriter(0);
    made.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, "test/Early", null, "java/lang/Object", null);
    MethodVisitor mv = made.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    mv.visitCode();
    List<String> types = List.of("java/lang/Object", "java/lang/StringBuilder");
    types.forEach(each -> mv.visitTypeInsn(Opcodes.NEW, each));
    for (String each : List.of(types.get(1), types.get(0))) {
      mv.visitMethodInsn(Opcodes.INVOKESPECIAL, each, "<init>", "()V", false);
    }
    mv.visitInsn(Opcodes.ICONST_1);
    mv.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
    mv.visitInsn(Opcodes.POP);
    mv.visitVarInsn(Opcodes.ALOAD, 0);
    mv.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    mv.visitInsn(Opcodes.RETURN);
    mv.visitMaxs(2, 1);
    mv.visitEnd();
    made.visitEnd();
    Class<?> early = woven(made.toByteArray());
    assertThat(early.getConstructor().newInstance()).isInstanceOf(HolderRoot.class);
  }
}
