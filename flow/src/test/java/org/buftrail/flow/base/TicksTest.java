package org.buftrail.flow.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TicksTest {
  private static final int HALF_A_DAY = 1 << 20;

  @Test
  void agesNeverComeOutBelowZero() {
    assertThat(Ticks.age(5, 7)).isEqualTo(2);
    assertThat(Ticks.age(7, 5)).as("read out of order").isZero();
    assertThat(Ticks.age(Integer.MAX_VALUE, Integer.MIN_VALUE)).isEqualTo(1);
    assertThat(Ticks.age(0, Integer.MIN_VALUE + 5)).isEqualTo(Integer.MAX_VALUE);
    assertThat(Ticks.age(HALF_A_DAY - 1, 0)).as("half a day out of order").isZero();
    assertThat(Ticks.age(HALF_A_DAY, 0)).as("years").isEqualTo(Integer.MAX_VALUE);
    assertThat(Ticks.millis(Integer.MAX_VALUE)).isGreaterThan(3L * 365 * 24 * 3_600 * 1_000);
  }

  @Test
  void aClockThatIsHeldStands() {
    Ticks.hold(0);
    try {
      assertThat(Ticks.now()).isZero();
      Ticks.hold(77);
      assertThat(Ticks.now()).isEqualTo(77);
    } finally {
      Ticks.release();
    }
  }
}
