package org.buftrail.flow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RestraintsTest {
  private final Restraints restraints = new Restraints();

  private String reason() {
    TrackerStatus.Stop stop = restraints.stopped();
    return stop == null ? "none" : stop.reason();
  }

  @Test
  void nothingIsFollowedBeforeTheStartAndNobodySaysWhy() {
    assertThat(restraints.isOn()).isFalse();
    assertThat(restraints.isStarting()).isFalse();
    assertThat(restraints.exclude(true)).isTrue();
    assertThat(restraints.isAlive()).isTrue();
    assertThat(restraints.stopped()).isNull();
    assertThat(restraints.sampling()).isEqualTo(1);
  }

  @Test
  void heapAloneIsExcludedWhereDirectIsWanted() {
    restraints.follow(true, "");
    restraints.configure(1, true);
    assertThat(restraints.isDirectOnly()).isTrue();
    assertThat(restraints.areSampling()).isFalse();
    assertThat(restraints.exclude(true)).isFalse();
    assertThat(restraints.exclude(false)).isTrue();
    restraints.configure(1, false);
    assertThat(restraints.exclude(false)).isFalse();
    assertThat(restraints.isDirectOnly()).isFalse();
  }

  @Test
  void aConfigurationStopsAndStartsNothing() {
    restraints.configure(2, false);
    assertThat(restraints.areSampling()).isTrue();
    assertThat(restraints.sampling()).isEqualTo(2);
    assertThat(restraints.isOn()).isFalse();
    restraints.follow(true, "");
    restraints.setScoped(true);
    restraints.configure(1, true);
    assertThat(restraints.isStarting()).isTrue();
    assertThat(restraints.areScoped()).isTrue();
    restraints.setScoped(false);
    assertThat(restraints.areScoped()).isFalse();
    assertThat(restraints.isDirectOnly()).isTrue();
  }

  @Test
  void aSweeperThatIsBehindHoldsUpWhatIsOn() {
    restraints.follow(true, "");
    assertThat(restraints.setOverrun(true)).isFalse();
    assertThat(restraints.setOverrun(true)).isTrue();
    assertThat(restraints.isOn()).isTrue();
    assertThat(restraints.isStarting()).isFalse();
    assertThat(restraints.exclude(true)).isTrue();
    assertThat(restraints.setOverrun(false)).isTrue();
    assertThat(restraints.isStarting()).isTrue();
  }

  @Test
  void theFirstReasonIsToldUntilItIsOnAgainOrTheAgentIsDetached() {
    long before = System.currentTimeMillis();
    restraints.follow(false, "first");
    restraints.follow(false, "second");
    assertThat(reason()).isEqualTo("first");
    assertThat(Objects.requireNonNull(restraints.stopped()).sinceMillis())
        .isBetween(before, System.currentTimeMillis());
    restraints.follow(true, "");
    assertThat(restraints.stopped()).isNull();
    assertThat(restraints.isStarting()).isTrue();
    restraints.follow(false, "third");
    assertThat(restraints.isOn()).isFalse();
    restraints.detach();
    assertThat(reason()).isEqualTo("the agent was detached");
    assertThat(restraints.isOn()).isFalse();
  }

  @Test
  void whatGaveUpFollowsNothingAnyMore() {
    restraints.follow(true, "");
    long before = System.currentTimeMillis();
    restraints.giveUp();
    long since = Objects.requireNonNull(restraints.stopped()).sinceMillis();
    assertThat(since).isBetween(before, System.currentTimeMillis());
    assertThat(reason()).isEqualTo("1000 errors inside the tracker within 10 s");
    assertThat(restraints.isAlive()).isFalse();
    assertThat(restraints.isOn()).isFalse();
    restraints.follow(true, "");
    assertThat(restraints.isOn()).isFalse();
    while (System.currentTimeMillis() == since) {
      Thread.onSpinWait();
    }
    restraints.giveUp();
    assertThat(Objects.requireNonNull(restraints.stopped()).sinceMillis()).isEqualTo(since);
    restraints.detach();
    assertThat(reason()).as("nothing else").startsWith("1000 errors");
  }

  @Test
  void aLibraryThatIsLeftAloneIsTheReasonUntilOneIsFollowed() {
    restraints.follow(true, "");
    restraints.refuseLibrary("too old");
    restraints.refuseLibrary("older still");
    assertThat(reason()).isEqualTo("too old");
    restraints.follow(false, "switched off");
    assertThat(reason()).isEqualTo("switched off");
    restraints.follow(true, "");
    restraints.knowLibrary();
    assertThat(reason()).isEqualTo("none");
    restraints.refuseLibrary("too old");
    assertThat(reason()).isEqualTo("none");
  }
}
