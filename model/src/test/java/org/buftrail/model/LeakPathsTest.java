package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Paths that differ in reference counts alone are one leak. */
final class LeakPathsTest {
  @Test
  void pathsOverTheSameSitesAreToldTogether() {
    List<Path> leaks =
        LeakPaths.of(
            List.of(
                path(true, 22, "root 1-2", "retain 1-2"),
                path(true, 6, "root 1-2", "retain 1-2", "retain 3-5"),
                path(true, 0, "root 1-2", "retain 3-5"),
                path(true, 1, "root 1-2", "retain 1-2", "retain 3-5", "retain 6+"),
                path(true, 5, "root 1-2", "retain 1-2", "other 1-2"),
                path(true, 0, "root 1-2", "elsewhere 1-2"),
                path(false, 7, "root 1-2", "retain 1-2")));
    assertThat(leaks.stream().map(LeakPathsTest::text))
        .containsExactly(
            "29 leaked 290 B held 29: root [1-2] > retain [1-2, 3-5, 6+] loop",
            "5 leaked 50 B held 5: root [1-2] > retain [1-2] > other [1-2]",
            "7 leaked 70 B held 7: root [1-2] > retain [1-2]");
    assertThat(leaks.get(0).firstSeenMillis()).isEqualTo(1_001);
    assertThat(leaks.get(0).lastSeenMillis()).isEqualTo(2_022);
  }

  @Test
  void aKeyIsThatOfThePathsToldTogether() {
    Path path = path(true, 22, "root 1-2", "retain 1-2", "retain 3-5");
    assertThat(LeakPaths.key(LeakPaths.of(List.of(path)).get(0))).isEqualTo(LeakPaths.key(path));
  }

  /** The middle of several paths' ages is not known, the oldest is. */
  @Test
  void ofSeveralPathsTheOldestAgeIsTold() {
    Path one = aged(50, 30, "root 1-2");
    Path other = aged(90, 40, "root 3-5");
    Path together = LeakPaths.of(List.of(one, other)).get(0);
    assertThat(together.oldestMillis()).isEqualTo(90);
    assertThat(together.medianMillis()).isEqualTo(Path.NO_AGE);
    assertThat(together.live())
        .extracting(Path.Flows::count, Path.Flows::bytes)
        .containsExactly(4L, 16L);
    assertThat(LeakPaths.of(List.of(one)).get(0).medianMillis()).isEqualTo(30);
    assertThat(LeakPaths.of(List.of(other, one)).get(0).lastSeenMillis()).isEqualTo(2_090);
  }

  @Test
  void allThatBecameOfTheFlowsIsAddedUp() {
    Path path =
        new Path(
                path(true, 1, "root 1-2").hops(),
                true,
                new Path.Flows(5, 50),
                new Path.Flows(1, 10),
                Path.Flows.NONE,
                Path.NO_AGE,
                Path.NO_AGE)
            .with(new Path.Flows(7, 70), 0);
    Path together = LeakPaths.of(List.of(path, path)).get(0);
    assertThat(together.released())
        .extracting(Path.Flows::count, Path.Flows::bytes)
        .containsExactly(10L, 100L);
    assertThat(together.dropped())
        .extracting(Path.Flows::count, Path.Flows::bytes)
        .containsExactly(14L, 140L);
  }

  @Test
  void whenTheFirstLeakWasIsToldByThePathsThatKnow() {
    Path unknown = seen(Path.NEVER);
    assertThat(firstSeen(unknown, seen(30), seen(20), seen(40), unknown)).isEqualTo(20);
    assertThat(firstSeen(unknown, unknown)).isEqualTo(Path.NEVER);
  }

  private static long firstSeen(Path... paths) {
    return LeakPaths.of(List.of(paths)).get(0).firstSeenMillis();
  }

  private static Path seen(long first) {
    return new Path(
        path(true, 1, "root 1-2").hops(),
        true,
        Path.Flows.NONE,
        new Path.Flows(1, 1),
        Path.Flows.NONE,
        Path.NO_AGE,
        Path.NO_AGE,
        first,
        first);
  }

  @Test
  void whatIsPastABoundIsAnotherPlace() {
    Path.Hop root = path(true, 1, "root 1-2").hops().get(0);
    Path.Hop past = new Path.Hop(root.site(), "1-2", false, true);
    Path there = leak(root, root);
    Path beyond = leak(root, past);
    assertThat(LeakPaths.key(beyond)).isNotEqualTo(LeakPaths.key(there));
    assertThat(LeakPaths.of(List.of(beyond)).get(0).hops())
        .extracting(Path.Hop::isOverflow)
        .containsExactly(false, true);
  }

  @Test
  void aLoopIsTold() {
    Path.Hop root = path(true, 1, "root 1-2").hops().get(0);
    Path.Hop loop = new Path.Hop(new Site("a.A", "again", "", 0, ""), "1-2", true, false);
    Path.Hop once = new Path.Hop(loop.site(), "1-2", false, false);
    List<Path> paths = List.of(leak(root, once), leak(root, loop), leak(root, once));
    assertThat(LeakPaths.of(paths).get(0).hops())
        .extracting(Path.Hop::isLoop)
        .containsExactly(false, true);
  }

  @Test
  void countsAreToldInTheirOrder() {
    Path many = path(true, 1, "root 6+");
    Path few = path(true, 1, "root 1-2");
    assertThat(LeakPaths.of(List.of(many, few)).get(0).hops().get(0).refs()).isEqualTo("1-2, 6+");
  }

  private static Path leak(Path.Hop... hops) {
    return new Path(
        List.of(hops),
        true,
        Path.Flows.NONE,
        new Path.Flows(1, 1),
        Path.Flows.NONE,
        Path.NO_AGE,
        Path.NO_AGE);
  }

  private static Path aged(long oldest, long median, String station) {
    return new Path(
        path(true, 1, station).hops(),
        true,
        Path.Flows.NONE,
        new Path.Flows(1, 1),
        new Path.Flows(2, 8),
        oldest,
        median,
        1_000 + oldest,
        2_000 + oldest);
  }

  private static String text(Path path) {
    return path.leaked().count()
        + " leaked "
        + path.leaked().bytes()
        + " B held "
        + path.held()
        + ": "
        + path.hops().stream()
            .map(
                hop ->
                    hop.site().method() + " [" + hop.refs() + ']' + (hop.isLoop() ? " loop" : ""))
            .collect(Collectors.joining(" > "));
  }

  private static Path path(boolean direct, long leaked, String... stations) {
    List<Path.Hop> hops = new ArrayList<>();
    for (String station : stations) {
      String[] words = station.split(" ", -1);
      hops.add(new Path.Hop(new Site("a.A", words[0], "", 0, ""), words[1], false, false));
    }
    return new Path(
            hops,
            direct,
            Path.Flows.NONE,
            new Path.Flows(leaked, leaked * 10),
            Path.Flows.NONE,
            Path.NO_AGE,
            Path.NO_AGE,
            leaked == 0 ? Path.NEVER : 1_000 + leaked,
            leaked == 0 ? Path.NEVER : 2_000 + leaked)
        .with(Path.Flows.NONE, leaked);
  }
}
