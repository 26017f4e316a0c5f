package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.woven.Tells;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.buftrail.flow.state.ComponentBase;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Buffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The calls that Netty's own classes make about buffers once they are woven. The first object told
 * of is #0, the second #1; what is allocated comes with its allocator and the kind of memory.
 */
final class NettyToldTest {
  private final List<String> log = new ArrayList<>();
  private final WeavingLoader loader =
      new WeavingLoader(WeavingLoader.weaver("nothing.here", log))
          .give(Buffers.class.getName(), StandIns.of(Buffers.class));

  /** Without what the classes tell as they initialise, and without names of classes. */
  private List<String> told(String method) throws Exception {
    loader.run(Tells.class, method);
    Ledger.open(0);
    loader.run(Tells.class, method);
    return told();
  }

  private static List<String> told() {
    return Ledger.told().stream().map(NettyToldTest::plain).toList();
  }

  private static String plain(String line) {
    String text = line.replace("Buffers.", "").replaceAll("[A-Za-z]+#", "#");
    int last = text.lastIndexOf(' ');
    return text.startsWith("created")
        ? text.substring(0, last + 1)
            + Sites.get(Integer.parseInt(text.substring(last + 1))).method()
        : text;
  }

  private static Arguments told(String method, String... lines) {
    return Arguments.of(method, List.of(lines));
  }

  static Stream<Arguments> uses() {
    return Stream.of(
        told(
            "make",
            "allocated #0 #1 0",
            "allocated #2 #1 1",
            "allocated #3 #4 0",
            "allocated #5 #4 1",
            "allocated #6 #1 2",
            "allocated #7 #4 3"),
        told(
            "makeUnpooled",
            "allocated #0 #1 0",
            "createdOnHeap #0 buffer",
            "allocated #2 #1 1",
            "created #2 directBuffer",
            "created #3 wrappedBuffer"),
        told(
            "count",
            "allocated #0 #1 0",
            "retained #0",
            "retained #0",
            "released #0 false",
            "released #0 false",
            "released #0 true"),
        told("resize", "allocated #0 #1 0", "resized #0", "resized #0"),
        told("derive", "allocated #0 #1 0", "retained #0", "derived #2"),
        told(
            "compose",
            "allocated #0 #1 2",
            "allocated #2 #1 0",
            "joined #0 #3",
            "allocated #4 #1 0",
            "joined #0 #5",
            "componentRemoved #3",
            "released #2 true"),
        told(
            "merge",
            "allocated #0 #1 2",
            "allocated #2 #1 0",
            "joined #0 #3",
            "allocated #4 #1 2",
            "retained #2",
            "joined #4 #5",
            "released #0 true",
            "componentRemoved #3",
            "released #2 false",
            "merged #4"),
        told("keep", "allocated #0 #1 0", "markedUnreleasable #0"),
        told("ofTheThread", "created null threadLocalDirectBuffer"),
        told(
            "misuse",
            "allocated #0 #1 0",
            "released #0 true",
            "misused #2 #0 0",
            "misused #3 #0 0",
            "misused #4 #0 1",
            "misused #5 #0 1",
            "misused #6 #0 2"),
        told("misuseComposite", "allocated #0 #1 2", "released #0 true", "misused #2 #0 2"),
        told("extend", "allocated #0 #1 0"),
        told("grow", "allocated #0 #1 0"),
        told(
            "borrow",
            "allocated #0 #1 1",
            "returnedByAllocator #0 #2 0",
            "allocated #3 #1 1",
            "returnedByAllocator #3 #2 0",
            "allocated #4 #1 0",
            "returnedByAllocator #4 #2 0",
            "allocated #5 #1 1",
            "returnedByAllocator #5 #2 0",
            "allocated #6 #1 3",
            "returnedByAllocator #6 #2 0",
            "allocated #7 #1 2",
            "returnedByAllocator #7 #2 0",
            "allocated #8 #1 3",
            "returnedByAllocator #8 #2 3"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("uses")
  void eachUseIsToldInItsWay(String method, List<String> lines) throws Exception {
    assertThat(told(method)).isEqualTo(lines);
    assertThat(log).isEmpty();
  }

  /** A class that asks for a buffer as it initialises, in its constructor and in a method. */
  private static byte[] asking(String name) {
    ClassWriter made = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    made.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    for (String method : List.of("<clinit>", "<init>", "run")) {
      boolean constructs = method.equals("<init>");
      int access = Opcodes.ACC_PUBLIC | (constructs ? 0 : Opcodes.ACC_STATIC);
      MethodVisitor mv = made.visitMethod(access, method, "()V", null, null);
      mv.visitCode();
      if (constructs) {
        mv.visitVarInsn(Opcodes.ALOAD, 0);
        mv.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
      }
      mv.visitInsn(Opcodes.ICONST_1);
      mv.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          "io/netty/buffer/Unpooled",
          "buffer",
          "(I)Lio/netty/buffer/ByteBuf;",
          false);
      mv.visitInsn(Opcodes.POP);
      // A caller of something else keeps nothing.
      mv.visitMethodInsn(
          Opcodes.INVOKESTATIC, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;", false);
      mv.visitInsn(Opcodes.POP);
      mv.visitInsn(Opcodes.RETURN);
      mv.visitMaxs(0, 0);
      mv.visitEnd();
    }
    made.visitEnd();
    return made.toByteArray();
  }

  /** Of Netty alone: what an application makes so may leak. */
  @ParameterizedTest
  @CsvSource({
    "io.netty.channel.Asking, initialiser",
    "io.netty.channel.unix.IovArray, initialiser constructor",
    "com.example.woven.IovArray, ''",
  })
  void whatNettyMakesForItselfIsKept(String name, String keeps) throws Exception {
    loader.run(Tells.class, "makeUnpooled");
    loader.give(name, asking(name.replace('.', '/')));
    List<String> kept = new ArrayList<>();
    Ledger.open(0);
    Class<?> type = Class.forName(name, true, loader);
    addIfKept(kept, "initialiser");
    Object made = type.getConstructor().newInstance();
    addIfKept(kept, "constructor");
    type.getMethod("run").invoke(made);
    addIfKept(kept, "method");
    assertThat(String.join(" ", kept)).isEqualTo(keeps);
  }

  private static void addIfKept(List<String> kept, String what) {
    List<String> asked = List.of("allocated #0 #1 0", "createdOnHeap #0 buffer");
    if (told().size() > asked.size()) {
      assertThat(told()).containsExactly(asked.get(0), asked.get(1), "markedUnreleasable #0");
      kept.add(what);
    } else {
      assertThat(told()).isEqualTo(asked);
    }
    Ledger.open(0);
  }

  private static Object ask(Object buffer, String question) throws Exception {
    Method asked = buffer.getClass().getMethod("buftrail$" + question);
    asked.setAccessible(true);
    return asked.invoke(buffer);
  }

  /** The number of objects, if there are several. */
  private static Object answer(Object buffer, String question) throws Exception {
    Object answer = ask(buffer, question);
    return answer instanceof Object[] parts
        ? Stream.of(parts).filter(Objects::nonNull).count()
        : answer;
  }

  /** On the heap, outside, others' outside, others' to be read, pooled, made of one, of two. */
  @Test
  void buffersSayWhatTheyAre() throws Exception {
    Object[] shapes = (Object[]) loader.run(Tells.class, "shapes");
    List<Object> needRelease = new ArrayList<>();
    List<Object> pooled = new ArrayList<>();
    for (Object each : shapes) {
      needRelease.add(answer(each, "needsRelease"));
      pooled.add(answer(each, "isPooled"));
    }
    assertThat(needRelease).containsExactly(false, true, false, false, true, false, false);
    assertThat(pooled).containsExactly(false, false, false, false, true, false, false);
    assertThat(answer(shapes[5], "components")).isEqualTo(1L);
    assertThat(answer(shapes[6], "components")).isEqualTo(2L);
  }

  @Test
  void partsSayWhatTheyAreOf() throws Exception {
    Object[] parts = (Object[]) loader.run(Tells.class, "parts");
    Object buffer = parts[0];
    Object slice = parts[1];
    assertThat(ask(slice, "parent")).isSameAs(buffer);
    assertThat(ask(slice, "owner")).isSameAs(slice);
    assertThat(ask(parts[2], "owner")).as("slice of a slice").isSameAs(slice);
    assertThat(ask(parts[3], "owner")).as("duplicate of a slice").isSameAs(slice);
    Object component = ((Object[]) ask(parts[4], "components"))[0];
    assertThat(component).isInstanceOf(ComponentBase.class);
    assertThat(ask(component, "source")).isSameAs(buffer);
  }
}
