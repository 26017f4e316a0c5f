package org.buftrail.agent.weave.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.buftrail.flow.LeakScope;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/** That the JVM accepts woven static initialisers, and that each end is reported. */
public final class InitializerVisitorTest {
  private static final List<String> SCOPES = new ArrayList<>();

  /** Called by the woven classes. */
  public static boolean note() {
    LeakScope scope = LeakScope.current();
    SCOPES.add(scope == null ? "none" : scope.name());
    return true;
  }

  /** Woven; has branches, handlers and more than one return. */
  public static final class Woven {
    static final boolean NOTED = note();

    static {
      int caught = 0;
      for (int i = 0; i < 3; i++) {
        try {
          Integer.parseInt("x" + i);
        } catch (NumberFormatException e) {
          caught++;
        }
      }
      if (caught != 3) {
        throw new IllegalStateException("caught " + caught);
      }
    }
  }

  /** Woven. */
  public static final class Failing {
    static {
      if (note()) {
        throw new IllegalStateException("on purpose");
      }
    }
  }

  private static Class<?> woven(Class<?> type) throws IOException, ClassNotFoundException {
    String file = "InitializerVisitorTest$" + type.getSimpleName() + ".class";
    byte[] woven;
    try (InputStream in = InitializerVisitorTest.class.getResourceAsStream(file)) {
      ClassReader reader = new ClassReader(Objects.requireNonNull(in));
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(new InitializerVisitor(new CatchVisitor(writer), type.getName()), 0);
      woven = writer.toByteArray();
    }
    ClassLoader loader =
        new ClassLoader(InitializerVisitorTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(type.getName())
                ? defineClass(name, woven, 0, woven.length)
                : super.loadClass(name, resolve);
          }
        };
    return loader.loadClass(type.getName());
  }

  private static void initialize(Class<?> type) throws ClassNotFoundException {
    Class.forName(type.getName(), true, type.getClassLoader());
  }

  @Test
  @SuppressWarnings("try") // the scopes are there, not used
  void whatAnInitializerDoesIsItsClasssWhereverItEnds() throws Exception {
    SCOPES.clear();
    Class<?> woven = woven(Woven.class);
    Class<?> failing = woven(Failing.class);
    try (LeakScope run = LeakScope.open("the run");
        LeakScope type = LeakScope.open(Woven.class.getName());
        LeakScope test = LeakScope.open("test")) {
      initialize(woven);
      note();
      assertThatThrownBy(() -> initialize(failing)).isInstanceOf(ExceptionInInitializerError.class);
      note();
    }
    assertThat(SCOPES).containsExactly(Woven.class.getName(), "test", "the run", "test");
  }
}
