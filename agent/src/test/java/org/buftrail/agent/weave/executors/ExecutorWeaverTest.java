package org.buftrail.agent.weave.executors;

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
import org.buftrail.agent.weave.FakeJvm;
import org.buftrail.agent.weave.WeavingLoader;
import org.buftrail.flow.woven.ExecutorScopes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.util.CheckClassAdapter;

class ExecutorWeaverTest {
  private static final String NETTY = "io.netty.util.concurrent.";

  /** What the JVM is asked to do, beside questions. */
  private final List<String> asked = new ArrayList<>();

  private final List<String> log = new ArrayList<>();
  private boolean fails;

  private final Instrumentation jvm = FakeJvm.of(this::answer);

  private final ExecutorWeaver weaver = new ExecutorWeaver(jvm, log::add);

  private static byte[] classFile(String name) throws IOException {
    String path = name.replace('.', '/');
    try (InputStream in = ClassLoader.getSystemResourceAsStream(path + ".class")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  private byte @Nullable [] woven(String name) throws IOException {
    return weaver.transform(null, name.replace('.', '/'), null, null, classFile(name));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          java.util.concurrent.ThreadPoolExecutor | <init> made, execute handed, runWorker begun, runWorker run
          java.util.concurrent.ScheduledThreadPoolExecutor | delayedExecute lasting
          java.util.concurrent.ForkJoinPool | <init> made, execute handed, submit handed, runWorker begun
          java.util.concurrent.ForkJoinTask | fork offered, doExec taken, doExec ended
          java.util.concurrent.ForkJoinTask$AdaptedRunnableAction | exec run
          java.util.concurrent.ForkJoinTask$AdaptedCallable | <init> offered
          java.util.Timer | sched lasting
          java.util.TimerThread | mainLoop run
          io.netty.util.concurrent.SingleThreadEventExecutor | <init> made, updateLastExecutionTime begun, execute handed
          io.netty.util.concurrent.AbstractScheduledEventExecutor | schedule lasting
          io.netty.util.concurrent.AbstractEventExecutor | runTask run
          io.netty.util.concurrent.GlobalEventExecutor | <init> made, takeTask begun, execute handed
          io.netty.util.HashedWheelTimer$HashedWheelTimeout | <init> lasting, run taken, run ended
          com.example.woven.Crew | execute offered
          com.example.woven.Crew$Member | run run
          """)
  void tasksAreSeenWhereTheyAreHandedOnAndRun(String name, String expected) throws IOException {
    if (name.endsWith("Crew$Member")) {
      woven("com.example.woven.Crew");
    }
    byte[] woven = Objects.requireNonNull(woven(name));
    assertThat(calls(woven)).containsAll(List.of(expected.split(", ")));
    StringWriter problems = new StringWriter();
    CheckClassAdapter.verify(
        new ClassReader(woven),
        ClassLoader.getSystemClassLoader(),
        false,
        new PrintWriter(problems));
    assertThat(problems).hasToString("");
  }

  /** An overload that hands on to another must not count the task twice. */
  @Test
  void aTaskIsHandedOnce() throws IOException {
    for (String name :
        List.of(
            "java.util.concurrent.ThreadPoolExecutor",
            NETTY + "SingleThreadEventExecutor",
            NETTY + "GlobalEventExecutor")) {
      assertThat(calls(Objects.requireNonNull(woven(name))))
          .filteredOn("execute handed"::equals)
          .as(name)
          .hasSize(1);
    }
    assertThat(calls(Objects.requireNonNull(woven(NETTY + "AbstractScheduledEventExecutor"))))
        .filteredOn("schedule lasting"::equals)
        .hasSize(1);
  }

  /** Another thread may take it as soon as it is pushed. */
  @Test
  void aForkedTaskIsMarkedBeforeAllElse() throws IOException {
    List<String> called = new ArrayList<>();
    new ClassReader(Objects.requireNonNull(woven("java.util.concurrent.ForkJoinTask")))
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public @Nullable MethodVisitor visitMethod(
                  int access, String method, String type, String sign, String[] exceptions) {
                return !method.equals("fork")
                    ? null
                    : new MethodVisitor(Opcodes.ASM9) {
                      @Override
                      public void visitMethodInsn(
                          int opcode, String owner, String name, String desc, boolean isOfType) {
                        called.add(name);
                      }
                    };
              }
            },
            0);
    assertThat(called).startsWith("offered").contains("push").containsOnlyOnce("offered");
  }

  @Test
  void othersAreLeftAlone() throws IOException {
    assertThat(woven("java.util.concurrent.CompletableFuture")).isNull();
    assertThat(woven("com.example.woven.Loops")).as("calls execute only").isNull();
    assertThat(woven("com.example.woven.Crew$Member")).as("of a class not seen yet").isNull();
    assertThat(ExecutorHooks.of("com/acme/ThreadPoolExecutor")).isEmpty();
    assertThat(ExecutorHooks.of("shaded/io/netty/util/concurrent/SingleThreadEventExecutor"))
        .isNotEmpty();
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
    String executors = "ThreadPoolExecutor Timer ForkJoinPool";
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
        " may be in the scope of the code that submits work:"
            + " java.lang.instrument.UnmodifiableClassException: not this";
    assertThat(log)
        .containsExactly(
            "threads of java.util.concurrent.ThreadPoolExecutor" + why,
            "threads of java.util.Timer" + why,
            "threads of java.util.concurrent.ForkJoinPool" + why);
    asked.clear();
    weaver.restore();
    assertThat(asked).as("of a transformer that is no longer there").containsExactly("remove");
  }

  @Test
  void whatATestHandsToALoopOfAnotherTestIsItsOwn() throws Exception {
    String second = "second, in run";
    WeavingLoader asIs = new WeavingLoader(null);
    assertThat(asIs.run(Loops.class, "run")).isEqualTo(second + ": run; run; run; null");
    WeavingLoader loader = new WeavingLoader(null);
    for (String name :
        List.of(
            NETTY + "SingleThreadEventExecutor",
            NETTY + "GlobalEventExecutor",
            NETTY + "GlobalEventExecutor$TaskRunner",
            NETTY + "AbstractEventExecutor",
            NETTY + "AbstractScheduledEventExecutor",
            "io.netty.util.HashedWheelTimer$HashedWheelTimeout")) {
      loader.give(name, Objects.requireNonNullElse(woven(name), classFile(name)));
    }
    String all = "run > " + second;
    assertThat(loader.run(Loops.class, "run"))
        .isEqualTo(second + ": " + all + "; " + all + "; " + all + "; " + all);
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
