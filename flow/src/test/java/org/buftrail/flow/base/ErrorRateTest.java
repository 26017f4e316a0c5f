package org.buftrail.flow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorRateTest {
  private final ErrorRate burst = new ErrorRate(3, 100);

  @Test
  void isFullOnceAtTheLastOfSoManyInTheTime() {
    assertThat(adds(Long.MAX_VALUE - 10, Long.MIN_VALUE, Long.MIN_VALUE + 5, Long.MIN_VALUE + 6))
        .as("over the wrap of the clock too")
        .containsExactly(false, false, true, false);
  }

  @Test
  void theTimeBeginsWithTheFirstAndItsEndBelongsToIt() {
    assertThat(adds(-50, 30, 50)).containsExactly(false, false, true);
    assertThat(new ErrorRateTest().adds(-50, 30, 51)).containsExactly(false, false, false);
  }

  @Test
  void isNeverFullWhenEventsAreSpread() {
    assertThat(adds(0, 60, 120, 180, 240, 300, 360)).doesNotContain(true);
  }

  @Test
  void comesAgainAfterAPause() {
    assertThat(adds(0, 1, 2, 500, 501, 502))
        .containsExactly(false, false, true, false, false, true);
  }

  private List<Boolean> adds(long... times) {
    List<Boolean> full = new ArrayList<>();
    for (long time : times) {
      full.add(burst.add(time));
    }
    return full;
  }
}
