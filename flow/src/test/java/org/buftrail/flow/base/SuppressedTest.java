package org.buftrail.flow.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.buftrail.flow.Invariants;
import org.buftrail.flow.control.FlowTracker;
import org.junit.jupiter.api.Test;

final class SuppressedTest {
  /** An error of the application's whose message is no text but a deed. */
  private static final class Hostile extends RuntimeException {
    @Override
    public String getMessage() {
      throw new AssertionError("not for you");
    }
  }

  @Test
  void anErrorThatThrowsWhenItIsToldCostsNoSnapshot() {
    long before = Suppressed.count();
    Suppressed.add(new Hostile());
    Invariants.meant(1);
    for (int i = 0; i < 2; i++) {
      assertThat(FlowTracker.snapshot().status().suppressedErrors()).isEqualTo(before + 1);
    }
  }
}
