package org.buftrail.flow.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StampTest {
  @Test
  void aLifeIsToldFromTheManyAfterIt() {
    int first = Stamp.nextLife(0, 5);
    int stamp = first;
    for (int life = 1; life < 16_384; life++) {
      stamp = Stamp.nextLife(stamp, 5);
      assertThat(Stamp.isSameLife(first, stamp)).as("%s lives later", life).isFalse();
    }
    assertThat(Stamp.nextLife(stamp, 5)).as("then the numbers come round").isEqualTo(first);
  }

  @Test
  void aLifeStaysTheSameWhateverElseItsStampSays() {
    int stamp = Stamp.nextLife(0, 5);
    int all = stamp | Stamp.WEIGHTLESS | Stamp.KEPT | Stamp.EARLIER | Stamp.POOLED;
    assertThat(Stamp.isSameLife(stamp, all)).isTrue();
    assertThat(Stamp.isSameLife(stamp, Stamp.ended(all))).isTrue();
  }

  @Test
  void aNewLifeHasNothingOfTheOneBeforeButItsNumber() {
    int all = Stamp.WEIGHTLESS | Stamp.KEPT | Stamp.EARLIER | Stamp.POOLED | Stamp.TENURED_SLOT;
    assertThat(Stamp.nextLife(all, 5)).isEqualTo(Stamp.nextLife(0, 5));
    assertThat(Stamp.slot(Stamp.nextLife(all, 5))).isEqualTo(5);
  }
}
