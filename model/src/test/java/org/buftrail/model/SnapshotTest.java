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
