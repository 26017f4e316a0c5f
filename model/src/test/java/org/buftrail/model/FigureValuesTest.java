package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.model.TrackerStatus.ThreadHealth;
import org.junit.jupiter.api.Test;

/** What each figure is of paths whose numbers can be told apart in a sum. */
final class FigureValuesTest {
  private static final Snapshot EMPTY =
      new Snapshot(0, 1, 0, 0, TrackerStatus.FINE, List.of(), List.of());

  private static final String VALUES =
      """
      ALLOCATED 20000
      BUFFERS_ALLOCATED 18500
      RELEASED 1111
      RELEASED_BYTES 7777
      LEAKED 2222
      LEAKED_BYTES 15554
      DIRECT_LEAKED_BYTES 14014
      HELD 5555
      DROPPED 4444
      DROPPED_BYTES 31108
      LIVE 3333
      LIVE_BYTES 23331
      DIRECT_LIVE_BYTES 21021
      PEAK_LIVE_BYTES 51
      PEAK_AT 33
      PEAK_PLACE_BYTES 51
      POOL_BYTES 1100
      POOL_HELD_BYTES 517
      POOL_IDLE_BYTES 213
      POOL_NOT_LOCATED_BYTES 370
      POOL_TAKEN_BYTES 330
      POOL_FREE_BYTES 121
      POOL_OTHER_BYTES 49
      POOL_ALONE_BYTES 48
      POOL_HOLD_BYTES 88
      POOL_RETURNED_BYTES 8
      RESIDENT_BYTES 70
      DIRECT_CALL_BYTES 64
      DIRECT_ACCOUNT_BYTES 107
      DIRECT_LIMIT_BYTES 500
      RELEASED_SIZES 0
      RELEASED_LIFETIMES 0
      ROOT_LIVE_BYTES 21231
      ROOT_LEAKED_BYTES 14154
      RESOURCES_CLOSED 100
      RESOURCES_LEAKED 200
      RESOURCES_LIVE 300
      OLDEST_LIVE 70000
      ROOTS 3
      PATHS 4
      LEAK_PATHS 3
      SUSPECT_PATHS 1
      MISUSES 17
      SAMPLING 2
      OVERFLOWED 11
      SUPPRESSED_ERRORS 12
      LOST_RELEASES 13
      TRACKING 0
      TRACKING_STOPPED 14
      THREAD_FAILURES 7
      THREAD_LAST_ROUND 99
      """;

  private static final String SERIES =
      """
      RELEASED {direct=1001, heap=10}
      RELEASED_BYTES {direct=7007, heap=70}
      LEAKED {direct=2002, heap=20}
      LEAKED_BYTES {direct=14014, heap=140}
      HELD {direct=5005, heap=50}
      DROPPED {direct=4004, heap=40}
      DROPPED_BYTES {direct=28028, heap=280}
      LIVE {direct=3003, heap=30}
      LIVE_BYTES {direct=21021, heap=210}
      PEAK_PLACE_BYTES {}
      POOL_BYTES {APool, direct=1000, APool, heap=100}
      POOL_HELD_BYTES {APool, direct=500, APool, heap=17}
      POOL_IDLE_BYTES {APool, direct=200, APool, heap=13}
      POOL_NOT_LOCATED_BYTES {APool, direct=300, APool, heap=70}
      POOL_TAKEN_BYTES {APool, direct=330, APool, heap=0}
      POOL_FREE_BYTES {APool, direct=121, APool, heap=0}
      POOL_OTHER_BYTES {APool, direct=49, APool, heap=0}
      POOL_ALONE_BYTES {a.Session.keep:9=48}
      POOL_HOLD_BYTES {a.Session.keep:9=48, a.Session.share:3=40}
      POOL_RETURNED_BYTES {a.Session.keep:9=8}
      RESIDENT_BYTES {Java heap=30, not known=40}
      DIRECT_CALL_BYTES {a.Cache.load:7=64}
      DIRECT_ACCOUNT_BYTES {JVM, direct=100, JVM, mapped=7}
      DIRECT_LIMIT_BYTES {JVM, direct=500}
      RELEASED_SIZES {}
      RELEASED_LIFETIMES {}
      ROOT_LIVE_BYTES {Pool.directBuffer=21021, Pool.heapBuffer=210}
      ROOT_LEAKED_BYTES {Pool.directBuffer=14014, Pool.heapBuffer=140}
      RESOURCES_CLOSED {java.io.File=100}
      RESOURCES_LEAKED {java.io.File=200}
      RESOURCES_LIVE {java.io.File=300}
      TRACKING_STOPPED {switched off=14}
      THREAD_FAILURES {one=3, other=4}
      THREAD_LAST_ROUND {one=0, other=99}
      """;

  /**
   * @param times how often 1 was released, 2 leaked, 3 are live, 4 were dropped and 5 held
   */
  private static Path path(
      String root, String method, String refs, boolean direct, long times, long oldest) {
    Path.Hop hop = new Path.Hop(new Site(root, method, "", 0, ""), refs, false, false);
    return new Path(
            List.of(hop), direct, flows(times), flows(2 * times), flows(3 * times), oldest, 1_000)
        .with(flows(4 * times), 5 * times);
  }

  private static Path.Flows flows(long count) {
    return new Path.Flows(count, 7 * count);
  }

  private static Misuse misuse(long times) {
    Site site = new Site("a.Service", "close", "", 0, "");
    return new Misuse(Misuse.Kind.DOUBLE_RELEASE, site, times, List.of(), List.of());
  }

  /** Two of the same name add up. */
  private static List<PoolMemory.Pool> pools() {
    return List.of(
        new PoolMemory.Pool("APool", true, 900, 450, 170).with(300, 110),
        new PoolMemory.Pool("APool", false, 100, 17, 13),
        new PoolMemory.Pool("APool", true, 100, 50, 30).with(30, 11));
  }

  /** Two at one place, and one that holds nothing alone. */
  private static List<PoolMemory.Holder> holders() {
    Path.Flows buffers = new Path.Flows(1, 5);
    return List.of(
        new PoolMemory.Holder(hops("keep", 9), true, buffers, 1, 40, 40, 0),
        new PoolMemory.Holder(hops("keep", 9), false, buffers, 1, 8, 8, 8),
        new PoolMemory.Holder(hops("share", 3), true, buffers, 1, 40, 0, 0));
  }

  private static List<Path.Hop> hops(String method, int line) {
    return List.of(
        new Path.Hop(new Site("a.Pool", "directBuffer", "", 0, ""), "1", false, false),
        new Path.Hop(new Site("a.Session", method, "", line, ""), "1", false, false));
  }

  private static Snapshot snapshot() {
    TrackerStatus status =
        new TrackerStatus.Builder()
            .suppressedErrors(12)
            .lostReleases(13)
            .stop(new TrackerStatus.Stop(14, "switched off"))
            .add(new ThreadHealth("one", 0, ThreadHealth.NEVER, 3, null))
            .add(new ThreadHealth("other", 5, 99, 4, null))
            .build();
    List<Path> paths =
        List.of(
            path("a.Pool", "directBuffer", "1-2", true, 1, 5_000),
            path("a.Pool", "directBuffer", "3-5", true, 1_000, 70_000),
            path("a.Pool", "heapBuffer", "1-2", false, 10, 5_000),
            path("java.io.File", "open", "1-2", false, 100, 5_000));
    return new Snapshot(15, 2, 20_000, 11, status, paths, List.of(misuse(9), misuse(8)))
        .with(new Peak(33, new Path.Flows(3, 51), List.of()))
        .with(new PoolMemory(pools(), holders(), List.of(), List.of()).with(direct()))
        .with(
            new ProcessMemory(
                List.of(
                    new ProcessMemory.Owner("Java heap", 30, 5, ""),
                    new ProcessMemory.Owner("not known", 40, 0, "")),
                List.of()));
  }

  private static DirectMemory direct() {
    Site call = new Site("a.Cache", "load", "", 7, "");
    return new DirectMemory(
        List.of(new DirectMemory.CallSite(call, new Path.Flows(2, 64), new Path.Flows(3, 96))),
        List.of(
            new DirectMemory.Account("JVM, direct", 3, 100, 500),
            new DirectMemory.Account("JVM, mapped", 1, 7, DirectMemory.Account.UNKNOWN)));
  }

  @Test
  void eachFigureIsTheSumOfWhatItIsOf() {
    FigureValues values = FigureValues.of(snapshot());
    List<String> lines = new ArrayList<>();
    for (Figure figure : Figure.values()) {
      lines.add(figure + " " + values.get(figure));
    }
    assertThat(lines).isEqualTo(VALUES.lines().toList());
  }

  @Test
  void eachFigureWithALabelIsToldApartByIt() {
    FigureValues values = FigureValues.of(snapshot());
    List<String> lines = new ArrayList<>();
    for (Figure figure : Figure.values()) {
      if (figure.label() == Figure.Label.NONE) {
        assertThat(values.series(figure)).isEqualTo(Map.of("", values.get(figure)));
      } else {
        lines.add(figure + " " + values.series(figure));
      }
    }
    assertThat(lines).isEqualTo(SERIES.lines().toList());
  }

  /** Holders come with those first that hold most alone. */
  @Test
  void thePlacesWithMostAreNamedByWhicheverFigure() {
    Path.Flows buffers = new Path.Flows(1, 5);
    List<PoolMemory.Holder> holders = new ArrayList<>();
    for (int i = 1; i <= 50; i++) {
      holders.add(new PoolMemory.Holder(hops("keep", i), true, buffers, 1, 10, 10, 10));
    }
    holders.add(new PoolMemory.Holder(hops("share", 3), true, buffers, 9, 90, 0, 0));
    FigureValues values =
        FigureValues.of(
            EMPTY.with(new PoolMemory(List.of(), holders, List.of(), List.of()).with(direct())));
    assertThat(values.series(Figure.POOL_HOLD_BYTES))
        .hasSize(50)
        .containsEntry("a.Session.share:3", 90L)
        .doesNotContainKey("a.Session.keep:50");
    assertThat(values.series(Figure.POOL_ALONE_BYTES))
        .hasSize(50)
        .containsEntry("a.Session.keep:50", 10L);
  }

  @Test
  void whereThereIsNothingAgesAndTimesAreMissingAndCountsAreZero() {
    FigureValues values = FigureValues.of(EMPTY);
    assertThat(values.get(Figure.OLDEST_LIVE)).isEqualTo(Path.NO_AGE);
    assertThat(values.get(Figure.TRACKING_STOPPED)).isEqualTo(Path.NEVER);
    assertThat(values.get(Figure.TRACKING)).isEqualTo(1);
    assertThat(values.series(Figure.TRACKING_STOPPED)).isEmpty();
    assertThat(values.get(Figure.POOL_BYTES)).as("nobody was asked").isEqualTo(-1);
    assertThat(values.series(Figure.POOL_BYTES)).isEmpty();
    assertThat(values.get(Figure.POOL_ALONE_BYTES)).isEqualTo(-1);
    assertThat(values.get(Figure.RESIDENT_BYTES)).isEqualTo(-1);
    assertThat(values.series(Figure.RESIDENT_BYTES)).isEmpty();
    assertThat(values.get(Figure.LIVE)).isZero();
  }

  @Test
  void handlersGetWhatTheyWantByName() {
    FlowMetrics some =
        FlowMetrics.of(snapshot(), Set.of("live", "direct_live", "resource_released", "no figure"));
    assertThat(some.values())
        .isEqualTo(Map.of("live", 3_333L, "direct_live", 3_003L, "resource_released", 100L));
    assertThat(some.takenAtMillis()).isEqualTo(15);
    assertThat(some.leaks()).extracting(path -> path.leaked().count()).contains(2_002L, 20L, 200L);
    FlowMetrics all = FlowMetrics.of(EMPTY, Set.of());
    assertThat(all.values().keySet())
        .isEqualTo(FlowMetrics.names())
        .contains("heap_leaked_bytes", "resource_held", "oldest_live_millis")
        .doesNotContain("heap_allocated");
    assertThat(all.values()).as("no age").containsEntry("oldest_live_millis", 0L);
  }

  @Test
  void aNameIsThatOfOneFigureInItsPlace() {
    for (Figure.Place place : Figure.Place.values()) {
      for (Figure figure : Figure.in(place)) {
        assertThat(Figure.of(place, String.valueOf(figure.name(place)))).isEqualTo(figure);
      }
      assertThat(Figure.of(place, "no figure")).isNull();
    }
    assertThat(Figure.in(Figure.Place.ALERT))
        .containsExactly(
            Figure.LEAKED,
            Figure.LEAKED_BYTES,
            Figure.DROPPED,
            Figure.DROPPED_BYTES,
            Figure.LIVE,
            Figure.LIVE_BYTES,
            Figure.DIRECT_LIVE_BYTES,
            Figure.OLDEST_LIVE,
            Figure.SUSPECT_PATHS);
    assertThat(Figure.LIVE.name(Figure.Place.PROMETHEUS)).isEqualTo("buftrail_buffers_live");
    assertThat(Figure.LIVE.help()).isEqualTo("Netty buffers that are alive");
  }
}
