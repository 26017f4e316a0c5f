package org.buftrail.agent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;

final class WatchTest {
  private final List<String> log = new ArrayList<>();
  private final List<Snapshot> seen = new ArrayList<>();
  private int taken;
  private long nanos = Long.MAX_VALUE - 1_000_000_000;
  private final Watch watch =
      new Watch(
          new FlowSource(
              () -> {
                taken++;
                return SnapshotBuilder.none().build();
              },
              () -> nanos,
              0),
          () -> nanos,
          log::add);

  private void pass(long millis) {
    nanos += millis * 1_000_000;
    watch.lookAll();
  }

  @Test
  void callsAtThePeriodAndSharesTheSnapshot() {
    watch.add("seen", seen::add, 3_000);
    watch.add("seen", seen::add, 3_000);
    pass(2_999);
    assertThat(seen).isEmpty();
    pass(1);
    assertThat(seen).hasSize(2);
    assertThat(taken).isEqualTo(1);
    pass(2_000);
    assertThat(seen).hasSize(2);
    pass(1_000);
    assertThat(seen).hasSize(4);
    assertThat(taken).isEqualTo(2);
  }

  /** Each wake-up of an idle JVM has its price. */
  @Test
  void thoseThatCameAtOtherTimesAreCalledTogether() {
    List<Long> first = new ArrayList<>();
    List<Long> second = new ArrayList<>();
    long began = nanos;
    watch.add("first", now -> first.add((nanos - began) / 1_000_000), 200);
    pass(30);
    watch.add("second", now -> second.add((nanos - began) / 1_000_000), 100);
    for (int i = 0; i < 100; i++) {
      pass(10);
    }
    assertThat(first).containsExactly(200L, 400L, 600L, 800L, 1_000L);
    assertThat(second).startsWith(130L, 200L, 300L, 400L).hasSize(10);
  }

  @Test
  void takesNoSnapshotForNobody() {
    watch.add(
        "nobody",
        new Watcher() {
          @Override
          public boolean isWanted() {
            return false;
          }

          @Override
          public void look(Snapshot now) {
            seen.add(now);
          }
        },
        10);
    pass(10);
    assertThat(taken).isZero();
    assertThat(seen).isEmpty();
  }

  @Test
  void oneThatTakesLongRestsLongerAndDelaysNobodyElse() {
    watch.add(
        "slow",
        now -> {
          nanos += 500_000_000;
          seen.add(now);
        },
        1_000);
    List<Snapshot> quick = new ArrayList<>();
    watch.add("quick", quick::add, 1_000);
    pass(1_000);
    assertThat(seen).hasSize(1);
    for (int i = 0; i < 9; i++) {
      pass(1_000);
    }
    assertThat(seen).hasSize(1);
    assertThat(quick).hasSizeGreaterThanOrEqualTo(9);
    pass(1_000);
    assertThat(seen).hasSize(2);
  }

  @Test
  void aFailureIsLoggedOnceAndDisturbsNobody() {
    watch.add(
        "snapshots at intervals",
        now -> {
          throw new IllegalStateException("disk full");
        },
        10);
    watch.add("seen", seen::add, 10);
    pass(10);
    assertThat(log).as("told in the next round, when there may be memory again").isEmpty();
    pass(10);
    pass(10);
    assertThat(seen).hasSize(3);
    assertThat(log).hasSize(1);
    assertThat(log.get(0)).startsWith("snapshots at intervals failed").contains("disk full");
  }
}
