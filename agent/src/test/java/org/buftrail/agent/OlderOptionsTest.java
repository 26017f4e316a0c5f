package org.buftrail.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was right to write once is right for ever; see docs/compatibility.md. */
final class OlderOptionsTest {
  static List<String> written() throws IOException {
    try (InputStream in =
            Objects.requireNonNull(
                OlderOptionsTest.class.getResourceAsStream("/older-options.txt"));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> !line.startsWith("#")).collect(Collectors.toList());
    }
  }

  @ParameterizedTest
  @MethodSource("written")
  void isUnderstoodAsItWas(String argument) {
    Options options = Options.parse(argument, new Properties(), Map.of());
    assertThat(options.written(options.services))
        .isEqualTo(argument.replaceAll("(?<=httpToken=)[^;]*", "…"));
  }
}
