package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class SuspectsTest {
  private static final String BUFFER = "io.netty.buffer.ByteBuf";

  private final List<Path> paths = new ArrayList<>();

  private static List<Path.Hop> hops(String... places) {
    List<Path.Hop> hops = new ArrayList<>();
    for (String place : places) {
      boolean release = place.equals("release");
      Site site = new Site(release ? BUFFER : "app.Shop", place, "", release ? 0 : 7, "");
      hops.add(new Path.Hop(site, release ? "0" : "1", false, false));
    }
    return hops;
  }

  private void live(long count, long oldest, long median, String... places) {
    Path.Flows live = new Path.Flows(count, count * 256);
    paths.add(new Path(hops(places), true, Path.Flows.NONE, Path.Flows.NONE, live, oldest, median));
  }

  private void released(long count, String... places) {
    released(true, count, places);
  }

  private void released(boolean direct, long count, String... places) {
    Path.Flows released = new Path.Flows(count, count * 256);
    paths.add(
        new Path(
            hops(places),
            direct,
            released,
            Path.Flows.NONE,
            Path.Flows.NONE,
            Path.NO_AGE,
            Path.NO_AGE));
  }

  private List<Suspects.Suspect> suspects() {
    return Suspects.of(new Snapshot(0, 1, 0, 0, TrackerStatus.FINE, paths, List.of()));
  }

  @Test
  void whatGrowsAndIsNeverReleasedIsSuspect() {
    live(1_177, 50_000, 25_000, "read", "refuse");
    released(5_000, "read", "receipt", "release");
    released(9_000, "write", "release");

    Suspects.Suspect suspect = suspects().get(0);
    assertThat(suspects()).hasSize(1);
    assertThat(suspect.arrived()).isEqualTo(1_177);
    assertThat(suspect.gone()).isZero();
    assertThat(suspect.sibling()).hasToString("app.Shop.receipt:7");
  }

  @Test
  void whatGoesOnIsNone() {
    live(100, 50_000, 25_000, "read", "queue");
    released(2, "read", "queue", "send", "release");
    assertThat(suspects()).isEmpty();
  }

  @Test
  void whatGoesOnOfOtherMemoryIsAnother() {
    live(100, 50_000, 25_000, "read", "queue");
    released(false, 5_000, "read", "queue", "send", "release");
    released(false, 9_000, "read", "receipt", "release");
    assertThat(suspects())
        .singleElement()
        .satisfies(
            suspect -> {
              assertThat(suspect.gone()).isZero();
              assertThat(suspect.sibling()).isNull();
            });
  }

  @Test
  void afterAMinuteAsManyMayHaveGoneOnAsStay() {
    live(100, 60_000, 30_000, "read", "order");
    released(99, "read", "order", "release");
    assertThat(suspects()).hasSize(1);
    released(1, "read", "order", "send", "release");
    assertThat(suspects()).isEmpty();
  }

  @Test
  void oneInAHundredAndOneMayGoOn() {
    live(100, 50_000, 25_000, "read", "queue");
    released(1, "read", "queue", "send", "release");
    assertThat(suspects())
        .singleElement()
        .satisfies(
            suspect -> {
              assertThat(suspect.arrived()).isEqualTo(101);
              assertThat(suspect.gone()).isEqualTo(1);
            });
  }

  @Test
  void whatWasReleasedWhereOthersStayIsGoneToo() {
    Path.Flows one = new Path.Flows(1, 256);
    Path.Flows live = new Path.Flows(300, 300 * 256);
    paths.add(new Path(hops("read", "queue"), true, one, Path.Flows.NONE, live, 50_000, 25_000));
    released(2, "read", "queue", "send", "release");
    assertThat(suspects())
        .singleElement()
        .satisfies(
            suspect -> {
              assertThat(suspect.arrived()).isEqualTo(303);
              assertThat(suspect.gone()).isEqualTo(3);
            });
    released(1, "read", "queue", "drop", "release");
    assertThat(suspects()).as("four of 304").isEmpty();
  }

  @Test
  void whatBeganElsewhereDoesNotGoOnFromThere() {
    live(100, 50_000, 25_000, "read", "queue");
    released(5_000, "write", "queue", "send", "release");
    assertThat(suspects())
        .singleElement()
        .satisfies(
            suspect -> {
              assertThat(suspect.gone()).isZero();
              assertThat(suspect.sibling()).isNull();
            });
  }

  @Test
  void theSiblingIsWhereMostAreReleased() {
    live(100, 50_000, 25_000, "read", "queue");
    released(10, "read", "cancel", "release");
    released(5_000, "read", "receipt", "release");
    released(20, "read", "refuse", "release");
    released(9_000, "read", "release");
    assertThat(suspects().get(0).sibling()).hasToString("app.Shop.receipt:7");
  }

  @Test
  void pathsOfAnyDepthAreCompared() {
    String[] deep = new String[300];
    for (int i = 0; i < deep.length; i++) {
      deep[i] = "step" + i;
    }
    live(100, 50_000, 25_000, "read", "queue");
    released(5_000, deep);
    assertThat(suspects()).hasSize(1);
  }

  @Test
  void whatIsPastABoundIsNone() {
    live(100, 50_000, 25_000, "read", "queue");
    List<Path.Hop> past = hops("read");
    past.add(new Path.Hop(new Site("(overflow)", "beyond", "", 0, ""), "1", false, true));
    Path path = paths.get(0);
    paths.add(new Path(past, true, Path.Flows.NONE, Path.Flows.NONE, path.live(), 50_000, 25_000));
    assertThat(suspects()).extracting(Suspects.Suspect::path).containsExactly(path);
  }

  @Test
  void resourcesAreNotSampled() {
    live(20, 50_000, 25_000, Path.RESOURCE_OPEN, "keep");
    assertThat(Suspects.of(paths, 100)).hasSize(1);
  }

  @Test
  void whatIsYoungOrFewOrWasFilledOnceIsNone() {
    live(100, 9_999, 5_000, "read", "young");
    live(19, 50_000, 25_000, "read", "few");
    live(100, 50_000, 37_501, "read", "cache");
    assertThat(suspects()).isEmpty();
    live(20, 10_000, 7_500, "read", "justEnough");
    assertThat(suspects()).hasSize(1);
  }

  @Test
  void ofASampleAsManyMustHaveBeenSeen() {
    live(1_999, 50_000, 25_000, "read", "refuse");
    Snapshot sampled = new Snapshot(0, 100, 0, 0, TrackerStatus.FINE, paths, List.of());
    assertThat(Suspects.of(sampled)).isEmpty();
    live(2_000, 50_000, 25_000, "read", "reject");
    assertThat(Suspects.of(paths, 100)).hasSize(1);
  }

  @Test
  void thePathsAreThoseThatWereGiven() {
    live(100, 50_000, 25_000, "read", "refuse");
    assertThat(Suspects.of(paths, 1).get(0).path()).isSameAs(paths.get(0));
  }

  @Test
  void theLargestIsFirstAndTheyAreBounded() {
    for (int i = 0; i < 60; i++) {
      live(100 + i, 50_000, 25_000, "read", "place" + i);
    }
    assertThat(suspects()).hasSize(50);
    assertThat(suspects().get(0).path().live().count()).isEqualTo(159);
  }

  /**
   * @param millis how long most of them lived
   * @param longest the longest life in milliseconds
   * @param youngest how long ago the latest began, in milliseconds
   */
  private void sampled(
      long count, long samples, long millis, long longest, long youngest, String... places) {
    released(count, places);
    long[] lifetimes = new long[ReleaseSamples.LIFETIMES];
    lifetimes[Long.SIZE - Long.numberOfLeadingZeros(millis * 1_000)] = samples;
    Path path = paths.remove(paths.size() - 1);
    paths.add(path.with(new ReleaseSamples(lifetimes, new long[0], longest, youngest)));
  }

  /** Of 1,015 that came there 91 are left, and the others were released after 5 ms. */
  @Test
  void fewOfManyThatOutliveAllOthersAreSuspect() {
    live(91, 11_800, 5_400, "read", "isValid");
    sampled(924, 14, 5, 40, 20, "read", "isValid", "receipt", "release");

    Suspects.Suspect suspect = suspects().get(0);
    assertThat(suspect.arrived()).isEqualTo(1_015);
    assertThat(suspect.gone()).isEqualTo(924);
    ReleaseSamples others = Objects.requireNonNull(suspect.others());
    assertThat(others.count()).isEqualTo(14);
    assertThat(others.microsOf(99)).isEqualTo(8_192);
  }

  @Test
  void withoutSamplesFewOfManyAreNone() {
    live(91, 11_800, 5_400, "read", "isValid");
    released(924, "read", "isValid", "receipt", "release");
    assertThat(suspects()).isEmpty();
  }

  @Test
  void tooFewSamplesTellNothing() {
    live(91, 11_800, 5_400, "read", "isValid");
    sampled(924, 7, 5, 40, 20, "read", "isValid", "receipt", "release");
    assertThat(suspects()).isEmpty();
  }

  @Test
  void howLongBuffersLiveOnAnotherWayTellsNothing() {
    live(91, 11_800, 5_400, "read", "isValid");
    released(924, "read", "isValid", "receipt", "release");
    sampled(924, 14, 5, 40, 20, "read", "other", "release");
    assertThat(suspects()).isEmpty();
  }

  /** What is evicted from a cache, or answers a long poll, lived long too. */
  @Test
  void whatOthersLivedAsLongAsIsNone() {
    live(91, 60_000, 25_000, "read", "cache");
    sampled(9_000, 140, 5, 30_000, 20, "read", "cache", "evict", "release");
    assertThat(suspects()).isEmpty();
  }

  /** All of it has waited since then: nothing that came later is gone. */
  @Test
  void aQueueThatStandsStillIsNone() {
    live(2_000, 12_000, 6_000, "read", "enqueue");
    sampled(90_000, 1_400, 5, 40, 12_001, "read", "enqueue", "work", "release");
    assertThat(suspects()).isEmpty();
  }

  @Test
  void aCacheThatWasFilledOnceIsNone() {
    live(91, 60_000, 55_000, "read", "isValid");
    sampled(9_000, 140, 5, 40, 20, "read", "isValid", "receipt", "release");
    assertThat(suspects()).isEmpty();
  }

  @Test
  void anAllocatorAloneIsNoPlace() {
    live(91, 11_800, 5_400, "read");
    sampled(924, 14, 5, 40, 20, "read", "receipt", "release");
    assertThat(suspects()).isEmpty();
  }
}
