package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.buftrail.model.fixtures.CountedByHand;
import org.junit.jupiter.api.Test;

/** Paths that are rows of numbers say what paths with fields of their own do. */
final class CountedPathsTest {
  private static final Path.Hop ALLOCATOR = hop("a.Pool", "directBuffer");
  private static final Path.Hop CONNECTION = hop("java.sql.Connection", "open");

  private static Path.Hop hop(String type, String method) {
    return new Path.Hop(new Site(type, method, "", 0, ""), "1-2", false, false);
  }

  private static Path path(int number, Path.Hop... hops) {
    int n = number * 100;
    return new Path(
            List.of(hops),
            number % 2 == 0,
            new Path.Flows(n + 1, n + 2),
            new Path.Flows(n + 3, n + 4),
            new Path.Flows(n + 5, n + 6),
            n + 7,
            n + 8,
            n + 9,
            n + 10)
        .with(new Path.Flows(n + 11, n + 12), n + 13);
  }

  private static String text(Path path) {
    return text(path.released())
        + ' '
        + text(path.leaked())
        + ' '
        + text(path.live())
        + ' '
        + path.oldestMillis()
        + ' '
        + path.medianMillis()
        + ' '
        + path.firstSeenMillis()
        + ' '
        + path.lastSeenMillis()
        + ' '
        + text(path.dropped())
        + ' '
        + path.held()
        + ' '
        + path.isDirect();
  }

  private static String text(Path.Flows flows) {
    return flows.count() + " of " + flows.bytes();
  }

  @Test
  void aRowHasTheNumbersOfItsPath() {
    CountedByHand rows =
        new CountedByHand(List.of(path(0, ALLOCATOR), path(1, ALLOCATOR), path(2, CONNECTION)));
    assertThat(rows).hasSize(3);
    assertThat(text(rows.get(0))).isEqualTo("1 of 2 3 of 4 5 of 6 7 8 9 10 11 of 12 13 true");
    assertThat(text(rows.get(1)))
        .isEqualTo("101 of 102 103 of 104 105 of 106 107 108 109 110 111 of 112 113 false");
    assertThat(text(rows.get(2)))
        .isEqualTo("201 of 202 203 of 204 205 of 206 207 208 209 210 211 of 212 213 true");
    assertThat(rows.get(2).flows()).isEqualTo(201 + 203 + 205 + 211 + 213);
  }

  @Test
  void hopsAreMadeAtFirstUseAndOnce() {
    CountedByHand rows = new CountedByHand(List.of(path(0, ALLOCATOR), path(1, CONNECTION)));
    Path path = rows.get(1);
    assertThat(rows.hopsMade()).isZero();
    assertThat(path.hops()).containsExactly(CONNECTION);
    assertThat(path.hops()).isSameAs(path.hops());
    assertThat(rows.hopsMade()).isEqualTo(1);
  }

  @Test
  void aBufferIsKnownToBeNoResourceWithoutItsHops() {
    CountedByHand rows = new CountedByHand(List.of(path(0, ALLOCATOR), path(1, CONNECTION)));
    assertThat(rows.get(0).resource()).isNull();
    assertThat(rows.hopsMade()).isZero();
    assertThat(rows.get(1).resource()).isEqualTo("java.sql.Connection");
    assertThat(path(0, CONNECTION, ALLOCATOR).resource()).isEqualTo("java.sql.Connection");
    assertThat(path(0, ALLOCATOR, CONNECTION).resource()).isNull();
  }

  @Test
  void aSnapshotTakesThemAsTheyAre() {
    CountedByHand rows = new CountedByHand(List.of(path(0, ALLOCATOR)));
    Snapshot snapshot = new Snapshot(0, 1, 0, 0, TrackerStatus.FINE, rows, List.of());
    assertThat(snapshot.paths()).isSameAs(rows);
  }

  @Test
  void suspectsAreThoseOfPathsWithHops() {
    Path.Hop kept = hop("a.Shop", "keep");
    Path.Hop receipt = hop("a.Shop", "receipt");
    Path.Hop release = hop("a.Buffer", "release");
    Path.Flows none = Path.Flows.NONE;
    Path live =
        new Path(
            List.of(ALLOCATOR, kept), true, none, none, new Path.Flows(500, 500), 20_000, 9_000);
    Path released =
        new Path(
            List.of(ALLOCATOR, receipt, release),
            true,
            new Path.Flows(3, 3),
            none,
            none,
            Path.NO_AGE,
            Path.NO_AGE);
    Path gone =
        new Path(
            List.of(ALLOCATOR, kept, receipt, release),
            true,
            new Path.Flows(2, 2),
            none,
            none,
            Path.NO_AGE,
            Path.NO_AGE);
    Path other = path(1, CONNECTION);
    CountedByHand rows = new CountedByHand(List.of(live, other, released, other, gone));
    Suspects.Suspect suspect = Suspects.of(rows, 1).get(0);
    assertThat(rows.hopsMade()).as("of what is told alone").isEqualTo(1);
    assertThat(suspect.gone()).isEqualTo(2);
    assertThat(suspect.path().hops()).containsExactly(ALLOCATOR, kept);
    assertThat(suspect.sibling()).isEqualTo(receipt.site());
    Suspects.Suspect alone = Suspects.of(new CountedByHand(List.of(live)), 1).get(0);
    assertThat(alone.sibling()).isNull();
    assertThat(alone.gone()).isZero();
  }
}
