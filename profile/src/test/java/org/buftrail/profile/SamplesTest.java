package org.buftrail.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SamplesTest {
  @Test
  void equalIdentitiesAreOneSample() {
    Samples samples = Samples.summed(2);
    samples.add(1, 2, 3, 1, 100);
    samples.add(0, 0, 0, 1, 7);
    samples.add(1, 2, 3, 1, 50);
    samples.add(1, 2, 4, 1, 1);
    assertThat(samples.size()).isEqualTo(3);
    assertThat(samples.sum(0, 0)).isEqualTo(2);
    assertThat(samples.sum(0, 1)).isEqualTo(150);
    assertThat(samples.stack(1)).isZero();
    assertThat(samples.link(2)).isEqualTo(4);
    assertThat(samples.attributeSet(2)).isEqualTo(2);
    assertThat(samples.total(1)).isEqualTo(158);
  }

  @Test
  void sumsStopAtTheEndOfTheRange() {
    Samples samples = Samples.summed(1);
    samples.add(1, 0, 0, Long.MAX_VALUE);
    samples.add(1, 0, 0, 1);
    samples.add(2, 0, 0, Long.MIN_VALUE);
    samples.add(2, 0, 0, -1);
    assertThat(samples.sum(0, 0)).isEqualTo(Long.MAX_VALUE);
    assertThat(samples.sum(1, 0)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void observationsAreGroupedBySampleInTheOrderSeen() {
    Samples samples = Samples.observed(2);
    for (int i = 0; i < 1_000; i++) {
      samples.observe(i % 7, 0, 0, 5_000 - i, 1, i);
    }
    Observations observations = samples.observations();
    assertThat(observations.size()).isEqualTo(1_000);
    assertThat(observations.areOnes(0)).isTrue();
    assertThat(observations.areOnes(1)).isFalse();
    assertThat(observations.count(6)).isEqualTo(142);
    for (int k = 0; k < 142; k++) {
      assertThat(observations.value(6, k, 1)).isEqualTo(6 + 7L * k);
      assertThat(observations.time(6, k)).isEqualTo(5_000 - 6 - 7L * k);
    }
    samples.observe(100, 0, 0, 1, 1, 1);
    assertThat(samples.observations().count(7)).isEqualTo(1);
    assertThat(samples.sum(7, 1)).isEqualTo(1);
  }

  @Test
  void clearedSamplesStartAtZero() {
    Samples samples = Samples.summed(1);
    samples.add(1, 0, 0, 5);
    samples.clear();
    assertThat(samples.isEmpty()).isTrue();
    samples.add(2, 0, 0, 1);
    assertThat(samples.stack(0)).isEqualTo(2);
    assertThat(samples.sum(0, 0)).isEqualTo(1);
  }

  @Test
  void theWrongFormIsRefused() {
    assertThatThrownBy(() -> Samples.summed(2).add(0, 0, 0, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("these samples are summed with values for each: 2");
    assertThatThrownBy(() -> Samples.summed(3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Profile("x", ValueType.NONE, Samples.summed(1), 1))
        .hasMessage("column 1 of samples with values for each: 1");
  }
}
