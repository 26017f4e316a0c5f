package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.buftrail.model.TrackerStatus.ThreadHealth;
import org.junit.jupiter.api.Test;

final class TrackerStatusTest {
  private static final TrackerStatus.Stop STOP = new TrackerStatus.Stop(123, "switched off");

  private static TrackerStatus.Builder builder(long errors, long lost) {
    return new TrackerStatus.Builder()
        .suppressedErrors(errors)
        .lostReleases(lost)
        .undecided(3)
        .unwovenClasses(9)
        .stop(STOP)
        .add(new TrackerStatus.Unwoven("com.acme.Odd", "no code"))
        .add(new ThreadHealth(ThreadHealth.SWEEPER, 5, 678, 1, "out of luck"));
  }

  private static void assertRest(TrackerStatus status) {
    assertThat(status.undecided()).isEqualTo(3);
    assertThat(status.unwovenClasses()).isEqualTo(9);
    assertThat(status.stop())
        .isNotNull()
        .extracting(TrackerStatus.Stop::sinceMillis, TrackerStatus.Stop::reason)
        .containsExactly(123L, "switched off");
    assertThat(status.unwoven())
        .singleElement()
        .extracting(TrackerStatus.Unwoven::className, TrackerStatus.Unwoven::reason)
        .containsExactly("com.acme.Odd", "no code");
    assertThat(status.threads())
        .singleElement()
        .extracting(
            ThreadHealth::name,
            ThreadHealth::rounds,
            ThreadHealth::lastRoundMillis,
            ThreadHealth::failures,
            ThreadHealth::lastFailure)
        .containsExactly("buftrail-sweeper", 5L, 678L, 1L, "out of luck");
  }

  @Test
  void sinceAnEarlierMomentOnlyErrorsAndLostReleasesAreFewer() {
    TrackerStatus earlier = builder(4, 50).build();
    TrackerStatus later = builder(10, 70).build();
    assertRest(later);
    TrackerStatus between = later.since(earlier);
    assertThat(between.suppressedErrors()).isEqualTo(6);
    assertThat(between.lostReleases()).isEqualTo(20);
    assertRest(between);
    assertThat(earlier.since(later).suppressedErrors()).as("no fewer than none").isZero();
    assertThat(earlier.since(later).lostReleases()).isZero();
  }

  @Test
  void thereAreNoFewerUnwovenClassesThanAreNamed() {
    TrackerStatus status =
        new TrackerStatus.Builder().add(new TrackerStatus.Unwoven("com.acme.Odd", "no")).build();
    assertThat(status.unwovenClasses()).isEqualTo(1);
  }
}
