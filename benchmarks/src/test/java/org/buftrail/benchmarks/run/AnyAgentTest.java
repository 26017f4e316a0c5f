package org.buftrail.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.buftrail.flow.control.FlowTracker;
import org.junit.jupiter.api.Test;

class AnyAgentTest {
  /** Else each arm with an agent would be said to have none. */
  @Test
  void thisAgentIsFound() {
    assertThat(AnyAgent.TRACKERS).contains(FlowTracker.class.getName());
  }

  @Test
  void asksForWhatThisAgentTells() {
    Object snapshot = FlowTracker.INSTANCE.snapshot();
    assertThat(AnyAgent.number(snapshot, "allocated")).isZero();
    assertThat(AnyAgent.number(snapshot, "overflowed")).isZero();
    assertThat(AnyAgent.number(snapshot, "suppressedErrors")).isZero();
    assertThat(AnyAgent.flows(snapshot, "released")).isZero();
    assertThat(AnyAgent.list(snapshot, "paths")).isEmpty();
  }

  @Test
  void saysWhatItCouldNotAsk() {
    assertThatThrownBy(() -> AnyAgent.number("text", "allocated"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("cannot ask the agent: java.lang.String.allocated");
  }
}
