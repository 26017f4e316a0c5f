package org.buftrail.agent.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Streams that an application puts in the place of standard error. */
final class LogTest {
  private static void withErr(PrintStream err, Runnable run) {
    PrintStream before = System.err;
    System.setErr(err);
    try {
      run.run();
    } finally {
      System.setErr(before);
    }
  }

  @Test
  void aLineHasItsPrefix() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    withErr(new PrintStream(bytes, true, StandardCharsets.UTF_8), () -> Log.line("hello"));
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo("buftrail: hello" + System.lineSeparator());
  }

  @Test
  void aStreamThatThrowsCostsTheLineAlone() {
    int[] asked = {0};
    PrintStream broken =
        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8) {
          @Override
          public void println(@Nullable String line) {
            asked[0]++;
            throw new IllegalStateException("no appender");
          }
        };
    withErr(broken, () -> Log.line("hello"));
    assertThat(asked[0]).isEqualTo(1);
  }
}
