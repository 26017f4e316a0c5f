package org.buftrail.agent.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.buftrail.flow.control.CollectionOutcome;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;

final class CollectedTest {
  private static final String LOST = "directBuffer app.A.read app.A.refuse";
  private static final String KEPT = "directBuffer app.A.read app.A.keep";

  private static final Snapshot BEFORE =
      SnapshotBuilder.none()
          .growing(LOST, 30)
          .growing(KEPT, 40)
          .direct("directBuffer", 7, 2, 0)
          .build();

  @Test
  void itTellsLeaksFromWhatIsHeld() {
    Snapshot after =
        SnapshotBuilder.none()
            .direct(LOST, 0, 30, 0)
            .growing(KEPT, 40)
            .direct("directBuffer", 9, 3, 0)
            .build();
    Collected collected = Collected.between(CollectionOutcome.ENDED, BEFORE, after);
    assertThat(collected.leaked().count()).isEqualTo(31);
    assertThat(collected.leaked().bytes()).isEqualTo(3_100);
    assertThat(collected.suspects()).isEqualTo(2);
    assertThat(collected.proved()).isEqualTo(1);
    assertThat(collected.text())
        .isEqualTo(
            "the JVM collected: 31 more leaked, 3100 bytes; suspect paths that are leaks now: 1 of"
                + " 2; what is live on the others is still referred to");
  }

  @Test
  void itSaysWhyNothingIsProved() {
    Collected collected = Collected.between(CollectionOutcome.REFUSED, BEFORE, BEFORE);
    assertThat(collected.hasHappened()).isFalse();
    assertThat(collected.text())
        .startsWith("the JVM did not collect")
        .contains("DisableExplicitGC");
  }

  @Test
  void itSaysThatItIsTooEarlyToTell() {
    Snapshot after = SnapshotBuilder.none().direct(LOST, 0, 0, 30).undecided(30).build();
    Collected collected = Collected.between(CollectionOutcome.UNDER_WAY, after, after);
    assertThat(collected.hasHappened()).isFalse();
    assertThat(collected.undecided()).isEqualTo(30);
    assertThat(collected.text())
        .isEqualTo(
            "the JVM is collecting still, so nothing is proved yet, and 30 live flows are"
                + " undecided; look again later");
  }

  @Test
  void whatIsUndecidedIsANumberInTheAnswer() {
    Snapshot before = SnapshotBuilder.none().direct(LOST, 0, 0, 30).build();
    Snapshot after = SnapshotBuilder.none().direct(LOST, 0, 30, 1).undecided(1).build();
    Queue<Snapshot> looks = new ArrayDeque<>(List.of(before, after));
    FlowSource source = new FlowSource(looks::remove, () -> -looks.size() * 1_000_000_000L, 0);
    Collected collected =
        Collected.now(
            source,
            () -> {
              assertThat(looks).containsExactly(after);
              return CollectionOutcome.ENDED;
            });
    assertThat(collected.text())
        .isEqualTo(
            "the JVM collected: 30 more leaked, 3000 bytes; 1 live flow is undecided: too young"
                + " for it");
  }
}
