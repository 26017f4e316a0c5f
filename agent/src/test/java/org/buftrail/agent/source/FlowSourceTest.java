package org.buftrail.agent.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.buftrail.model.Figure;
import org.buftrail.model.FigureValues;
import org.buftrail.model.Path;
import org.buftrail.model.PathKey;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ProcessMemory;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FlowSourceTest {
  private final AtomicLong nanos = new AtomicLong();
  private Snapshot next = SnapshotBuilder.none().build();
  private int taken;

  private final FlowSource source =
      new FlowSource(
          () -> {
            taken++;
            return next;
          },
          nanos::get,
          5);

  @Test
  void sharesASnapshotThatIsYoungEnough() {
    source.snapshot(1_000);
    nanos.addAndGet(1_000_000_000);
    source.snapshot(1_000);
    source.sinceStart(1_000);
    assertThat(taken).isEqualTo(1);
    nanos.addAndGet(1);
    source.snapshot(1_000);
    assertThat(taken).isEqualTo(2);
    nanos.addAndGet(1);
    source.snapshot(0);
    assertThat(taken).isEqualTo(3);
  }

  private FlowSource asking(int[] asked, List<PoolMemory.Pool> pools) {
    return new FlowSource(
        () -> next,
        nanos::get,
        5,
        () -> {
          asked[0]++;
          return new PoolMemory(pools, List.of(), List.of(), List.of());
        },
        all -> null,
        memory -> {
          throw new IOException("not on this system");
        });
  }

  @Test
  void whoWatchesSharesALookAtTheProcessForAMinute() {
    List<@Nullable PoolMemory> looks = new ArrayList<>();
    PoolMemory pools = new PoolMemory(List.of(), List.of(), List.of(), List.of());
    ProcessMemory found = new ProcessMemory(List.of(), List.of());
    FlowSource looking =
        new FlowSource(
            () -> next,
            nanos::get,
            5,
            () -> pools,
            all -> null,
            memory -> {
              looks.add(memory);
              return found;
            });
    assertThat(looking.withRecentProcess(next).resident()).isSameAs(found);
    nanos.addAndGet(60_000_000_000L);
    assertThat(looking.withRecentProcess(next).resident()).isSameAs(found);
    assertThat(looks).containsExactly(pools);
    nanos.addAndGet(1);
    looking.withRecentProcess(next);
    assertThat(looks).hasSize(2);
    assertThat(looking.process(0).reason()).isEmpty();
    assertThat(taken).as("no snapshot is taken for it").isZero();
  }

  @Test
  void thatAProcessCannotBeLookedAtIsAnAnswerToo() {
    int[] asked = {0};
    FlowSource none = asking(asked, List.of());
    assertThat(none.withRecentProcess(next).resident()).isNull();
    assertThat(none.process(60_000).reason()).isEqualTo("not on this system");
    assertThat(asked[0]).as("it was looked at once").isEqualTo(1);
    FlowSource failing =
        new FlowSource(
            () -> next,
            nanos::get,
            5,
            () -> null,
            all -> null,
            memory -> {
              throw new NoClassDefFoundError("java/lang/management/ManagementFactory");
            });
    assertThat(failing.process(0).reason()).contains("java/lang/management/ManagementFactory");
  }

  /** The page and metrics are rehearsed before the application has an allocator. */
  @Test
  void whereNoAllocatorWasThereTheNextIsAskedAtOnce() {
    int[] asked = {0};
    FlowSource asking = asking(asked, List.of());
    asking.withRecentPools(asking.snapshot(0));
    asking.withRecentPools(asking.snapshot(0));
    assertThat(asked[0]).isEqualTo(2);
  }

  @Test
  void whoWatchesSharesWhatTheAllocatorsSaidForTenSeconds() {
    int[] asked = {0};
    FlowSource asking = asking(asked, List.of(new PoolMemory.Pool("APool", true, 3, 2, 1)));
    assertThat(asking.snapshot(0).pools()).isNull();
    PoolMemory first = asking.withRecentPools(asking.snapshot(0)).pools();
    nanos.addAndGet(10_000_000_000L);
    assertThat(asking.withRecentPools(asking.snapshot(0)).pools()).isSameAs(first);
    nanos.addAndGet(1);
    asking.withRecentPools(asking.snapshot(0));
    assertThat(asked[0]).isEqualTo(2);
    nanos.addAndGet(1);
    asking.reset();
    assertThat(asking.whole(asking.snapshot(0)).pools()).isNotNull();
    assertThat(asked[0]).isEqualTo(3);
  }

  @Test
  void figuresAreAddedUpOnceForEachSnapshot() {
    next = SnapshotBuilder.none().direct("directBuffer app.A.read", 10, 2, 3).build();
    FigureValues first = source.figures(1_000);
    assertThat(first.get(Figure.RELEASED)).isEqualTo(10);
    assertThat(source.figures(1_000)).isSameAs(first);

    source.reset();
    assertThat(source.figures(1_000).get(Figure.RELEASED)).isZero();

    nanos.addAndGet(2_000_000_000);
    next = SnapshotBuilder.none().direct("directBuffer app.A.read", 11, 2, 3).build();
    assertThat(source.figures(1_000).get(Figure.RELEASED)).isEqualTo(1);
  }

  @Test
  void resetTakesOffWhatHadEndedAndKeepsWhatIsLive() {
    next =
        SnapshotBuilder.none()
            .direct("directBuffer app.A.read", 10, 2, 3)
            .heap("heapBuffer", 4, 0, 0)
            .after(50)
            .suppressed(2)
            .build();
    assertThat(source.sinceMillis()).isEqualTo(5);
    source.reset();
    assertThat(source.sinceMillis()).isEqualTo(SnapshotBuilder.TAKEN_AT + 50);
    assertThat(source.snapshot(1_000).allocated()).isEqualTo(3);
    assertThat(source.snapshot(1_000).paths()).hasSize(1);

    nanos.addAndGet(2_000_000_000);
    next =
        SnapshotBuilder.none()
            .direct("directBuffer app.A.read", 15, 4, 1)
            .heap("heapBuffer", 4, 0, 0)
            .direct("directBuffer app.B.read", 0, 1, 0)
            .after(99)
            .suppressed(3)
            .build();
    Snapshot shown = source.snapshot(1_000);
    assertThat(shown.paths()).hasSize(2);
    Path path = shown.paths().get(0);
    assertThat(path.released().count()).isEqualTo(5);
    assertThat(path.released().bytes()).isEqualTo(500);
    assertThat(path.leaked().count()).isEqualTo(2);
    assertThat(path.live().count()).isEqualTo(1);
    assertThat(path.oldestMillis()).isEqualTo(1_000);
    assertThat(shown.paths().get(1).leaked().count()).isEqualTo(1);
    assertThat(shown.allocated())
        .isEqualTo(shown.released().count() + shown.leaked().count() + shown.live().count());
    assertThat(shown.suppressedErrors()).isEqualTo(1);
    assertThat(shown.takenAtMillis()).isEqualTo(SnapshotBuilder.TAKEN_AT + 99);
    assertThat(source.sinceStart(1_000).leaked().count()).isEqualTo(5);
  }

  @Test
  void pathsAreTheSameWhenMemoryAndHopsAre() {
    Path a =
        SnapshotBuilder.none().direct("directBuffer app.A.read", 1, 0, 0).build().paths().get(0);
    Path same =
        SnapshotBuilder.none().direct("directBuffer app.A.read", 0, 9, 0).build().paths().get(0);
    Path heap =
        SnapshotBuilder.none().heap("directBuffer app.A.read", 1, 0, 0).build().paths().get(0);
    Path longer =
        SnapshotBuilder.none()
            .direct("directBuffer app.A.read app.A.read", 1, 0, 0)
            .build()
            .paths()
            .get(0);
    assertThat(new PathKey(a)).isEqualTo(new PathKey(same)).hasSameHashCodeAs(new PathKey(same));
    assertThat(new PathKey(a)).isNotEqualTo(new PathKey(heap)).isNotEqualTo(new PathKey(longer));
  }
}
