package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.woven.Tracker;
import org.junit.jupiter.api.Test;

/**
 * A census step by step: its moment, what happens after it, and then the look at what is live. No
 * sweep has emptied the rings before, so all begins there.
 */
final class RingCensusTest {
  private static final int BYTES = 5;

  private final Tracker tracker = new Tracker();
  private final Node root = tracker.tree.root(Probe.root(), 0);

  private Census moment() {
    return new Census(tracker.nursery, Ticks.now(), tracker.nursery.retired, 0);
  }

  private void look(Census census) {
    census.addLive(tracker.nursery.pending.waiting, tracker.nursery.table);
  }

  private FakeBuffer begin(FakeBuffer buffer) {
    buffer.reset(BYTES);
    tracker.births.enter(buffer, root, 0);
    return buffer;
  }

  private List<FakeBuffer> begin(int count) {
    List<FakeBuffer> begun = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      begun.add(begin(FakeBuffer.heap(BYTES)));
    }
    return begun;
  }

  private void end(FakeBuffer buffer) {
    buffer.drop();
    tracker.nursery.rings.leave(buffer, FlowState.stampOpaque(buffer), root.end());
  }

  private static void onThread(Runnable work) throws InterruptedException {
    Thread thread = new Thread(work);
    thread.start();
    thread.join();
  }

  /** Asserts how many flows were found, and how many were not. */
  private void assertLive(Census census, int found, int notFound) {
    assertThat(census.live.count(root.id)).isEqualTo(found);
    assertThat(census.live.bytes(root.id)).isEqualTo((long) found * BYTES);
    assertThat(census.undecided).isEqualTo(found + notFound);
    assertThat(census.inTransit).isEqualTo(notFound);
    assertThat(census.live.size()).isEqualTo(found + notFound);
  }

  @Test
  void whatLiesInTheRingsIsLive() throws Exception {
    List<FakeBuffer> begun = begin(3);
    onThread(() -> begun.addAll(begin(2)));
    end(begun.get(1));
    Census census = moment();
    look(census);
    assertLive(census, 4, 0);
    assertThat(census.allocated).isEqualTo(5);
    assertThat(census.released.count(root.end().endId)).isEqualTo(1);
  }

  @Test
  void whatBeganAfterTheMomentIsNot() {
    List<FakeBuffer> begun = begin(3);
    begin(240).forEach(this::end);
    Census census = moment();
    begun.addAll(begin(2));
    look(census);
    assertLive(census, 3, 0);
    assertThat(begun).hasSize(5);
  }

  @Test
  void aFullRingOfWhichTwoWerePushedOutAfterTheMomentIsLive() {
    List<FakeBuffer> begun = begin(ThreadRing.RING);
    Census census = moment();
    begun.addAll(begin(2));
    look(census);
    assertLive(census, ThreadRing.RING, 0);
    assertThat(begun).hasSize(ThreadRing.RING + 2);
  }

  @Test
  void whatTheRingPushedOutAfterTheMomentIsFoundWhereItWasHandedOn() {
    List<FakeBuffer> begun = begin(3);
    Census census = moment();
    begun.addAll(begin(ThreadRing.RING));
    look(census);
    assertLive(census, 3, 0);
    assertThat(begun).hasSize(ThreadRing.RING + 3);
  }

  @Test
  void whatTheRingPushedOutBeforeTheMomentIsLive() {
    List<FakeBuffer> begun = begin(ThreadRing.RING + 3);
    TenuredFlow gone = (TenuredFlow) Objects.requireNonNull(FlowState.state(begun.get(0)));
    assertThat(gone.markEnded()).isTrue();
    tracker.nursery.retired.add(root.end().endId, BYTES);
    Census census = moment();
    look(census);
    assertLive(census, ThreadRing.RING + 2, 0);
  }

  @Test
  void whatEndedAfterTheMomentWasLive() {
    List<FakeBuffer> begun = begin(3);
    Census census = moment();
    end(begun.get(0));
    look(census);
    assertLive(census, 3, 0);
  }

  @Test
  void aCountOfZeroWhoseReleaseIsNotToldYetIsLiveWhereItIs() {
    begin(3).get(0).drop();
    Census census = moment();
    look(census);
    assertLive(census, 3, 0);
  }

  @Test
  void whatLayInARingThatWasReplacedAfterTheMomentIsLive() {
    List<FakeBuffer> begun = begin(3);
    Census census = moment();
    tracker.nursery.rings.current().put(2 * ThreadRing.RING);
    look(census);
    assertLive(census, 3, 0);
    assertThat(begun).hasSize(3);
  }

  /** Its first life began in another ring, which holds it still. */
  @Test
  void whatLiesInTwoRingsIsLiveOnce() throws Exception {
    FakeBuffer buffer = FakeBuffer.heap(BYTES);
    onThread(() -> begin(buffer));
    end(buffer);
    begin(buffer);
    Census census = moment();
    look(census);
    assertLive(census, 1, 0);
  }

  @Test
  void aLifeThatBeganInAnotherRingAfterTheMomentIsNotTheOneBefore() throws Exception {
    FakeBuffer buffer = FakeBuffer.heap(BYTES);
    List<FakeBuffer> begun = new ArrayList<>();
    onThread(
        () -> {
          begun.addAll(begin(1));
          begin(buffer);
        });
    Census census = moment();
    end(buffer);
    begin(buffer);
    look(census);
    assertLive(census, 2, 0);
    assertThat(begun).hasSize(1);
  }

  /** One whose tenured flow is not believed yet, and holds it. */
  private FakeBuffer pending() {
    FakeBuffer buffer = begin(FakeBuffer.heap(BYTES));
    tracker.nursery.sweep(true);
    assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
    return buffer;
  }

  @Test
  void whatIsNotBelievedYetIsLive() {
    pending();
    Census census = moment();
    look(census);
    assertLive(census, 1, 0);
  }

  /** Its release has marked it, and counts it next. */
  @Test
  void whatHasEndedAndIsNotCountedYetWasLive() {
    TenuredFlow tenured = (TenuredFlow) Objects.requireNonNull(FlowState.state(pending()));
    assertThat(tenured.markEnded()).isTrue();
    Census census = moment();
    look(census);
    assertLive(census, 1, 0);
  }

  /** Its release met the promotion, and what was released has no count that would have fallen. */
  @Test
  void whatWasReleasedWhileItWasPromotedIsNotLiveToo() {
    FakeBuffer buffer = pending();
    tracker.nursery.rings.leave(buffer, FlowState.stampOpaque(buffer), root.end());
    Census census = moment();
    look(census);
    assertLive(census, 0, 0);
    assertThat(census.released.count(root.end().endId)).isEqualTo(1);
  }

  @Test
  void aCountThatFellToZeroSinceTheSweepWasAboveItAtTheMoment() {
    FakeBuffer buffer = pending();
    Census census = moment();
    buffer.drop();
    look(census);
    assertLive(census, 1, 0);
    assertThat(census.released.count(root.end().endId)).isZero();
  }

  @Test
  void aCountThatTheSweepFoundAtZeroIsOfWhatWasReleased() {
    FakeBuffer buffer = pending();
    buffer.drop();
    tracker.nursery.sweep(true);
    Census census = moment();
    look(census);
    assertLive(census, 0, 0);
    assertThat(census.released.count(root.end().endId)).isEqualTo(1);
    assertThat(census.released.bytes(root.end().endId)).isEqualTo(BYTES);
  }

  @Test
  void whatAHopHasStoredOverIsNotBelieved() {
    FakeBuffer buffer = pending();
    FlowState.setStateOpaque(buffer, root);
    Census census = moment();
    look(census);
    assertLive(census, 0, 1);
  }

  @Test
  void whatIsKeptCountsAsNeverBegun() {
    tracker.nursery.keep(begin(FakeBuffer.heap(BYTES)));
    pending();
    Census census = moment();
    look(census);
    assertLive(census, 1, 0);
    assertThat(census.allocated).isEqualTo(1);
  }
}
