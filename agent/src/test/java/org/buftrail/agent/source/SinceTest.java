package org.buftrail.agent.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;

/** The difference between a later snapshot and an earlier one. */
final class SinceTest {
  private static final Site SITE = new Site("app.A", "read", "", 7, "");

  private static Path.Flows flows(long count) {
    return count == 0 ? Path.Flows.NONE : new Path.Flows(count, 10 * count);
  }

  /** A path with so many flows dropped, held for good and live. */
  private static Path path(long dropped, long held, long live) {
    List<Path.Hop> hops = List.of(new Path.Hop(SITE, "1", false, false));
    return new Path(hops, true, flows(0), flows(0), flows(live), Path.NO_AGE, Path.NO_AGE)
        .with(flows(dropped), held);
  }

  private static Snapshot snapshot(long allocated, long overflowed, Path path, long... misuses) {
    List<Misuse> all = new ArrayList<>();
    Misuse.Kind[] kinds = Misuse.Kind.values();
    for (int i = 0; i < misuses.length; i++) {
      all.add(new Misuse(kinds[i], SITE, misuses[i], List.of(), List.of()));
    }
    return new Snapshot(1_000, 1, allocated, overflowed, TrackerStatus.FINE, List.of(path), all);
  }

  @Test
  void whatIsHeldAndDroppedCountsFromTheEarlierOn() {
    Since since = new Since(snapshot(9, 4, path(3, 5, 1)));
    Snapshot rest = since.of(snapshot(20, 6, path(7, 11, 2)));
    assertThat(rest.paths()).hasSize(1);
    Path path = rest.paths().get(0);
    assertThat(path.held()).isEqualTo(6);
    assertThat(path.dropped().count()).isEqualTo(4);
    assertThat(path.dropped().bytes()).isEqualTo(40);
    assertThat(path.live().count()).isEqualTo(2);
    assertThat(rest.allocated()).isEqualTo(20 - 3 - 5);
    assertThat(rest.overflowed()).isEqualTo(2);
  }

  @Test
  void aPathOnWhichNothingHappenedSinceIsLeftOut() {
    Since since = new Since(snapshot(8, 0, path(3, 5, 0)));
    assertThat(since.of(snapshot(8, 0, path(3, 5, 0))).paths()).isEmpty();
    // Live flows are shown, whenever they began.
    assertThat(since.of(snapshot(9, 0, path(3, 5, 1))).paths()).hasSize(1);
  }

  @Test
  void itHasTheHopsOfTheLater() {
    Since since = new Since(snapshot(8, 0, path(3, 5, 0)));
    Snapshot later = snapshot(8, 0, path(3, 5, 0)).withHopRules(Snapshot.HOP_RULES_FEWER);
    assertThat(since.of(later).hopRules()).isEqualTo(Snapshot.HOP_RULES_FEWER);
  }

  /** Counters of another tracker may be behind: then nothing happened, not less than nothing. */
  @Test
  void noCountIsNegative() {
    Snapshot rest = new Since(snapshot(9, 4, path(3, 5, 1))).of(snapshot(2, 1, path(1, 2, 1)));
    assertThat(rest.paths().get(0).held()).isZero();
    assertThat(rest.paths().get(0).dropped()).isEqualTo(Path.Flows.NONE);
    assertThat(rest.allocated()).isZero();
    assertThat(rest.overflowed()).isZero();
  }

  /** A leak that turns out to be held by another goes from one count to the other. */
  @Test
  void whatWasToldIsNotToldAgainWhenItsCountFallsForAWhile() {
    long told = 0;
    Since since = new Since(snapshot(0, 0, path(2, 0, 0)));
    for (long dropped : new long[] {7, 5, 7, 11}) {
      Snapshot now = snapshot(dropped, 0, path(dropped, 0, 1));
      told += since.of(now).dropped().count();
      since = new Since(now, since);
    }
    assertThat(told).isEqualTo(11 - 2);
  }

  @Test
  void bytesThatALeakIsFoundToHoldLaterAreTold() {
    List<Path.Hop> hops = List.of(new Path.Hop(SITE, "1", false, false));
    Path.Flows none = Path.Flows.NONE;
    Path found = new Path(hops, true, none, new Path.Flows(3, 0), none, -1, -1);
    Path more = new Path(hops, true, none, new Path.Flows(3, 77), none, -1, -1);
    Snapshot rest = new Since(snapshot(3, 0, found)).of(snapshot(3, 0, more));
    assertThat(rest.leaked().count()).isZero();
    assertThat(rest.leaked().bytes()).isEqualTo(77);
    assertThat(rest.allocated()).isZero();
  }

  @Test
  void onlyMisusesThatCameSinceAreTold() {
    Snapshot before = snapshot(0, 0, path(0, 0, 1), 2, 3);
    Snapshot after = snapshot(0, 0, path(0, 0, 1), 2, 7, 1);
    for (Since since : List.of(new Since(before), Since.misusesOf(before))) {
      assertThat(since.misuses(after))
          .extracting(Misuse::kind, Misuse::count)
          .containsExactly(
              tuple(Misuse.Kind.RETAIN_AFTER_RELEASE, 4L),
              tuple(Misuse.Kind.USE_AFTER_RELEASE, 1L));
    }
    assertThat(new Since(before).of(after).misuses()).hasSize(2);
  }
}
