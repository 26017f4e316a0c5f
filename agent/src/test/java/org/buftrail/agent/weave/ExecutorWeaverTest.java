package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.woven.Loops;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    assertThat(ExecutorWeaver.begins("io/netty/util/concurrent/DefaultEventExecutor")).isNull();
    assertThat(ExecutorWeaver.begins("shaded/io/netty/util/concurrent/SingleThreadEventExecutor"))
        .isEqualTo("updateLastExecutionTime");
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
