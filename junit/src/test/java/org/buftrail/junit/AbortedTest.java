package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.AssumptionViolatedException;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** What JUnit takes for an assumption that is not met. */
final class AbortedTest {
  private static final class OfUsers extends AssumptionViolatedException {
    private static final long serialVersionUID = 1;

    OfUsers() {
      super("no network");
    }
  }

  @Test
  void assumptionsOfEachJUnitAbort() {
    assertThat(Aborted.is(new TestAbortedException("no network"))).isTrue();
    assertThat(Aborted.is(new AssumptionViolatedException("no network"))).isTrue();
    assertThat(Aborted.is(new OfUsers())).isTrue();
  }

  @Test
  void nothingElseDoes() {
    assertThat(Aborted.is(null)).isFalse();
    assertThat(Aborted.is(new IllegalStateException("assumption"))).isFalse();
  }
}
