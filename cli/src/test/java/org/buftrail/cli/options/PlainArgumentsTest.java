package org.buftrail.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlainArgumentsTest {
  @Test
  void filesAndOneOutputAreRead() {
    PlainArguments expected =
        new PlainArguments(List.of(Path.of("a b.jfr"), Path.of("c")), "d.otlp");
    assertThat(read("a b.jfr", "-o", "d.otlp", "c")).isEqualTo(expected);
    assertThat(read("--output", "d.otlp", "a b.jfr", "c")).isEqualTo(expected);
    assertThat(read("a")).isEqualTo(new PlainArguments(List.of(Path.of("a")), null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "a -",
        "a -o -",
        "a -o",
        "-o a",
        "a -oa",
        "a --output=a",
        "a -o b -o c",
        "a --cpu",
        "--help",
        "-- a",
        "@a",
        "a -o @b",
        "'a'",
        "\"a\""
      })
  void allElseIsForTheParser(String line) {
    assertThat(read(line.split(" "))).isNull();
  }

  @Test
  void withoutOutputItsOptionIsForTheParser() {
    assertThat(PlainArguments.read(new String[] {"info", "a", "-o", "b"}, false)).isNull();
    assertThat(PlainArguments.read(new String[] {"info", "a"}, false))
        .isEqualTo(new PlainArguments(List.of(Path.of("a")), null));
  }

  private static @Nullable PlainArguments read(String... arguments) {
    String[] line = new String[arguments.length + 1];
    line[0] = "convert";
    System.arraycopy(arguments, 0, line, 1, arguments.length);
    return PlainArguments.read(line, true);
  }
}
