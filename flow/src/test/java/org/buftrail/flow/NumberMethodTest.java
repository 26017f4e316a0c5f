package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
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
