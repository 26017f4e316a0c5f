package org.buftrail.flow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.Invariants;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SuppressedTest {
  private final List<String> log = new ArrayList<>();

  /** An error of the application's whose message is no text but a deed. */
  private static final class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new AssertionError("not for you");
    }
  }

  private static class Odd extends RuntimeException {
    private static final long serialVersionUID = 1;

    Odd(String message, boolean isTraced) {
      super(message, null, false, isTraced);
    }
  }

  private static final class Untraced extends Odd {
    private static final long serialVersionUID = 1;

    Untraced() {
      super("nowhere", false);
    }
  }

  private static final class Many extends Odd {
    private static final long serialVersionUID = 1;

    Many() {
      super("one of many", false);
    }
  }

  /** Its kind is known to no other test. */
  private static final class Deep extends StackOverflowError {
    private static final long serialVersionUID = 1;
  }

  @BeforeEach
  void listen() {
    Suppressed.tell();
    TrackerLog.setOut(log::add);
  }

  @AfterEach
  void listenNoMore() {
    TrackerLog.setOut(line -> {});
  }

  private static void add(Throwable error) {
    Suppressed.add(error);
    Invariants.meant(1);
  }

  @Test
  void anErrorThatThrowsWhenItIsToldCostsNoSnapshot() {
    long before = Suppressed.count();
    add(new Hostile());
    for (int i = 0; i < 2; i++) {
      assertThat(FlowTracker.INSTANCE.snapshot().status().suppressedErrors()).isEqualTo(before + 1);
    }
  }

  @Test
  void ofErrorsOfOneKindAtOnePlaceTheFirstIsTold() {
    long before = Suppressed.count();
    for (int i = 0; i < 3; i++) {
      add(new Odd("message " + i, true));
      Suppressed.tell();
    }
    assertThat(Suppressed.count()).isEqualTo(before + 3);
    String place = getClass().getName() + ".ofErrorsOfOneKindAtOnePlaceTheFirstIsTold(";
    assertThat(log)
        .singleElement()
        .asString()
        .startsWith("suppressed " + Odd.class.getName() + ": message 0 at " + place);
    add(new Odd("elsewhere", true));
    Suppressed.tell();
    assertThat(log).hasSize(2);
  }

  @Test
  void anErrorWithoutATraceIsToldWithoutAPlace() {
    add(new Untraced());
    Suppressed.tell();
    assertThat(log).containsExactly("suppressed " + Untraced.class.getName() + ": nowhere");
  }

  @Test
  void wantOfStackIsNoReasonToGiveUpAndIsToldOnce() {
    for (int i = 0; i < 2 * TrackingMode.BURST_ERRORS; i++) {
      add(new Deep());
    }
    Suppressed.tell();
    assertThat(log)
        .containsExactly("suppressed " + Deep.class.getName() + ", met inside the tracker");
    TrackerStatus.Stop stop = FlowTracker.INSTANCE.snapshot().status().stop();
    assertThat(stop == null ? "" : stop.reason()).doesNotContain("errors inside the tracker");
  }

  /** The only test with so many: they would be of one burst with those of another. */
  @Test
  void tooManyAtOnceEndTheTrackerAndThatIsToldOnce() {
    TrackingMode ending = new TrackingMode();
    Suppressed.setEnding(ending);
    try {
      add(new Many());
      assertThat(ending.isAlive()).isTrue();
      // Other tests may have put in a few just before, and their ten seconds may end meanwhile.
      for (int i = 0; i < 2 * TrackingMode.BURST_ERRORS && ending.isAlive(); i++) {
        add(new Many());
      }
      assertThat(ending.isAlive()).isFalse();
      Suppressed.tell();
      Suppressed.tell();
    } finally {
      Suppressed.setEnding(Tracker.INSTANCE.mode);
    }
    assertThat(log)
        .filteredOn(line -> line.startsWith("tracking is off"))
        .containsExactly("tracking is off: 1000 errors inside the tracker within 10 s");
  }

  @Test
  void anErrorThatIsLoggedElsewhereIsCountedAlone() {
    long before = Suppressed.count();
    Suppressed.addLogged();
    Invariants.meant(1);
    Suppressed.tell();
    assertThat(Suppressed.count()).isEqualTo(before + 1);
    assertThat(log).isEmpty();
  }
}
