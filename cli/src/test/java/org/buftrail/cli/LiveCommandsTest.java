package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said when the process is not one that runs the agent. */
final class LiveCommandsTest {
  /** Above what Linux gives out. */
  private static final String NO_PROCESS = "2147483646";

  @ParameterizedTest
  @ValueSource(strings = {"dump", "top", "memory", "reset"})
  void aProcessThatIsNotThereIsOneLine(String command) {
    Run run = Run.of(command, NO_PROCESS);
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).startsWith("buftrail: there is no process " + NO_PROCESS + "; ");
  }

  @Test
  void aProcessThatIsNoJvmIsLeftAlone() throws Exception {
    Process sleep = new ProcessBuilder("sleep", "60").start();
    try {
      Run run = Run.of("dump", Long.toString(sleep.pid()));
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.err()).startsWith("buftrail: process " + sleep.pid() + " is no JVM");
      assertThat(sleep.isAlive()).isTrue();
    } finally {
      sleep.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump", "top", "memory", "reset", "on", "off", "attach", "detach"})
  void aNameThatNoProcessHasIsSaidBelowTheList(String command) {
    Run run = Run.of(command, "no.such.Name");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines().reduce((first, last) -> last).orElseThrow())
        .isEqualTo(
            "buftrail: no Java process of this user has 'no.such.Name' in its name; see buftrail "
                + command
                + " --help");
  }

  @Test
  void theFormatIsCheckedBeforeAnythingIsAttached() {
    Run run = Run.of("dump", NO_PROCESS, "-o", "flows.tiff");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("the format of flows.tiff is not known");
  }

  @Test
  void anIntervalOf0IsWrongUsage() {
    assertThat(Run.of("top", NO_PROCESS, "--interval", "0").exit()).isEqualTo(2);
  }
}
