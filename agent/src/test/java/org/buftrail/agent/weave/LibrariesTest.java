package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.agent.weave.library.BufferLibrary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@link Libraries} inherits from {@link BufferLibrary} and asked nobody would silence Netty.
 */
final class LibrariesTest {
  private final List<Method> asked = new ArrayList<>();
  private final BufferLibrary first =
      (BufferLibrary)
          Proxy.newProxyInstance(
              getClass().getClassLoader(), new Class<?>[] {BufferLibrary.class}, this::answer);

  static Stream<Method> questions() {
    return Arrays.stream(BufferLibrary.class.getMethods())
        .filter(method -> !method.getName().equals("parts"));
  }

  private @Nullable Object answer(Object proxy, Method question, Object[] arguments) {
    asked.add(question);
    Class<?> type = question.getReturnType();
    if (type == boolean.class) {
      return true;
    }
    return type == List.class ? List.of("an answer") : null;
  }

  private static @Nullable Object argument(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    if (type == byte[].class) {
      return new byte[0];
    }
    return type == Class.class ? Object.class : type == String.class ? "com/example/Any" : null;
  }

  @ParameterizedTest
  @MethodSource("questions")
  void eachQuestionReachesTheFirstLibrary(Method question) throws ReflectiveOperationException {
    Object[] arguments =
        Arrays.stream(question.getParameterTypes()).map(LibrariesTest::argument).toArray();
    Object answer = question.invoke(new Libraries(first), arguments);
    assertThat(asked).contains(question);
    if (question.getReturnType() == boolean.class) {
      assertThat(answer).isEqualTo(true);
    }
  }
}
