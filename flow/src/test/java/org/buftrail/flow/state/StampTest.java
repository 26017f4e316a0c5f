package org.buftrail.flow.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StampTest {
  private static final int LIVES = 1 << 14;
  private static final int ALL_FLAGS = Stamp.WEIGHTLESS | Stamp.KEPT | Stamp.EARLIER | Stamp.POOLED;

  private final int life = Stamp.nextLife(0, 5);

  @Test
  void aLifeIsToldFromTheNextHoweverItGoesOn() {
    int next = Stamp.nextLife(life | ALL_FLAGS, 6);
    assertThat(Stamp.isSameLife(life, next)).isFalse();
    assertThat(Stamp.isSameLife(life, life | ALL_FLAGS)).isTrue();
    assertThat(Stamp.isSameLife(life, Stamp.ended(life))).isTrue();
    assertThat(Stamp.isSameLife(life, life | Stamp.TENURED_SLOT)).isTrue();
    assertThat(Stamp.slot(next)).isEqualTo(6);
    assertThat(next & ALL_FLAGS).as("flags are of one life").isZero();
  }

  @Test
  void livesAreNumberedRoundAndRound() {
    int stamp = life;
    for (int i = 1; i < LIVES; i++) {
      stamp = Stamp.nextLife(stamp, 5);
      assertThat(Stamp.isSameLife(stamp, life)).isFalse();
    }
    assertThat(Stamp.nextLife(stamp, 5)).isEqualTo(life);
  }

  @Test
  void aSlotIsNoMark() {
    int last = Stamp.nextLife(0, Stamp.MARK - 1);
    assertThat(Stamp.slot(last)).isEqualTo(8_191);
    assertThat(Stamp.isMarked(last)).isFalse();
    assertThat(Stamp.isEnded(last)).isFalse();
    assertThat(Stamp.isTenured(last)).isFalse();
  }

  @Test
  void aMarkSaysWhetherTheLifeIsOver() {
    int tenured = life | Stamp.TENURED_SLOT;
    assertThat(Stamp.isMarked(tenured)).isTrue();
    assertThat(Stamp.isTenured(tenured)).isTrue();
    assertThat(Stamp.isEnded(tenured)).isFalse();
    int again = Stamp.promoted(tenured);
    assertThat(Stamp.promoted(life | 7)).isEqualTo(tenured);
    assertThat(Stamp.isTenuredAgain(tenured)).isFalse();
    assertThat(Stamp.isTenuredAgain(again)).isTrue();
    assertThat(Stamp.promoted(again)).isEqualTo(again);
    assertThat(Stamp.isMarked(again)).isTrue();
    assertThat(Stamp.isTenured(again)).isTrue();
    assertThat(Stamp.isEnded(again)).isFalse();
    assertThat(Stamp.isSameLife(again, life)).isTrue();
    int ended = Stamp.ended(life | ALL_FLAGS);
    assertThat(Stamp.isEnded(ended)).isTrue();
    assertThat(Stamp.isTenured(ended)).isFalse();
    assertThat(Stamp.isEndedAlike(ended)).isFalse();
    assertThat(ended & ALL_FLAGS).isEqualTo(ALL_FLAGS);
    int alike = (life & ~Stamp.SLOT_MASK) | Stamp.ENDED_ALIKE_SLOT;
    assertThat(Stamp.isEnded(alike)).isTrue();
    assertThat(Stamp.isEndedAlike(alike)).isTrue();
  }

  @Test
  void aLifeThatIsPassedOverIsUnderWay() {
    int passed = Stamp.passed(life | ALL_FLAGS);
    assertThat(Stamp.isPassed(passed)).isTrue();
    assertThat(Stamp.isOver(passed)).isFalse();
    assertThat(Stamp.isOver(Stamp.ended(passed))).isTrue();
    assertThat(Stamp.isOver((life & ~Stamp.SLOT_MASK) | Stamp.ENDED_ALIKE_SLOT)).isTrue();
    assertThat(Stamp.isOver(life | Stamp.TENURED_SLOT)).isFalse();
    assertThat(Stamp.isOver(Stamp.promoted(life | Stamp.TENURED_SLOT))).isFalse();
    assertThat(Stamp.isOver(Stamp.nextLife(0, Stamp.MARK - 1))).isFalse();
    assertThat(Stamp.isOver(0)).isFalse();
  }

  @Test
  void eachFlagIsItsOwn() {
    assertThat(Stamp.isWeightless(life | Stamp.WEIGHTLESS)).isTrue();
    assertThat(Stamp.isWeightless(life | (ALL_FLAGS & ~Stamp.WEIGHTLESS))).isFalse();
    assertThat(Stamp.isKept(life | Stamp.KEPT)).isTrue();
    assertThat(Stamp.isKept(life | (ALL_FLAGS & ~Stamp.KEPT))).isFalse();
    assertThat(Stamp.hasEarlier(life | Stamp.EARLIER)).isTrue();
    assertThat(Stamp.hasEarlier(life | (ALL_FLAGS & ~Stamp.EARLIER))).isFalse();
    assertThat(Stamp.isPooled(life | Stamp.POOLED)).isTrue();
    assertThat(Stamp.isPooled(life | (ALL_FLAGS & ~Stamp.POOLED))).isFalse();
  }
}
