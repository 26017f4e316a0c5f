package org.buftrail.flow.tree;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.calls.Stacks.Library;
import java.util.concurrent.TimeUnit;
import org.buftrail.model.Site;
import org.junit.jupiter.api.Test;

final class LookBudgetTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final LookBudget budget = new LookBudget(0);

  private void walk(long flows, int walks, long nanos) {
    for (long i = 0; i < flows; i++) {
      budget.beginFlow();
      for (int j = 0; j < walks; j++) {
        budget.spend(nanos);
      }
    }
  }

  @Test
  void grantsAsManyFlowsAsTheLastOnesWouldTake() {
    walk(11, 2, MILLI / 10);
    // 200 ms, without the 2.2 ms of these, and with a two-hundredth of 100 ms.
    assertThat(budget.refill(100 * MILLI)).isEqualTo((200_000 - 2_200 + 500) / 200);
  }

  @Test
  void grantsNoneUntilWhatWasSpentIsThereAgain() {
    walk(1_000, 1, MILLI / 4);
    assertThat(budget.isLeft()).isFalse();
    assertThat(budget.refill(9 * SECOND)).isLessThan(0);
    assertThat(budget.refill(10 * SECOND)).isZero();
    assertThat(budget.refill(11 * SECOND)).isEqualTo(20);
    assertThat(budget.isLeft()).isTrue();
  }

  @Test
  void takesATwoHundredthOfAProcessorInTheLongRun() {
    long spent = 0;
    for (long now = SECOND; now <= 1_000 * SECOND; now += SECOND) {
      long granted = Math.max(0, Math.min(128, budget.refill(now)));
      walk(granted, 3, MILLI / 10);
      spent += granted * 3 * MILLI / 10;
    }
    assertThat(spent).isBetween(5_000 * MILLI, (5_000L + LookBudget.MAX_CREDIT_MILLIS) * MILLI);
  }

  @Test
  void olderFlowsDoNotMakeANewOneTooDearForGood() {
    walk(1, 500, LookBudget.MAX_WALK_NANOS);
    assertThat(budget.refill(0)).isLessThanOrEqualTo(0);
    assertThat(budget.refill(40 * SECOND)).isEqualTo(75);
  }

  @Test
  void threadsThatBeginTogetherDoNotEndLooksForLong() {
    walk(10_000, 1, LookBudget.MAX_WALK_NANOS);
    assertThat(budget.refill(39 * SECOND)).isLessThanOrEqualTo(0);
    assertThat(budget.refill(41 * SECOND)).isPositive();
  }

  @Test
  void neverSavesMoreThanItBeganWith() {
    walk(1, 1, MILLI / 10);
    long later = TimeUnit.HOURS.toNanos(1);
    assertThat(budget.refill(later)).isEqualTo(10L * LookBudget.MAX_CREDIT_MILLIS);
  }

  @Test
  void countsNoMoreForAWalkThatWasInterruptedThanTheLongestTakes() {
    walk(1, 1, SECOND);
    assertThat(budget.refill(0)).isEqualTo(200 * MILLI / LookBudget.MAX_WALK_NANOS - 1);
  }

  @Test
  void looksSpendFromIt() {
    Looks looks = new PathTree().looks;
    looks.setOwn(name -> false);
    Node root = new PathTree().root(Sites.intern(new Site("a.B", "m", "", 0, "")), 0);
    long before = looks.budget.refill(System.nanoTime());
    Library.decode(() -> looks.look(root));
    long after = looks.budget.refill(System.nanoTime());
    // By nanoseconds before the first flow, by what that took after it.
    assertThat(after).isBetween(1L, before / 1_000);
  }
}
