package org.buftrail.flow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TrackingModeTest {
  private final TrackingMode mode = new TrackingMode();

  private String reason() {
    TrackerStatus.Stop stop = mode.stopped();
    return stop == null ? "none" : stop.reason();
  }

  @Test
  void nothingIsFollowedBeforeTheStartAndNobodySaysWhy() {
    assertThat(mode.isOn()).isFalse();
    assertThat(mode.isStarting()).isFalse();
    assertThat(mode.exclude(true)).isTrue();
    assertThat(mode.isAlive()).isTrue();
    assertThat(mode.stopped()).isNull();
    assertThat(mode.sampling()).isEqualTo(1);
  }

  @Test
  void heapAloneIsExcludedWhereDirectIsWanted() {
    mode.follow(true, "");
    mode.configure(1, true);
    assertThat(mode.isDirectOnly()).isTrue();
    assertThat(mode.areSampling()).isFalse();
    assertThat(mode.exclude(true)).isFalse();
    assertThat(mode.exclude(false)).isTrue();
    mode.configure(1, false);
    assertThat(mode.exclude(false)).isFalse();
    assertThat(mode.isDirectOnly()).isFalse();
  }

  @Test
  void aConfigurationStopsAndStartsNothing() {
    mode.configure(2, false);
    assertThat(mode.areSampling()).isTrue();
    assertThat(mode.sampling()).isEqualTo(2);
    assertThat(mode.isOn()).isFalse();
    mode.follow(true, "");
    mode.setScoped(true);
    mode.configure(1, true);
    assertThat(mode.isStarting()).isTrue();
    assertThat(mode.areScoped()).isTrue();
    mode.setScoped(false);
    assertThat(mode.areScoped()).isFalse();
    assertThat(mode.isDirectOnly()).isTrue();
  }

  @Test
  void aSweeperThatIsBehindHoldsUpWhatIsOn() {
    mode.follow(true, "");
    assertThat(mode.setOverrun(true)).isFalse();
    assertThat(mode.setOverrun(true)).isTrue();
    assertThat(mode.isOn()).isTrue();
    assertThat(mode.isStarting()).isFalse();
    assertThat(mode.exclude(true)).isTrue();
    assertThat(mode.setOverrun(false)).isTrue();
    assertThat(mode.isStarting()).isTrue();
  }

  @Test
  void theFirstReasonIsToldUntilItIsOnAgainOrTheAgentIsDetached() {
    long before = System.currentTimeMillis();
    mode.follow(false, "first");
    mode.follow(false, "second");
    assertThat(reason()).isEqualTo("first");
    assertThat(Objects.requireNonNull(mode.stopped()).sinceMillis())
        .isBetween(before, System.currentTimeMillis());
    mode.follow(true, "");
    assertThat(mode.stopped()).isNull();
    assertThat(mode.isStarting()).isTrue();
    mode.follow(false, "third");
    assertThat(mode.isOn()).isFalse();
    mode.detach();
    assertThat(reason()).isEqualTo("the agent was detached");
    assertThat(mode.isOn()).isFalse();
  }

  @Test
  void whatGaveUpFollowsNothingAnyMore() {
    mode.follow(true, "");
    long before = System.currentTimeMillis();
    mode.giveUp();
    long since = Objects.requireNonNull(mode.stopped()).sinceMillis();
    assertThat(since).isBetween(before, System.currentTimeMillis());
    assertThat(reason()).isEqualTo("1000 errors inside the tracker within 10 s");
    assertThat(mode.isAlive()).isFalse();
    assertThat(mode.isOn()).isFalse();
    mode.follow(true, "");
    assertThat(mode.isOn()).isFalse();
    while (System.currentTimeMillis() == since) {
      Thread.onSpinWait();
    }
    mode.giveUp();
    assertThat(Objects.requireNonNull(mode.stopped()).sinceMillis()).isEqualTo(since);
    mode.detach();
    assertThat(reason()).as("nothing else").startsWith("1000 errors");
  }

  @Test
  void aLibraryThatIsLeftAloneIsTheReasonUntilOneIsFollowed() {
    mode.follow(true, "");
    mode.refuseLibrary("too old");
    mode.refuseLibrary("older still");
    assertThat(reason()).isEqualTo("too old");
    mode.follow(false, "switched off");
    assertThat(reason()).isEqualTo("switched off");
    mode.follow(true, "");
    mode.knowLibrary();
    assertThat(reason()).isEqualTo("none");
    mode.refuseLibrary("too old");
    assertThat(reason()).isEqualTo("none");
  }
}
