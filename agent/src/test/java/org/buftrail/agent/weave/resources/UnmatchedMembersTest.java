package org.buftrail.agent.weave.resources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.buftrail.agent.options.ResourceOption;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.woven.Resources;
import org.junit.jupiter.api.Test;

final class UnmatchedMembersTest {
  /** Nobody closes it. */
  private static final class Door {}

  @Test
  void whatIsOpenedAndCannotBeClosedIsNamedOnceAndAtTheEnd() {
    String text = Door.class.getName() + ":open=enter,close=leave";
    List<ResourceRule> rules = List.of(ResourceOption.parse(text).register());
    UnmatchedMembers unmatched = new UnmatchedMembers();
    for (int i = 0; i < 4; i++) {
      assertThat(unmatched.look(rules)).as("nothing was opened").isEmpty();
    }
    FlowTracker.INSTANCE.configure(1, false);
    FlowTracker.INSTANCE.start(true);
    Resources.opened(new Door(), rules.get(0).id);
    FlowTracker.INSTANCE.stop();
    assertThat(unmatched.look(rules)).isEmpty();
    assertThat(unmatched.look(rules)).isEmpty();
    assertThat(unmatched.look(rules))
        .containsExactly(
            "resource "
                + Door.class.getName()
                + ": no loaded class has open=enter, close=leave; as it is, each that is opened"
                + " will count as leaked");
    assertThat(unmatched.look(rules)).isEmpty();
    assertThat(UnmatchedMembers.atEnd(rules))
        .containsExactly(
            "resource " + Door.class.getName() + ": no loaded class had open=enter, close=leave");
  }
}
