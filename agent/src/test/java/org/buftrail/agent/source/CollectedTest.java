package org.buftrail.agent.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
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
    Collected collected = Collected.between(true, BEFORE, after);
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
    Collected collected = Collected.between(false, BEFORE, BEFORE);
    assertThat(collected.hasHappened()).isFalse();
    assertThat(collected.text())
        .startsWith("the JVM did not collect")
        .contains("DisableExplicitGC");
  }

  @Test
  void itWaitsUntilTheTrackerFindsNoMore() {
    Queue<Snapshot> looks = new ArrayDeque<>();
    for (long leaked : List.of(0L, 0L, 20L, 30L, 30L, 99L)) {
      looks.add(SnapshotBuilder.none().direct(LOST, 0, leaked, 0).build());
    }
    long[] nanos = new long[1];
    FlowSource source = new FlowSource(looks::remove, () -> nanos[0] += 1_000_000, 0);
    assertThat(Collected.now(source).leaked().count()).isEqualTo(30);
    assertThat(looks).hasSize(1);
  }
}
