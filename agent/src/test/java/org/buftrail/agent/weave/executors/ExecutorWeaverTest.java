package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.woven.Loops;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Timer;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.buftrail.flow.woven.ExecutorScopes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.util.CheckClassAdapter;

class ExecutorWeaverTest {
  private static final String NETTY = "io.netty.util.concurrent.";

  /** What the JVM is asked to do, beside what it is asked to tell. */
  private final List<String> asked = new ArrayList<>();

  private final List<String> log = new ArrayList<>();
  private boolean fails;

  private final Instrumentation jvm = FakeJvm.of(this::answer);

  private final ExecutorWeaver weaver = new ExecutorWeaver(jvm, log::add);

  /** The class file woven. */
  private static byte[] woven(String name) throws IOException {
    String path = name.replace('.', '/');
    try (InputStream in = ClassLoader.getSystemResourceAsStream(path + ".class")) {
      return ExecutorWeaver.weave(
          Objects.requireNonNull(in).readAllBytes(),
          Objects.requireNonNull(ExecutorWeaver.begins(path)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "java.util.concurrent.ThreadPoolExecutor, runWorker",
    "java.util.concurrent.ForkJoinPool, runWorker",
    "io.netty.util.concurrent.SingleThreadEventExecutor, updateLastExecutionTime",
    "io.netty.util.concurrent.GlobalEventExecutor, takeTask"
  })
  void executorsTellOfEachConstructionAndOfEachThread(String name, String begins)
      throws IOException {
    byte[] woven = woven(name);
    List<String> calls = calls(woven);
    assertThat(calls).contains("<init> made").contains(begins + " begun");
    assertThat(calls.stream().filter(call -> call.endsWith(" begun"))).hasSize(1);
    StringWriter problems = new StringWriter();
    CheckClassAdapter.verify(
        new ClassReader(woven),
        ClassLoader.getSystemClassLoader(),
        false,
        new PrintWriter(problems));
    assertThat(problems).hasToString("");
  }

  @Test
  void othersAreLeftAlone() {
    assertThat(ExecutorWeaver.begins("java/util/Timer")).isNull();
    assertThat(ExecutorWeaver.begins("com/acme/ThreadPoolExecutor")).isNull();
    assertThat(ExecutorWeaver.begins("com/acme/Own")).isNull();
    assertThat(ExecutorWeaver.begins("io/netty/util/concurrent/DefaultEventExecutor")).isNull();
    assertThat(ExecutorWeaver.begins("shaded/io/netty/util/concurrent/SingleThreadEventExecutor"))
        .isEqualTo("updateLastExecutionTime");
    assertThat(ExecutorWeaver.begins("netty/util/concurrent/GlobalEventExecutor"))
        .isEqualTo("takeTask");
  }

  @Test
  void noThreadBeginsInAStaticMethod() {
    ClassWriter made = new ClassWriter(0);
    made.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, "a/Pool", null, "java/lang/Object", null);
    for (int access : new int[] {Opcodes.ACC_STATIC, 0}) {
      String types = access == 0 ? "(I)V" : "()V";
      MethodVisitor mv = made.visitMethod(access, "runWorker", types, null, null);
      mv.visitCode();
      mv.visitInsn(Opcodes.RETURN);
      mv.visitMaxs(0, 2);
      mv.visitEnd();
    }
    made.visitEnd();
    assertThat(calls(ExecutorWeaver.weave(made.toByteArray(), "runWorker")))
        .containsExactly("runWorker begun");
  }

  private @Nullable Object answer(String method, Object[] arguments)
      throws UnmodifiableClassException {
    switch (method) {
      case "getAllLoadedClasses":
        return new Class<?>[] {
          String.class, ThreadPoolExecutor.class, Timer.class, ForkJoinPool.class
        };
      case "isRetransformClassesSupported":
        return true;
      case "addTransformer":
        asked.add("add, for retransformation: " + arguments[1]);
        assertThat(arguments[0]).isSameAs(weaver);
        return null;
      case "removeTransformer":
        asked.add("remove");
        assertThat(arguments[0]).isSameAs(weaver);
        return !fails;
      case "retransformClasses":
        asked.add(
            Stream.of((Class<?>[]) arguments[0])
                .map(Class::getSimpleName)
                .collect(Collectors.joining(" ")));
        if (fails) {
          throw new UnmodifiableClassException("not this");
        }
        return null;
      default:
        throw new UnsupportedOperationException(method);
    }
  }

  @Test
  void executorsAreWovenAsTheFirstScopeOpensAndRestored() {
    ExecutorScopes.setWeaver(weaver::weave);
    assertThat(asked).isEmpty();
    ExecutorScopes.prepare();
    String executors = "ThreadPoolExecutor ForkJoinPool";
    assertThat(asked).containsExactly("add, for retransformation: true", executors);
    asked.clear();
    weaver.restore();
    assertThat(asked).containsExactly("remove", executors);
    asked.clear();
    weaver.restore();
    assertThat(asked).isEmpty();
    assertThat(log).isEmpty();
  }

  @Test
  void withoutAScopeNothingIsWovenOrRestored() {
    ExecutorScopes.setWeaver(weaver::weave);
    ExecutorScopes.setWeaver(null);
    weaver.restore();
    ExecutorScopes.prepare();
    assertThat(asked).isEmpty();
  }

  @Test
  void whatCannotBeWovenIsToldAndIsNotRestored() {
    fails = true;
    ExecutorScopes.setWeaver(weaver::weave);
    ExecutorScopes.prepare();
    String why =
        " may be in the scope of whoever brings them work:"
            + " java.lang.instrument.UnmodifiableClassException: not this";
    assertThat(log)
        .containsExactly(
            "threads of java.util.concurrent.ThreadPoolExecutor" + why,
            "threads of java.util.concurrent.ForkJoinPool" + why);
    asked.clear();
    weaver.restore();
    assertThat(asked).as("of a transformer that is no longer there").containsExactly("remove");
  }

  @Test
  void onlyExecutorsAreTransformed() throws IOException {
    String name = "java/util/concurrent/ThreadPoolExecutor";
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      byte[] classFile = Objects.requireNonNull(in).readAllBytes();
      byte[] woven = weaver.transform(null, name, null, null, classFile);
      assertThat(calls(Objects.requireNonNull(woven))).contains("runWorker begun");
      assertThat(weaver.transform(null, "java/util/Timer", null, null, classFile)).isNull();
      assertThat(weaver.transform(null, null, null, null, classFile)).isNull();
    }
  }

  @Test
  void threadsOfNettyAreInTheScopeInWhichTheirLoopWasMade() throws Exception {
    WeavingLoader asIs = new WeavingLoader(null);
    assertThat(asIs.run(Loops.class, "run"))
        .isEqualTo("run > run's test: run > run's test, run > run's test, run > run's test");
    WeavingLoader loader = new WeavingLoader(null);
    for (String name :
        List.of(NETTY + "SingleThreadEventExecutor", NETTY + "GlobalEventExecutor")) {
      loader.give(name, woven(name));
    }
    // Netty's own, which its static initialiser makes, is everybody's.
    assertThat(loader.run(Loops.class, "run"))
        .isEqualTo("run > run's test: run, run > run's test, run");
  }

  /** {@code METHOD CALLED} of what is called of the runtime. */
  private static List<String> calls(byte[] classFile) {
    List<String> calls = new ArrayList<>();
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access,
                  String method,
                  String descriptor,
                  String signature,
                  String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitMethodInsn(
                      int opcode, String owner, String name, String of, boolean isInterface) {
                    if (owner.equals("org/buftrail/flow/woven/ExecutorScopes")) {
                      calls.add(method + ' ' + name);
                    }
                  }
                };
              }
            },
            0);
    return calls;
  }
}
