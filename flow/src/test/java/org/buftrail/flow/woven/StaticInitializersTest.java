package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;

import org.buftrail.flow.LeakScope;
import org.buftrail.flow.Probe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is opened while a static initialiser runs is for everybody, unless it is the test's own. */
@ExtendWith(Probe.class)
final class StaticInitializersTest {
  private static final class Timer {
    private static final int TYPE =
        Resources.register("test.SharedTimer", Timer.class.getName(), false, null);

    /** Keeps it in a field, as clients keep their timers: no initialiser ever sees it. */
    Timer() {
      Resources.opened(this, TYPE);
    }
  }

  /** Has one for all tests. */
  private static final class Client {
    static final Timer SHARED = new Timer();
  }

  /** Stands for a test class that has one for itself. */
  private static final class OwnTimerTest {
    static final Timer OWN = new Timer();
  }

  @Test
  void whatAnyInitializerOpensIsTheOutermostScopes() {
    try (LeakScope run = LeakScope.open("the run");
        LeakScope test = LeakScope.open("com.example.FirstTest.first()")) {
      assertThat(Client.SHARED).isNotNull();
      assertThat(test.leftovers()).isEmpty();
      assertThat(run.leftovers()).hasSize(1);
      Resources.closed(Client.SHARED, Timer.TYPE);
      assertThat(run.leftovers()).isEmpty();
    }
  }

  @Test
  void whatTheInitializerOfTheTestsOwnClassOpensIsTheTests() {
    try (LeakScope run = LeakScope.open("the run");
        LeakScope test = LeakScope.open(OwnTimerTest.class.getName() + ".first()")) {
      assertThat(OwnTimerTest.OWN).isNotNull();
      assertThat(test.leftovers()).hasSize(1);
      Resources.closed(OwnTimerTest.OWN, Timer.TYPE);
      assertThat(run.leftovers()).isEmpty();
    }
  }

  @Test
  void whatATestOpensIsItsOwn() {
    try (LeakScope run = LeakScope.open("the run");
        LeakScope test = LeakScope.open("com.example.FirstTest.first()")) {
      Timer timer = new Timer();
      assertThat(test.leftovers()).hasSize(1);
      Resources.closed(timer, Timer.TYPE);
      assertThat(run.leftovers()).isEmpty();
    }
  }
}
