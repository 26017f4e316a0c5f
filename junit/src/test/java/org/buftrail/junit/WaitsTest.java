package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class WaitsTest {
  private final List<Long> slept = new ArrayList<>();
  private long now = TimeUnit.SECONDS.toNanos(7);
  private boolean isBusy = true;

  private final Waits waits =
      new Waits(
          new Verdict.Clock() {
            @Override
            public long nanos() {
              return now;
            }

            @Override
            public void sleep(long millis) {
              slept.add(millis);
              now += TimeUnit.MILLISECONDS.toNanos(millis);
            }

            @Override
            public boolean isAnyThreadBusy() {
              return isBusy;
            }
          });

  private static long millis(Waits.Wait wait) {
    while (wait.goesOn()) {
      // Sleeps by the clock of the test.
    }
    return wait.millis();
  }

  @Test
  void pausesGrowUntilItHasBeenLongEnough() {
    assertThat(millis(waits.forReleases(120))).isEqualTo(120);
    assertThat(slept).containsExactly(10L, 20L, 40L, 50L);
    assertThat(millis(waits.forReleases(0))).isZero();
  }

  @Test
  void nobodyWaitsForThreadsWithoutWork() {
    isBusy = false;
    assertThat(millis(waits.forReleases(5_000))).isEqualTo(120);
  }

  @Test
  void allWaitsShareAMinuteOfWhichTasksLeaveFortySeconds() {
    assertThat(millis(waits.forTasks(19_000))).isBetween(19_000L, 19_050L);
    assertThat(millis(waits.forTasks(19_000))).isBetween(900L, 1_050L);
    assertThat(millis(waits.forTasks(19_000))).isZero();
    assertThat(millis(waits.forReleases(50_000))).isBetween(39_900L, 40_050L);
    assertThat(millis(waits.forReleases(50_000))).isZero();
  }
}
