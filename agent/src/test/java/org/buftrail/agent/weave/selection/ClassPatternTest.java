package org.buftrail.agent.weave.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which classes a pattern names, and which it does not although they look alike. */
final class ClassPatternTest {
  @ParameterizedTest
  @CsvSource({
    "com.example, com/example/App, true",
    "com.example, com/example/deep/er/App, true",
    "com.example, com/example/App$Inner, true",
    "com.example, com/examples/App, false",
    "com.example, com/example2/App, false",
    "com.example, com/exampl/App, false",
    "com.example, com/Example/App, false",
    "com.example, org/com/example/App, false",
    "com.example, com, false",
    "com.example.*, com/example/App, true",
    "com.example.*, com/examples/App, false",
    "com.example.**, com/example/deep/App, true",
    "com.example.**, com/examples/App, false",
    "com.example.App, com/example/App, true",
    "com.example.App, com/example/App$Inner$1, true",
    "com.example.App, com/example/Apps, false",
    "com.example.App, com/example/App2, false",
    "com.example.App, com/example/MyApp, false",
    "com.example.App, com/example/app, false",
    "com.example.App$Inner, com/example/App$Inner, true",
    "com.example.App$Inner, com/example/App$Inner$1, true",
    "com.example.App$Inner, com/example/App, false",
    "com.example.App$Inner, com/example/App$Inner2, false",
    "app, app/Main, true",
    "app, application/Main, false",
    "'com.a, com.b', com/a/X, true",
    "'com.a, com.b', com/b/X, true",
    "'com.a, com.b', com/c/X, false",
    "'com.a ,com.b.*', com/bb/X, false",
    "com.größe, com/größe/Maß, true",
  })
  void aNameMatchesWholeParts(String pattern, String name, boolean matches) {
    assertThat(ClassPattern.parse(pattern).matches(name)).isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "com..example",
        ".com",
        "com.",
        "*",
        "com.*.app",
        "com example",
        "1a",
        "com/example",
        "com.example,",
        "com.example,,org",
        "com.a;b",
        "com-a"
      })
  void whatIsNoNameIsRefusedAndQuoted(String pattern) {
    assertThatThrownBy(() -> ClassPattern.parse(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(" is not a package or class name such as com.example.app");
  }

  @ParameterizedTest
  @CsvSource({"com.example", "com.example.App", "'com.a,com.b'"})
  void aPatternIsToldAsItWasGiven(String pattern) {
    assertThat(ClassPattern.parse(pattern)).hasToString(pattern);
    assertThat(ClassPattern.parse(pattern).isEmpty()).isFalse();
    assertThat(ClassPattern.NONE.isEmpty()).isTrue();
    assertThat(ClassPattern.NONE.matches("com/example/App")).isFalse();
  }
}
