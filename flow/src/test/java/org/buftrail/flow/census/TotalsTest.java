package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TotalsTest {
  private final Totals totals = new Totals(2);

  @Test
  void whatSeveralHaveCountedIsAddedUpByNode() {
    totals.add(1, 2, 30);
    totals.add(1, 1, 5);
    totals.add(2, 1, 10);
    totals.add(5_000, 4, 55);
    totals.add(0, 7, 0);
    assertThat(totals.count(1)).isEqualTo(3);
    assertThat(totals.bytes(1)).isEqualTo(35);
    assertThat(totals.count(2)).as("a node made meanwhile").isEqualTo(1);
    assertThat(totals.bytes(2)).isEqualTo(10);
    assertThat(totals.count(5_000)).isEqualTo(4);
    assertThat(totals.bytes(5_000)).isEqualTo(55);
    assertThat(totals.count(3)).isZero();
    assertThat(totals.flows()).isEqualTo(15);
    assertThat(totals.meanBytes()).isEqualTo(100 / 15);
  }

  @Test
  void ofNodesThatNobodyHasCountedThereIsNothing() {
    assertThat(totals.count(2)).isZero();
    assertThat(totals.bytes(2)).isZero();
    assertThat(totals.flows()).isZero();
    assertThat(totals.meanBytes()).isZero();
  }
}
