package org.buftrail.flow.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

@SuppressWarnings("UnusedMethod") // called by their names
final class NumberMethodTest {
  /** Has what it has from two sides. */
  private interface Sized {
    default long size() {
      return 7;
    }
  }

  private static class Base {
    short count() {
      return 3;
    }

    int other(int argument) {
      return argument;
    }

    static int level() {
      return 1;
    }
  }

  private static final class Below extends Base implements Sized {}

  @Test
  void isFoundInClassesAndInterfacesAbove() throws Exception {
    assertThat(new NumberMethod("count").of(new Below())).isEqualTo(3);
    assertThat(new NumberMethod("size").of(new Below())).isEqualTo(7);
  }

  /** Where a module keeps the class to itself, the interface that it implements is public. */
  @Test
  void isThatOfAnInterfaceWhereTheClassIsAModulesOwn() throws Exception {
    assertThat(new NumberMethod("size").of(List.of(1, 2, 3))).isEqualTo(3);
  }

  /** The counting method of a class is public, and its loader may be another. */
  public interface Counting {
    int count();
  }

  /** Not there where {@link Partial} loads classes. */
  private static final class Absent {}

  private static final class Half implements Counting {
    @Override
    public int count() {
      return 5;
    }

    Absent absent() {
      return new Absent();
    }

    int own() {
      return 1;
    }
  }

  private static final class Partial extends ClassLoader {
    Partial() {
      super(NumberMethodTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(Absent.class.getName())) {
        throw new ClassNotFoundException(name);
      }
      if (!name.equals(Half.class.getName())) {
        return super.loadClass(name, resolve);
      }
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = Objects.requireNonNull(getResourceAsStream(file))) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** As of a library without something that it needs for a part alone. */
  @Test
  void aClassThatCannotBeReadWholeIsAskedByItsInterface() throws Exception {
    Constructor<?> half =
        Class.forName(Half.class.getName(), false, new Partial()).getDeclaredConstructor();
    half.setAccessible(true);
    Object object = half.newInstance();
    assertThat(new NumberMethod("count").of(object)).isEqualTo(5);
    assertThatThrownBy(() -> new NumberMethod("own").of(object))
        .isInstanceOf(NoClassDefFoundError.class);
  }

  @Test
  void whatGivesNoNumberWithoutAnArgumentIsNone() {
    for (String name : List.of("toString", "other", "level", "missing")) {
      assertThatThrownBy(() -> new NumberMethod(name).of(new Below()))
          .isInstanceOf(NoSuchMethodException.class)
          .hasMessage(
              Below.class.getName()
                  + " has no method "
                  + name
                  + "() that gives a number and may be called");
    }
  }
}
