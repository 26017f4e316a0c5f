package org.buftrail.agent.weave.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.buftrail.agent.weave.classfile.Names;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The code inserted into methods of tests, and that the JVM accepts it. */
final class CatchVisitorTest {
  /** Woven. */
  @SuppressWarnings({"unused", "CatchAndPrintStackTrace"})
  public static final class Woven implements Callable<String> {
    static int tidied;

    static void quiet() {}

    static void throwing() {
      throw new IllegalStateException("thrown");
    }

    static void given(int number, long wide, RuntimeException e) {}

    static Exception returning() {
      return new IllegalStateException("returned");
    }

    static String catching() {
      try {
        throwing();
        return "nothing";
      } catch (IllegalArgumentException | IllegalStateException e) {
        return String.valueOf(e.getMessage());
      }
    }

    static void tidying() {
      int before = tidied;
      try {
        throwing();
      } finally {
        tidied = before + 1;
      }
    }

    static boolean asking() {
      CompletableFuture<String> done = CompletableFuture.completedFuture("done");
      return done.isCompletedExceptionally() && done.isDone();
    }

    static boolean askingNobody() {
      return StateOfFuture.isSuccess();
    }

    @Override
    public String call() {
      asking();
      askingNobody();
      given(1, 2, new RuntimeException());
      returning();
      try {
        tidying();
      } catch (RuntimeException e) {
        return catching() + tidied;
      }
      return "not thrown";
    }
  }

  /** Whether something succeeded, without a future. */
  public static final class StateOfFuture {
    private StateOfFuture() {}

    /** Asked by woven code. */
    public static boolean isSuccess() {
      return true;
    }
  }

  private static byte[] woven() throws IOException {
    try (InputStream in = Woven.class.getResourceAsStream("CatchVisitorTest$Woven.class")) {
      ClassReader reader = new ClassReader(Objects.requireNonNull(in));
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(new CatchVisitor(writer), 0);
      return writer.toByteArray();
    }
  }

  private static List<String> calls(byte[] classFile, String wanted) {
    List<String> calls = new ArrayList<>();
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String method, String type, String sign, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitMethodInsn(
                      int opcode, String owner, String name, String type, boolean isOfType) {
                    boolean isAnswer = owner.endsWith("Future") && type.equals("()Z");
                    if (method.equals(wanted) && (isAnswer || owner.equals(Names.TEST_CODE))) {
                      calls.add(name);
                    }
                  }
                };
              }
            },
            0);
    return calls;
  }

  @Test
  void eachWayToATestIsReported() throws IOException {
    byte[] woven = woven();
    assertThat(calls(woven, "quiet")).containsExactly("passed");
    assertThat(calls(woven, "given")).containsExactly("caught", "passed");
    assertThat(calls(woven, "catching")).containsExactly("caught", "passed");
    assertThat(calls(woven, "call")).containsExactly("caught", "caught", "passed");
    assertThat(calls(woven, "asking"))
        .containsExactly("isCompletedExceptionally", "asked", "isDone", "passed");
    assertThat(calls(woven, "askingNobody")).containsExactly("isSuccess", "passed");
    assertThat(calls(woven, "<init>")).isEmpty();
  }

  /** What {@code finally} does is no catch: the exception goes on. */
  @Test
  void tidyingUpIsNotReported() throws IOException {
    assertThat(calls(woven(), "tidying")).containsExactly("passed");
  }

  @Test
  void theJvmVerifiesAndRunsIt() throws Exception {
    byte[] woven = woven();
    ClassLoader loader =
        new ClassLoader(CatchVisitorTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(Woven.class.getName())
                ? defineClass(name, woven, 0, woven.length)
                : super.loadClass(name, resolve);
          }
        };
    Callable<?> made =
        (Callable<?>)
            loader.loadClass(Woven.class.getName()).getDeclaredConstructor().newInstance();
    assertThat(made.call()).isEqualTo("thrown1");
  }
}
