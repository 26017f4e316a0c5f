package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;

import org.buftrail.flow.FakeBuffer;
import org.junit.jupiter.api.Test;

final class StragglersTest {
  private final FakeBuffer buffer = FakeBuffer.heap(1);
  private final Stragglers stragglers = new Stragglers();

  private void assertFound(boolean isFound) {
    assertThat(stragglers.buffers().contains(buffer)).isEqualTo(isFound);
  }

  @Test
  void whatCameBeforeTheRingsWereAskedIsPutRightAndWhatCameAfterWaits() {
    stragglers.add(buffer);
    assertFound(false);
    stragglers.collect();
    assertFound(true);
    stragglers.done();
    assertFound(false);
  }

  @Test
  void whatWasNotPutRightForAnErrorIsFoundAgain() {
    stragglers.add(buffer);
    stragglers.collect();
    assertFound(true);
    stragglers.collect();
    assertFound(true);
  }

  @Test
  void allWaitForOneRoundWhenARingHasNotGivenAll() {
    stragglers.add(buffer);
    stragglers.collect();
    stragglers.postpone();
    assertFound(false);
    stragglers.done();
    stragglers.collect();
    assertFound(true);
  }
}
