package org.buftrail.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ProcessStateTest {
  private static void signal(long pid, String name) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
        .isZero();
  }

  @Test
  void aProcessIsCalledWhatItIs() throws Exception {
    Process sleep = new ProcessBuilder("sleep", "600").start();
    long pid = sleep.pid();
    try {
      assertThat(ProcessState.describe(pid, "it does not respond"))
          .isEqualTo(
              "process %d does not answer: it is busy, no JVM, or in another container; try again"
                      .formatted(pid)
                  + " (it does not respond)");
      assertThat(ProcessState.describe(pid, "no way"))
          .isEqualTo("cannot attach to process " + pid + " (no way)");
      assertThat(ProcessState.isStopped(pid)).isFalse();
      signal(pid, "STOP");
      while (!ProcessState.isStopped(pid)) {
        Thread.sleep(10);
      }
      assertThat(ProcessState.describe(pid, "it does not respond"))
          .startsWith("process " + pid + " is stopped, by a signal or a debugger")
          .endsWith("kill -CONT " + pid);
    } finally {
      sleep.destroyForcibly().waitFor();
    }
    assertThat(ProcessState.describe(pid, "it does not respond"))
        .isEqualTo("process " + pid + " has ended");
  }

  @Test
  void theStateIsTheFirstLetter() {
    assertThat(ProcessState.state(List.of("Name:\tjava", "State:\tT (stopped)"))).isEqualTo('T');
    assertThat(ProcessState.state(List.of())).isEqualTo(' ');
  }
}
