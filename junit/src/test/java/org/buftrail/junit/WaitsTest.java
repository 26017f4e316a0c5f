package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class WaitsTest {
  private final List<Long> slept = new ArrayList<>();
  private long now = TimeUnit.SECONDS.toNanos(7);
  private boolean isBusy = true;

  /** Sleeps while another does. */
  private Waits.@Nullable Wait within;

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
              Waits.Wait other = within;
              within = null;
              if (other != null && other.goesOn()) {
                within = other;
              }
              now += TimeUnit.MILLISECONDS.toNanos(millis);
            }

            @Override
            public boolean isAnyThreadBusy() {
              return isBusy;
            }
          });

  private static Rules grace(long millis) {
    return new Rules(Until.TEST, millis, true, false);
  }

  private static long millis(Waits.Wait wait) {
    while (wait.goesOn()) {
      // Sleeps by the clock of the test.
    }
    return wait.millis();
  }

  @Test
  void pausesGrowUntilItHasBeenLongEnough() {
    assertThat(millis(waits.forReleases(grace(120)))).isEqualTo(120);
    assertThat(slept).containsExactly(10L, 20L, 40L, 50L);
    assertThat(millis(waits.forReleases(grace(0)))).isZero();
  }

  @Test
  void nobodyWaitsForThreadsWithoutWork() {
    isBusy = false;
    assertThat(millis(waits.forReleases(grace(5_000)))).isEqualTo(120);
  }

  @Test
  void allWaitsShareAMinuteOfWhichTasksLeaveFortySeconds() {
    assertThat(millis(waits.forTasks(grace(19_000)))).isBetween(19_000L, 19_050L);
    assertThat(millis(waits.forTasks(grace(19_000)))).isBetween(900L, 1_050L);
    assertThat(millis(waits.forTasks(grace(19_000)))).isZero();
    assertThat(millis(waits.forReleases(grace(50_000)))).isBetween(39_900L, 40_050L);
    assertThat(millis(waits.forReleases(grace(50_000)))).isZero();
  }

  @Test
  void whoDeclaresHowLongToWaitTakesNothingOfTheMinuteAndNeedsNothing() {
    assertThat(millis(waits.forReleases(grace(0).withGrace(70_000)))).isBetween(70_000L, 70_050L);
    assertThat(millis(waits.forReleases(grace(70_000)))).isBetween(59_900L, 60_050L);
    assertThat(millis(waits.forReleases(grace(0).withGrace(500)))).isBetween(500L, 550L);
    assertThat(millis(waits.forTasks(grace(0).withGrace(500)))).isBetween(500L, 550L);
  }

  /** The second sleeps within the first one's sleep: the clock goes on for both. */
  @Test
  void waitsSideBySideTakeTheMinuteOnce() {
    Waits.Wait inner = waits.forReleases(grace(30_000));
    within = inner;
    assertThat(millis(waits.forReleases(grace(30_000)))).isBetween(30_000L, 30_100L);
    within = null;
    assertThat(inner.millis()).isGreaterThan(29_000);
    assertThat(millis(waits.forReleases(grace(90_000)))).isBetween(29_800L, 30_100L);
  }
}
