package org.buftrail.benchmarks.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import org.junit.jupiter.api.Test;

final class TimedProcessTest {
  @Test
  void theChildrensTimesAreAddedUp() {
    assertThat(TimedProcess.processorSeconds("0m9.00s 0m9.00s\n1m2.50s 0m0.25s\n"))
        .isCloseTo(62.75, offset(1e-9));
  }
}
