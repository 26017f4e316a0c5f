package org.buftrail.agent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.buftrail.agent.source.SnapshotBuilder;
import org.junit.jupiter.api.Test;

final class LeakFinderTest {
  private final LeakFinder finder = new LeakFinder();

  @Test
  void findsWhatLeakedSinceTheLookBefore() {
    assertThat(finder.look(SnapshotBuilder.none().direct("directBuffer app.A.a", 0, 5, 0).build()))
        .isEmpty();
    List<LeakFinder.Growth> grown =
        finder.look(
            SnapshotBuilder.none()
                .direct("directBuffer app.A.a", 0, 7, 0)
                .heap("heapBuffer app.B.b", 0, 1, 0)
                .heap("heapBuffer app.C.c", 9, 0, 1)
                .build());
    assertThat(grown).hasSize(2);
    assertThat(grown.get(0).isNew()).isFalse();
    assertThat(grown.get(0).count()).isEqualTo(2);
    assertThat(grown.get(0).bytes()).isEqualTo(200);
    assertThat(grown.get(1).isNew()).isTrue();
    assertThat(grown.get(1).count()).isEqualTo(1);
    assertThat(grown.get(1).path().hops().get(1).site().method()).isEqualTo("b");
    assertThat(finder.look(SnapshotBuilder.none().direct("directBuffer app.A.a", 0, 7, 0).build()))
        .isEmpty();
  }

  @Test
  void anotherReferenceCountIsNoNewLeak() {
    finder.look(SnapshotBuilder.none().build());
    finder.look(SnapshotBuilder.none().direct("directBuffer app.A.a", 0, 5, 0).build());
    List<LeakFinder.Growth> grown =
        finder.look(
            SnapshotBuilder.none()
                .direct("directBuffer app.A.a", 0, 5, 0)
                .direct("directBuffer app.A.a[3-5]", 0, 1, 0)
                .build());
    assertThat(grown).hasSize(1);
    assertThat(grown.get(0).isNew()).isFalse();
    assertThat(grown.get(0).count()).isEqualTo(1);
    assertThat(grown.get(0).path().leaked().count()).isEqualTo(6);
  }

  /** As it does when a leak turns out to be held by another. */
  @Test
  void aCountThatFallsForAWhileIsNoNewLeak() {
    long told = 0;
    for (long leaked : new long[] {3, 7, 5, 7, 11}) {
      for (LeakFinder.Growth growth :
          finder.look(SnapshotBuilder.none().heap("heapBuffer app.A.a", 0, leaked, 0).build())) {
        told += growth.count();
      }
    }
    assertThat(told).isEqualTo(11 - 3);
  }
}
