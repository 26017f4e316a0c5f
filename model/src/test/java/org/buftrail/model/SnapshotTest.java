package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SnapshotTest {
  private static final Path.Hop HOP =
      new Path.Hop(new Site("a.Pool", "directBuffer", "", 0, ""), "1-2", false, false);

  private static Path path(long n) {
    return new Path(
            List.of(HOP),
            true,
            new Path.Flows(n, 10 * n),
            new Path.Flows(2 * n, 20 * n),
            new Path.Flows(3 * n, 30 * n),
            Path.NO_AGE,
            Path.NO_AGE)
        .with(new Path.Flows(4 * n, 40 * n), 5 * n);
  }

  private static Snapshot snapshot(List<Path> paths) {
    TrackerStatus status = new TrackerStatus.Builder().suppressedErrors(7).build();
    Misuse misuse =
        new Misuse(Misuse.Kind.DOUBLE_RELEASE, HOP.site(), 3, List.of(HOP), List.of(HOP, HOP));
    return new Snapshot(1, 2, 3, 4, status, paths, List.of(misuse));
  }

  private static String text(Path.Flows flows) {
    return flows.count() + " of " + flows.bytes();
  }

  @Test
  void totalsAreTheSumsOverAllPaths() {
    Snapshot snapshot = snapshot(List.of(path(1), path(100)));
    assertThat(text(snapshot.released())).isEqualTo("101 of 1010");
    assertThat(text(snapshot.leaked())).isEqualTo("202 of 2020");
    assertThat(text(snapshot.live())).isEqualTo("303 of 3030");
    assertThat(text(snapshot.dropped())).isEqualTo("404 of 4040");
    assertThat(snapshot.held()).isEqualTo(505);
  }

  @Test
  void pathsThatAreEqualByHopsAndMemoryAreOne() {
    List<Path.Hop> hops = List.of(HOP);
    Path.Flows one = new Path.Flows(1, 1);
    Path young = new Path(hops, true, one, one, new Path.Flows(3, 5), 7, 5, 900, 950);
    Path old = new Path(hops, true, one, one, new Path.Flows(2, 11), 17, 13, 800, 850);
    Path none = new Path(hops, true, one, one, Path.Flows.NONE, Path.NO_AGE, Path.NO_AGE);
    Path heap = new Path(hops, false, one, one, one, 1, 1);
    List<Path> paths =
        snapshot(List.of(none, young.with(one, 19), heap, old.with(one, 23))).paths();
    assertThat(paths).hasSize(2);
    Path sum = paths.get(0);
    assertThat(text(sum.released())).isEqualTo("3 of 3");
    assertThat(text(sum.leaked())).isEqualTo("3 of 3");
    assertThat(text(sum.live())).isEqualTo("5 of 16");
    assertThat(text(sum.dropped())).isEqualTo("2 of 2");
    assertThat(sum.held()).isEqualTo(42);
    assertThat(sum.oldestMillis()).isEqualTo(17);
    assertThat(sum.medianMillis()).as("of most of them").isEqualTo(5);
    assertThat(sum.firstSeenMillis()).isEqualTo(800);
    assertThat(sum.lastSeenMillis()).isEqualTo(950);
    assertThat(paths.get(1)).isSameAs(heap);
  }

  @Test
  void pathsAreThoseOfTheMoment() {
    List<Path> paths = new ArrayList<>(List.of(path(1)));
    Snapshot snapshot = snapshot(paths);
    paths.clear();
    assertThat(snapshot.paths()).hasSize(1);
  }

  @Test
  void ofAProcessItIsTheSame() {
    TrackedProcess process = new TrackedProcess("shop", 12, "web-3", 34, "17.0.15", "sample=2");
    Snapshot before = snapshot(List.of(path(1)));
    Snapshot snapshot = before.of(process);
    assertThat(before.process()).isNull();
    assertThat(snapshot.process())
        .isNotNull()
        .extracting(
            TrackedProcess::name,
            TrackedProcess::pid,
            TrackedProcess::host,
            TrackedProcess::startedAtMillis,
            TrackedProcess::java,
            TrackedProcess::options)
        .containsExactly("shop", 12L, "web-3", 34L, "17.0.15", "sample=2");
    assertThat(snapshot)
        .extracting(
            Snapshot::takenAtMillis,
            Snapshot::sampling,
            Snapshot::allocated,
            Snapshot::overflowed,
            Snapshot::suppressedErrors)
        .containsExactly(1L, 2, 3L, 4L, 7L);
    assertThat(snapshot.paths()).isEqualTo(before.paths());
    assertThat(snapshot.misuses()).isEqualTo(before.misuses()).hasSize(1);
  }
}
