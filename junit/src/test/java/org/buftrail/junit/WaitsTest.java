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
  private Activity activity = Activity.NOW;
  private boolean seesAtOnce;
  private final FakeScope scope = new FakeScope("test", now -> List.of());

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
            public Activity activity(long firstThread) {
              return activity;
            }

            @Override
            public boolean seesAtOnce() {
              return seesAtOnce;
            }
          });

  private static Rules grace(long millis) {
    return new Rules(Until.TEST, millis, true, false);
  }

  private Waits.Wait releases(Rules rules) {
    return waits.forReleases(scope, rules);
  }

  private Waits.Wait tasks(Rules rules) {
    return waits.forTasks(scope, rules);
  }

  private static long millis(Waits.Wait wait) {
    while (wait.goesOn()) {
      // Sleeps by the clock of the test.
    }
    return wait.millis();
  }

  @Test
  void pausesGrowUntilItHasBeenLongEnough() {
    assertThat(millis(releases(grace(120)))).isEqualTo(120);
    assertThat(slept).containsExactly(10L, 20L, 40L, 50L);
    assertThat(millis(releases(grace(0)))).isZero();
  }

  @Test
  void nobodyWaitsForThreadsWithoutWork() {
    activity = Activity.NONE;
    assertThat(millis(releases(grace(5_000)))).isEqualTo(120);
    seesAtOnce = true;
    assertThat(millis(releases(grace(5_000)))).isEqualTo(15);
  }

  @Test
  void threadsOfWhichNothingSaysThatTheyWorkForTheTestTakeAThirdOfTheMinute() {
    seesAtOnce = true;
    activity = Activity.ELSEWHERE;
    assertThat(millis(releases(grace(19_900)))).isBetween(19_900L, 19_950L);
    assertThat(millis(releases(grace(5_000)))).isBetween(100L, 300L);
    assertThat(millis(releases(grace(5_000))))
        .as("as long as one may need to begin")
        .isEqualTo(125);
    scope.hasTimers = true;
    assertThat(millis(releases(grace(5_000)))).isBetween(5_000L, 5_050L);
    scope.hasTimers = false;
    scope.tasksUntil = Long.MAX_VALUE;
    assertThat(millis(releases(grace(5_000)))).isBetween(5_000L, 5_050L);
    scope.tasksUntil = 0;
    activity = Activity.LATER;
    assertThat(millis(releases(grace(5_000)))).isBetween(5_000L, 5_050L);
  }

  @Test
  void aWaitIsCutIfTheMinuteEndsItAndNotIfThreadsOrItsOwnTimeDo() {
    Waits.Wait whole = releases(grace(50_000));
    millis(whole);
    assertThat(whole.isCut()).isFalse();
    activity = Activity.NONE;
    Waits.Wait idle = releases(grace(50_000));
    millis(idle);
    assertThat(idle.isCut()).isFalse();
    activity = Activity.NOW;
    Waits.Wait cut = releases(grace(50_000));
    assertThat(millis(cut)).isBetween(9_800L, 10_150L);
    assertThat(cut.isCut()).isTrue();
    activity = Activity.NONE;
    Waits.Wait quiet = releases(grace(50_000));
    assertThat(millis(quiet)).isEqualTo(120);
    assertThat(quiet.isCut()).as("no thread is at work").isFalse();
    activity = Activity.NOW;
    Waits.Wait none = releases(grace(0));
    assertThat(millis(none)).isZero();
    assertThat(none.isCut()).isFalse();
    Waits.Wait declared = releases(grace(0).withGrace(70_000));
    millis(declared);
    assertThat(declared.isCut()).isFalse();
  }

  @Test
  void allWaitsShareAMinuteOfWhichTasksLeaveFortySeconds() {
    assertThat(millis(tasks(grace(19_000)))).isBetween(19_000L, 19_050L);
    assertThat(millis(tasks(grace(19_000)))).isBetween(900L, 1_150L);
    assertThat(millis(tasks(grace(19_000)))).as("a few looks").isEqualTo(30);
    assertThat(millis(releases(grace(50_000)))).isBetween(39_900L, 40_100L);
    assertThat(millis(releases(grace(50_000)))).as("a few looks").isEqualTo(30);
  }

  @Test
  void whoDeclaresHowLongToWaitTakesNothingOfTheMinuteAndNeedsNothing() {
    assertThat(millis(releases(grace(0).withGrace(70_000)))).isBetween(70_000L, 70_050L);
    assertThat(millis(releases(grace(70_000)))).isBetween(59_900L, 60_100L);
    assertThat(millis(releases(grace(0).withGrace(500)))).isBetween(500L, 550L);
    assertThat(millis(tasks(grace(0).withGrace(500)))).isBetween(500L, 550L);
  }

  /** The second sleeps within the first one's sleep: the clock goes on for both. */
  @Test
  void waitsSideBySideTakeTheMinuteOnce() {
    Waits.Wait inner = releases(grace(30_000));
    within = inner;
    assertThat(millis(releases(grace(30_000)))).isBetween(30_000L, 30_100L);
    within = null;
    assertThat(inner.millis()).isGreaterThan(29_000);
    assertThat(millis(releases(grace(90_000)))).isBetween(29_800L, 30_150L);
  }
}
