package org.buftrail.agent.weave.classfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.buftrail.agent.weave.Selection;
import org.buftrail.agent.weave.Weaver;
import org.buftrail.agent.weave.netty4.Netty4;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/** The parts of a class file that are read before it is known whether anything is to be woven. */
final class ClassHeadTest {
  private static final ClassLoader LOADER = ClassHeadTest.class.getClassLoader();

  private final List<String> log = new ArrayList<>();

  private static byte[] classFile(Class<?> c) throws IOException {
    String file = c.getName().replace('.', '/') + ".class";
    try (InputStream in = ClassLoader.getSystemResourceAsStream(file)) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Object.class, TreeMap.class, Comparable.class, ClassHeadTest.class})
  void itSaysTheSameAsAParserOfTheWhole(Class<?> c) throws IOException {
    ClassReader whole = new ClassReader(classFile(c));
    ClassHead head = new ClassHead(classFile(c));
    assertThat(head.name()).isEqualTo(whole.getClassName());
    assertThat(head.superclass()).isEqualTo(whole.getSuperName());
    assertThat(head.interfaces()).isEqualTo(whole.getInterfaces());
    ClassNode parsed = new ClassNode();
    whole.accept(parsed, 0);
    assertThat(head.methods())
        .extracting(method -> method.access + " " + method.name + method.descriptor)
        .isEqualTo(
            parsed.methods.stream()
                .map(method -> ((method.access & 0xFFFF) + " " + method.name + method.desc))
                .toList());
  }

  @Test
  void namesMayHaveAnyLetters() {
    ClassWriter writer = new ClassWriter(0);
    String name = "com/example/Größe\uD835\uDD38\u0000x";
    writer.newConst(1L);
    writer.newConst(2.0);
    writer.visit(Opcodes.V11, 0, name, null, "com/example/Œuvre", null);
    writer.visitEnd();
    ClassHead head = new ClassHead(writer.toByteArray());
    assertThat(head.name()).isEqualTo(name);
    assertThat(head.superclass()).isEqualTo("com/example/Œuvre");
  }

  @Test
  void aConstantOfAnUnknownKindIsRefused() {
    byte[] classFile = {0, 0, 0, 0, 0, 0, 0, 61, 0, 2, 2, 0};
    assertThatThrownBy(() -> new ClassHead(classFile))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a constant of an unknown kind, 2");
  }

  /** A class file that ends behind the number of its fields, with a method called. */
  private static byte[] withoutMethods(String descriptor) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V11, 0, "com/example/Made", null, "java/lang/Object", null);
    writer.newMethod("com/example/Called", "call", descriptor, false);
    writer.visitEnd();
    byte[] whole = writer.toByteArray();
    // Numbers of methods and attributes follow.
    return Arrays.copyOf(whole, whole.length - 4);
  }

  private byte @Nullable [] transform(byte[] classFile) {
    Weaver weaver = new Weaver(new Netty4(), log::add);
    ClassPattern all = ClassPattern.parse("com");
    weaver.weave(new Selection(all, ClassPattern.NONE, ClassPattern.NONE, List.of()));
    Module module = LOADER.getUnnamedModule();
    return weaver.transform(module, LOADER, "com/example/Made", null, null, classFile);
  }

  @Test
  void methodsAreNotReadOfAClassThatNamesNoBuffer() {
    assertThat(transform(withoutMethods("(Ljava/util/List;)Ljava/lang/String;"))).isNull();
    assertThat(log).isEmpty();
  }

  @Test
  void methodsAreReadOfAClassThatNamesOne() {
    assertThat(transform(withoutMethods("(Lio/netty/buffer/ByteBuf;)V"))).isNull();
    assertThat(log).singleElement().asString().contains("com.example.Made is not woven");
  }
}
