package org.buftrail.agent.weave.classfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"UnusedVariable", "FieldCanBeFinal", "ImmutableEnumChecker"})
final class SoleFieldTest {
  static class Body {}

  static class Final {
    private final int number = 1;
    private final Body body = new Body();
  }

  static class AssignedByConstructor {
    private Body body;

    AssignedByConstructor(Body body) {
      this.body = body;
    }

    Body body() {
      return body;
    }
  }

  static class AssignedByOther {
    private @Nullable Body body;

    void set(Body body) {
      this.body = body;
    }
  }

  record Value(String name, Body body) {}

  static class Two {
    private final Body first = new Body();
    private final Body second = new Body();
  }

  static class Many {
    private final Body[] bodies = {};
  }

  static class Shared {
    private static final Body BODY = new Body();
  }

  static class Passing {
    private final transient Body body = new Body();
  }

  static class Task extends Thread {
    private final Body body = new Body();
  }

  static class Derived extends AssignedByConstructor {
    private final Body other = new Body();

    Derived() {
      super(new Body());
    }
  }

  enum Constant {
    ONE;
    private final Body body = new Body();
  }

  private static Object capturing(Body captured) {
    return new Object() {
      @Override
      public String toString() {
        return captured.toString();
      }
    };
  }

  /** The field that a class wraps. */
  private static @Nullable String field(Class<?> c) throws IOException {
    SoleField field = kept(c);
    return field == null || field.fault() != null ? null : field.name();
  }

  private static @Nullable SoleField kept(Class<?> c) throws IOException {
    String file = c.getName().replace('.', '/') + ".class";
    try (InputStream in = c.getClassLoader().getResourceAsStream(file)) {
      byte[] classFile = Objects.requireNonNull(in).readAllBytes();
      return SoleField.of(
          new ClassHead(classFile), classFile, Body.class.getName().replace('.', '/')::equals);
    }
  }

  @Test
  void isWhatConstructorsAloneAssign() throws IOException {
    assertThat(field(Final.class)).isEqualTo("body");
    assertThat(field(AssignedByConstructor.class)).isEqualTo("body");
    assertThat(field(Value.class)).isEqualTo("body");
    assertThat(field(Derived.class)).isEqualTo("other");
    assertThat(field(AssignedByOther.class)).isNull();
  }

  @Test
  void isOneAlone() throws IOException {
    assertThat(field(Two.class)).isNull();
    assertThat(field(Many.class)).isNull();
    assertThat(field(Shared.class)).isNull();
    assertThat(field(Passing.class)).isNull();
    assertThat(field(capturing(new Body()).getClass())).isNull();
  }

  @Test
  void isNotOfEnumsNorOfClassesBelowTheJdks() throws IOException {
    assertThat(field(Constant.class)).isNull();
    assertThat(field(Task.class)).isNull();
  }

  private static String why(Class<?> c) throws IOException {
    SoleField kept = Objects.requireNonNull(kept(c));
    return String.join(" ", kept.names()) + ": " + kept.fault();
  }

  @Test
  void whyAClassThatKeepsSomeWrapsNoneIsKnown() throws IOException {
    assertThat(why(Two.class)).isEqualTo("first second: has several fields that hold buffers");
    assertThat(why(AssignedByOther.class)).isEqualTo("body: assigns its field again");
    assertThat(why(Task.class)).isEqualTo("body: extends a class of the JDK");
    assertThat(why(Final.class)).isEqualTo("body: null");
    assertThat(kept(Many.class)).isNull();
    assertThat(kept(Constant.class)).isNull();
  }
}
