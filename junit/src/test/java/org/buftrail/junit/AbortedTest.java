package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.internal.AssumptionViolatedException;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** What JUnit takes for an assumption that is not met. */
final class AbortedTest {
  private static final class OfUsers extends AssumptionViolatedException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void assumptionsOfEachJUnitAbort() {
    assertThat(ContextScope.isAborted(new TestAbortedException("no network"))).isTrue();
    assertThat(ContextScope.isAborted(new AssumptionViolatedException())).isTrue();
    assertThat(ContextScope.isAborted(new OfUsers())).isTrue();
  }

  @Test
  void nothingElseDoes() {
    assertThat(ContextScope.isAborted(null)).isFalse();
    assertThat(ContextScope.isAborted(new IllegalStateException("assumption"))).isFalse();
  }
}
