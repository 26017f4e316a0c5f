package org.buftrail.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How {@code sql} ends when its answer does not arrive, as the shell around it sees it. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
final class StandardOutputTest {
  /** More than a pipe holds. */
  private static final String QUERY = "select range, repeat('x', 99) from range(100000)";

  @TempDir private Path directory;

  /** Runs the command with a redirection behind it; answers what it said and its exit code. */
  private String run(String redirected) throws Exception {
    return Forked.run(
        directory,
        directory,
        Forked.COMMAND + redirected,
        "sql",
        QUERY,
        Answer.recording("jdk11").toAbsolutePath().toString());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDeviceIsSaid() throws Exception {
    assertThat(run(" >/dev/full"))
        .isEqualTo(
            "buftrail: cannot write -: standard output was closed, or its device is full\n1\n");
  }

  @Test
  void aPipeThatIsClosedWithinTheAnswerIsSilent() throws Exception {
    assertThat(run(" | head -n 2 >read")).isEqualTo("141\n");
    assertThat(directory.resolve("read")).content(UTF_8).startsWith("range").hasLineCount(2);
  }
}
