package org.buftrail.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SpreadTest {
  @Test
  void aQuarterOfTheValuesLiesBeyondEachQuartile() {
    Spread spread = Spread.of(List.of(9.0, 1.0, 8.0, 2.0, 7.0, 3.0, 6.0, 4.0, 5.0, Double.NaN));

    assertThat(spread).isEqualTo(new Spread(5, 1, 9, 3, 7));
  }

  @Test
  void ofNoValueNothingIsKnown() {
    assertThat(Spread.of(List.of(Double.NaN)).isKnown()).isFalse();
  }
}
