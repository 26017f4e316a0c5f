package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.ReferenceQueue;
import java.util.Set;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.woven.Tracker;
import org.junit.jupiter.api.Test;

final class StragglersTest {
  /** As many as a stamp can tell from each other. */
  private static final int LIVES = 1 << 14;

  private final Node root = new Tracker().tree.root(0, 0);
  private final FakeBuffer buffer = FakeBuffer.heap(1);
  private final Stragglers stragglers = new Stragglers();

  private int beginTenuredLife() {
    int stamp = Stamp.nextLife(FlowState.stamp(buffer), Stamp.TENURED_SLOT);
    FlowState.setStampRelease(buffer, stamp);
    FlowState.setStateOpaque(
        buffer, new TenuredFlow(buffer, new ReferenceQueue<>(), root, 0, true));
    return stamp;
  }

  private Set<TrackedBuffer> take() {
    stragglers.collect();
    return stragglers.takeOverwritten();
  }

  @Test
  void whatMayHaveBeenOverwrittenIsLookedForWhateverLifeTheBufferHasThen() {
    for (int life = 0; life < LIVES; life++) {
      stragglers.addOverwritten(buffer);
      beginTenuredLife();
      assertThat(take().contains(buffer)).as("life %s", life).isTrue();
    }
  }

  @Test
  void whatHasItsTenuredFlowIsNotLookedForUnlessItIsAnotherLife() {
    int stamp = beginTenuredLife();
    stragglers.add(buffer, stamp);
    assertThat(take().isEmpty()).isTrue();
    stragglers.add(buffer, stamp);
    beginTenuredLife();
    assertThat(take().contains(buffer)).isTrue();
    assertThat(take().isEmpty()).isTrue();
  }
}
