package org.buftrail.agent.end;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.control.CollectionOutcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class EndDecisionTest {
  private static final String YOUNG = "they began while the JVM ended";

  private final List<String> calls = new ArrayList<>();
  private CollectionOutcome outcome = CollectionOutcome.ENDED;
  private long undecided = 50;
  private long after;
  private long used = 100 << 20;

  private EndDecision decision(@Nullable Boolean wanted) {
    return new EndDecision(
        wanted,
        () -> calls.add("finish"),
        () -> undecided,
        millis -> {
          assertThat(millis).isPositive();
          long patience =
              Boolean.TRUE.equals(wanted)
                  ? EndDecision.LONG_PATIENCE_MILLIS
                  : EndDecision.PATIENCE_MILLIS;
          assertThat(millis).isBetween(patience - 1_500, patience);
          calls.add("collect");
          undecided = after;
          return outcome;
        },
        () -> used);
  }

  @Test
  void aCollectionDecides() {
    decision(null).make();
    assertThat(calls).containsExactly("finish", "collect");
  }

  @Test
  void whereNothingIsUndecidedNothingIsCollected() {
    undecided = 0;
    decision(true).make();
    assertThat(calls).containsExactly("finish");
  }

  @Test
  void whatIsLostMeanwhileIsDecidedByASecondOneAndNoMore() {
    after = 3;
    assertThat(decision(null).make()).isEqualTo(YOUNG);
    assertThat(calls).containsExactly("finish", "collect", "collect");
  }

  @Test
  void whoeverComesFirstDecides() {
    after = 3;
    EndDecision decision = decision(null);
    decision.make();
    assertThat(decision.make()).isEqualTo(YOUNG);
    assertThat(calls).containsExactly("finish", "collect", "collect");
  }

  @Test
  void aLargeHeapIsCollectedOnlyWhenTheUserSaysSo() {
    used = EndDecision.MAX_USED_BYTES;
    decision(null).make();
    assertThat(calls).containsExactly("finish", "collect");
    calls.clear();
    undecided = 50;
    used++;
    assertThat(decision(null).make())
        .isEqualTo("with 1024 MiB of heap in use only collectAtEnd=true has it decided");
    assertThat(calls).containsExactly("finish");
    calls.clear();
    decision(true).make();
    assertThat(calls).containsExactly("finish", "collect");
  }

  @Test
  void theUserMayForbidIt() {
    EndDecision decision = decision(null);
    decision.setWanted(false);
    assertThat(decision.make()).isEqualTo("collectAtEnd=false forbids the collection that decides");
    assertThat(calls).containsExactly("finish");
  }

  @Test
  void itSaysWhyNothingWasDecided() {
    after = 50;
    outcome = CollectionOutcome.REFUSED;
    assertThat(decision(null).make()).contains("-XX:+DisableExplicitGC");
    outcome = CollectionOutcome.UNDER_WAY;
    assertThat(decision(null).make()).isEqualTo("a collection had not ended after 2 s");
    assertThat(decision(true).make()).isEqualTo("a collection had not ended after 20 s");
    assertThat(calls)
        .containsExactly("finish", "collect", "finish", "collect", "finish", "collect");
  }

  @Test
  void aFailureIsAReasonAndNoMore() {
    EndDecision decision =
        new EndDecision(
            null,
            () -> {},
            () -> 1,
            millis -> {
              throw new OutOfMemoryError("no thread");
            },
            () -> 0);
    assertThat(decision.make())
        .isEqualTo("the collection failed: java.lang.OutOfMemoryError: no thread");
  }

  @Test
  void aRecordingThatEndsBeforeTheJvmIsNoReasonToCollect() {
    decision(null).beforeRecordingEnds();
    assertThat(calls).isEmpty();
  }
}
