package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.leaked;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The races of the package comment, step by step in the worst order.
 *
 * <p>A store that comes late is made by hand, from the node that was read early.
 */
@ExtendWith(Probe.class)
class NurseryTest {
  private static final int A = Probe.site("A");
  private static final int B = Probe.site("B");
  private static final int C = Probe.site("C");

  private final int root = Probe.root();

  /** The second half of a hop whose first half read {@code from}. */
  static void hopStores(FakeBuffer buffer, Node from, int site) {
    Node next = from.next(site << 2 | 1);
    FlowState.setStateOpaque(buffer, next);
    if (Stamp.isMarked(FlowState.stampOpaque(buffer))) {
      Tracker.INSTANCE.nursery.late(buffer);
    }
  }

  /** The same, of a thread that read the stamp before anybody could see its store. */
  private static void hopStoresBlindly(FakeBuffer buffer, Node from, int site) {
    FlowState.setStateOpaque(buffer, from.next(site << 2 | 1));
  }

  static Node nodeOf(FakeBuffer buffer) {
    Object state = FlowState.state(buffer);
    assertThat(state).isInstanceOf(Node.class);
    return (Node) Objects.requireNonNull(state);
  }

  static TenuredFlow tenuredOf(FakeBuffer buffer) {
    Object state = FlowState.state(buffer);
    assertThat(state).isInstanceOf(TenuredFlow.class);
    return (TenuredFlow) Objects.requireNonNull(state);
  }

  @Test
  void youngBufferStaysInTheRingForOneSweep() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root);
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(FlowState.state(buffer)).isInstanceOf(Node.class);
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
    buffer.release();
  }

  @Test
  void bufferIsHeldStronglyUntilItsPromotionHasHeldForASweep() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root);
    Tracker.INSTANCE.nursery.sweep(true);
    TenuredFlow tenured = tenuredOf(buffer);
    assertThat(tenured.strong == buffer).isTrue();
    assertThat(tenured.index).isEqualTo(TenuredFlow.NOWHERE);
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(tenured.strong == null).isTrue();
    assertThat(tenured.index).isNotEqualTo(TenuredFlow.NOWHERE);
    buffer.release();
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(tenured.index).isEqualTo(TenuredFlow.NOWHERE);
  }

  /** Between reading the state and reading the stamp, a look is overtaken by the next life. */
  @Test
  void aLookAtOneLifeThatMarksTheNextGivesItATenuredFlow() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root);
    Tracker.INSTANCE.nursery.sweep(true);
    TenuredFlow tenured = tenuredOf(buffer);
    buffer.release();
    buffer.reset(1).allocatedAt(root);
    TenuredFlow next =
        Tracker.INSTANCE.nursery.pending.mark(tenured, buffer, FlowState.stampOpaque(buffer));
    assertThat(next).isNotNull().isNotSameAs(tenured).isSameAs(FlowState.state(buffer));
    Tracker.INSTANCE.nursery.pending.waiting.add(Objects.requireNonNull(next));
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("release", released(1, 1), "", live(1, 1)));
    buffer.release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("release", released(2, 2)));
  }

  @Test
  void ringThatComesRoundHandsOnWhatLives() {
    List<FakeBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 3 * ThreadRing.MAX_RING; i++) {
      buffers.add(FakeBuffer.heap(1).allocatedAt(root));
    }
    assertThat(buffers.stream().filter(b -> FlowState.state(b) instanceof TenuredFlow).count())
        .isGreaterThanOrEqualTo(2 * ThreadRing.MAX_RING);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("", live(3 * ThreadRing.MAX_RING, 3 * ThreadRing.MAX_RING)));
    buffers.forEach(FakeBuffer::release);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("release", released(3 * ThreadRing.MAX_RING, 3 * ThreadRing.MAX_RING)));
  }

  @Test
  void aPathKnowsWhenItsFirstAndLastLeakWereFound() throws InterruptedException {
    long before = System.currentTimeMillis();
    FakeBuffer.heap(1).allocatedAt(root);
    Probe.awaitLeaks(root, 1);
    long between = System.currentTimeMillis();
    assertThat(leakedPath().firstSeenMillis()).isBetween(before, between);
    assertThat(leakedPath().lastSeenMillis()).isEqualTo(leakedPath().firstSeenMillis());
    while (System.currentTimeMillis() <= between) {
      Thread.onSpinWait();
    }
    FakeBuffer.heap(1).allocatedAt(root);
    Probe.awaitLeaks(root, 2);
    assertThat(leakedPath().firstSeenMillis()).isBetween(before, between);
    assertThat(leakedPath().lastSeenMillis()).isBetween(between + 1, System.currentTimeMillis());
  }

  private Path leakedPath() {
    return FlowTracker.INSTANCE.snapshot().paths().stream()
        .filter(path -> path.hops().get(0).site().equals(Sites.get(root)))
        .findFirst()
        .orElseThrow();
  }

  /** The release looked at the stamp before the promotion marked it, and wrote after it. */
  private static TenuredFlow promoteAmidRelease(FakeBuffer buffer) {
    Node end = nodeOf(buffer).end();
    int seen = FlowState.stamp(buffer);
    buffer.drop();
    TenuredFlow tenured = Objects.requireNonNull(Tracker.INSTANCE.nursery.promote(buffer));
    FlowState.setStamp(buffer, seen);
    Tracker.INSTANCE.nursery.rings.current().leave(buffer, seen, end);
    return tenured;
  }

  @Test
  void releaseInTheMiddleOfAPromotionIsCountedOnceAndTheNextLifeIsNotTheTenuredFlows() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(A);
    TenuredFlow tenured = promoteAmidRelease(buffer);
    assertThat(tenuredOf(buffer)).isSameAs(tenured);
    Tracker.INSTANCE.mode.setStarting(false);
    buffer.reset(1).allocatedAt(root).hop(B).release();
    Tracker.INSTANCE.nursery.pending.check(tenured, buffer);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("A release", released(1, 1)));
  }

  /** The promotion's second step came between the two of the next life, at the same node. */
  @Test
  void aLifeThatHasBegunHalfWhenTheTenuredFlowOfTheOneBeforeIsUndoneLivesOn() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root);
    TenuredFlow tenured = promoteAmidRelease(buffer);
    int over = FlowState.stamp(buffer);
    buffer.reset(1).allocatedAt(root);
    int begun = FlowState.stamp(buffer);
    FlowState.setStateOpaque(buffer, tenured);
    FlowState.setStamp(buffer, over);
    for (TenuredFlow next = tenured; next != null; ) {
      next = Tracker.INSTANCE.nursery.pending.check(next, buffer);
    }
    FlowState.setStamp(buffer, begun);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("release", released(1, 1), "", live(1, 1)));
    buffer.release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("release", released(2, 2)));
  }

  /** As when a ring hands on so much that it lets go of it, and the straggler was taken before. */
  @Test
  void hopOverATenuredFlowThatWasLetGoAndIsNotListedYetLeavesNoGhost() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(A);
    Node read = nodeOf(buffer);
    TenuredFlow tenured = Objects.requireNonNull(Tracker.INSTANCE.nursery.promote(buffer));
    hopStoresBlindly(buffer, read, B);
    tenured.bytes = 1;
    tenured.strong = null;
    Tracker.INSTANCE.nursery.rings.hand(tenured);
    Probe.settle();
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("A B", live(1, 1)));
    buffer.hop(C).release();
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("A B C release", released(1, 1)));
  }

  @Test
  void hopOverANewTenuredFlowIsFoundBySweeping() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(A);
    Node read = nodeOf(buffer);
    Tracker.INSTANCE.nursery.sweep(true);
    hopStoresBlindly(buffer, read, B);
    assertThat(Probe.paths(root)).containsExactlyInAnyOrderEntriesOf(Map.of("A B", live(1, 1)));
    buffer.hop(C).release();
    assertThat(Probe.paths(root).keySet()).containsExactly("A B C release");
  }

  /** At {@code A B}, by a hop that had begun before the tenured flow was made. */
  private FakeBuffer hoppedOverItsSettledTenuredFlow() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(A);
    Node read = nodeOf(buffer);
    Probe.settle();
    hopStores(buffer, read, B);
    return buffer;
  }

  @Test
  void hopOverASettledTenuredFlowReportsItself() {
    FakeBuffer buffer = hoppedOverItsSettledTenuredFlow();
    assertThat(Probe.paths(root)).containsExactlyInAnyOrderEntriesOf(Map.of("A B", live(1, 1)));
    buffer.release();
    assertThat(Probe.paths(root).keySet()).containsExactly("A B release");
  }

  @Test
  void hopOverASettledTenuredFlowThatIsThenReleasedIsCountedOnce() {
    FakeBuffer buffer = hoppedOverItsSettledTenuredFlow();
    buffer.release();
    buffer = null;
    System.gc();
    Probe.settle();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A B release", released(1, 1)));
  }

  @Test
  void hopOverASettledTenuredFlowOfWhatIsThenKeptIsNobodysLeak() {
    FakeBuffer buffer = hoppedOverItsSettledTenuredFlow();
    buffer.keep();
    assertThat(Probe.paths(root)).isEmpty();
    buffer.release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A B release", released(1, 1)));
  }

  @Test
  void hopOverASettledTenuredFlowOfAnEarlierLifeLeavesNoGhost() throws Exception {
    overwriteAndLiveAgain();
    Probe.awaitLeaks(root, 1);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A B release", released(1, 1), "C", leaked(1, 1)));
  }

  private void overwriteAndLiveAgain() {
    FakeBuffer buffer = hoppedOverItsSettledTenuredFlow();
    buffer.release();
    buffer.reset(1).allocatedAt(root).hop(C);
    // The ring comes round before the sweeper looks at the straggler. It may grow on the way.
    for (int i = 0; i < 4 * ThreadRing.MAX_RING && FlowState.state(buffer) instanceof Node; i++) {
      FakeBuffer.heap(1).allocatedAt(Probe.root()).release();
    }
    assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
  }

  @Test
  void hopOverAReleaseBringsNothingBack() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(A);
    Node read = nodeOf(buffer);
    buffer.release();
    hopStores(buffer, read, B);
    assertThat(Nursery.position(buffer)).isNull();
    buffer.reset(2).allocatedAt(root).release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A release", released(1, 1), "release", released(1, 2)));
  }

  @Test
  void hopOverAReleaseThatNobodySawCountsNothing() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(A);
    Node read = nodeOf(buffer);
    buffer.release();
    hopStoresBlindly(buffer, read, B);
    Probe.settle();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(1, 1)));
    Buffers.released(buffer, true);
    buffer.reset(2).allocatedAt(root).hop(C).release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A release", released(1, 1), "C release", released(1, 2)));
  }

  @Test
  void tenuredOfAPromotionThatMetTheReleaseIsForgotten() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(A);
    Tracker.INSTANCE.nursery.sweep(true);
    TenuredFlow tenured = tenuredOf(buffer);
    buffer.release();
    // As the promotion would leave it: the tenured flow in place, the life over.
    FlowState.setStateOpaque(buffer, tenured);
    Probe.settle();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(1, 1)));
    buffer.reset(2).allocatedAt(root).release();
  }

  @Test
  void releaseOverANewTenuredFlowIsCountedOnce() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(A);
    Node read = nodeOf(buffer);
    buffer.drop();
    Tracker.INSTANCE.nursery.sweep(true);
    assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
    Tracker.INSTANCE
        .nursery
        .rings
        .current()
        .leave(buffer, FlowState.stampOpaque(buffer), read.end());
    Probe.settle();
    buffer = null;
    System.gc();
    Probe.settle();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(1, 1)));
  }

  @Test
  void tenuredIsNotBelievedWhileItsReleaseIsUnderWay() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(A);
    buffer.drop();
    Probe.settle();
    assertThat(tenuredOf(buffer).index).isEqualTo(TenuredFlow.NOWHERE);
    assertThat(Probe.paths(root)).as("told by its count").containsKey("A release");
    Buffers.released(buffer, true);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(1, 1)));
  }

  @Test
  void releaseThatIsNeverToldOfIsCountedInTheEnd() {
    FakeBuffer buffer = FakeBuffer.heap(7).allocatedAt(root).hop(A);
    buffer.drop();
    Probe.settle();
    assertThat(tenuredOf(buffer).isEnded()).isFalse();
    tenuredOf(buffer).born -= Ticks.MINUTE;
    Tracker.INSTANCE.nursery.sweep(true);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(1, 7)));
    Buffers.released(buffer, true);
    buffer.reset(1).allocatedAt(root).release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A release", released(1, 7), "release", released(1, 1)));
  }

  @Test
  void tenuredThatLosesItsMarkIsMarkedAgainBeforeItIsBelieved() {
    FakeBuffer buffer = FakeBuffer.heap(7).allocatedAt(root);
    int stamp = FlowState.stamp(buffer);
    Tracker.INSTANCE.nursery.sweep(true);
    FlowState.setStamp(buffer, stamp);
    Tracker.INSTANCE.nursery.sweep(true);
    assertThat(tenuredOf(buffer).index).isEqualTo(TenuredFlow.NOWHERE);
    assertThat(Stamp.isTenured(FlowState.stamp(buffer))).isTrue();
    Probe.settle();
    assertThat(tenuredOf(buffer).index).isNotEqualTo(TenuredFlow.NOWHERE);
    buffer.release();
  }

  @Test
  void releaseThatReadTheIndexBeforeItWasSetIsNotALeak() {
    FakeBuffer buffer = FakeBuffer.heap(7).allocatedAt(root);
    Tracker.INSTANCE.nursery.sweep(true);
    TenuredFlow tenured = tenuredOf(buffer);
    assertThat(tenured.markEnded()).isTrue();
    assertThat(tenured.markEnded()).isFalse();
    Tracker.INSTANCE
        .nursery
        .rings
        .current()
        .leave(buffer, FlowState.stampOpaque(buffer), tenured.node.end());
    Probe.settle();
    assertThat(tenured.index).isEqualTo(TenuredFlow.NOWHERE);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("release", released(1, 7)));
  }

  @Test
  void objectReusedWhileAnotherRingStillHoldsItKeepsItsNewLife() throws Exception {
    FakeBuffer buffer = FakeBuffer.heap(7).allocatedAt(root).hop(A);
    Thread other =
        new Thread(
            () -> {
              buffer.release();
              buffer.reset(9).allocatedAt(root).hop(B);
            });
    other.start();
    other.join();
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(1, 7), "B", live(1, 9)));
    buffer.release();
  }

  @Test
  void bufferThatThrowsWhenAskedHurtsNoOther() throws Exception {
    FakeBuffer before = FakeBuffer.heap(7).allocatedAt(root);
    Hostile hostile = new Hostile();
    hostile.reset(5).allocatedAt(root);
    FakeBuffer after = FakeBuffer.heap(7).allocatedAt(root);
    hostile.throwing = true;
    Probe.settle();
    assertThat(Probe.paths(root)).containsExactlyInAnyOrderEntriesOf(Map.of("", live(3, 14)));
    hostile.throwing = false;
    hostile.release();
    before.release();
    after.release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("release", released(3, 19)));
  }

  @Test
  void deadThreadsCountsStay() throws Exception {
    List<FakeBuffer> left = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Thread thread =
          new Thread(
              () -> {
                FakeBuffer.heap(3).allocatedAt(root).hop(A).release();
                left.add(FakeBuffer.heap(4).allocatedAt(root).hop(B));
              });
      thread.start();
      thread.join();
    }
    assertThat(
            Tracker.INSTANCE.nursery.rings.all().stream().filter(ThreadRing::isAbandoned).count())
        .isGreaterThanOrEqualTo(50);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A release", released(50, 150), "B", live(50, 200)));
    assertThat(Tracker.INSTANCE.nursery.rings.all().stream().noneMatch(ThreadRing::isAbandoned))
        .isTrue();
    left.forEach(FakeBuffer::release);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A release", released(50, 150), "B release", released(50, 200)));
  }

  private static final class Hostile extends FakeBuffer {
    volatile boolean throwing;

    Hostile() {
      super(false);
    }

    @Override
    public int refCnt() {
      if (throwing) {
        throw new IllegalStateException();
      }
      return super.refCnt();
    }

    @Override
    public int capacity() {
      if (throwing) {
        throw new IllegalStateException();
      }
      return super.capacity();
    }
  }
}
