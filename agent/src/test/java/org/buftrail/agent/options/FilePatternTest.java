package org.buftrail.agent.options;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FilePatternTest {
  private static final long PID = ProcessHandle.current().pid();

  @Test
  void namesTheProcessItsStartAndItsHostAsTheJdkDoes() {
    assertThat(FilePattern.expand("flows-%p.json")).isEqualTo("flows-" + PID + ".json");
    assertThat(FilePattern.expand("%p%p")).isEqualTo("" + PID + PID);
    assertThat(FilePattern.expand("dir/%t/x"))
        .matches("dir/20\\d\\d-\\d\\d-\\d\\d_\\d\\d-\\d\\d-\\d\\d/x");
    assertThat(FilePattern.expand("%hn.html")).matches("[\\w.-]+\\.html");
    assertThat(FilePattern.expand("%hn")).isNotEmpty().doesNotContain("%");
  }

  @Test
  void leavesEveryOtherPercentSign() {
    assertThat(FilePattern.expand("plain.json")).isEqualTo("plain.json");
    assertThat(FilePattern.expand("100%.json")).isEqualTo("100%.json");
    assertThat(FilePattern.expand("a%20b%h%n%")).isEqualTo("a%20b%h%n%");
    assertThat(FilePattern.expand("%%p-%p")).isEqualTo("%p-" + PID);
  }
}
