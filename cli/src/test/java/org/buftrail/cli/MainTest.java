package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MainTest {
  @Test
  void helpGoesToStandardOutputAndSucceeds() {
    Run run = Run.of("--help");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("Usage: buftrail").contains("Exit codes: 0 done");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void versionIsOneLine() {
    Run run = Run.of("--version");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).matches("buftrail \\S.*\\R");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void anUnknownOptionIsOneLineAndExitCode2() {
    Run run = Run.of("--nonsense");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .isEqualToNormalizingNewlines(
            "buftrail: Unknown option: '--nonsense'; see buftrail --help\n");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void noCommandIsWrongUsage() {
    Run run = Run.of();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .isEqualToNormalizingNewlines("buftrail: a command is missing; see buftrail --help\n");
  }
}
