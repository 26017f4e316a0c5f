package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.PathTree;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When a recycled object is misused, the path of its life before is told too. */
@ExtendWith(Probe.class)
class EarlierLifeTest {
  private static final int CULPRIT = Probe.site("Culprit");
  private static final int VICTIM = Probe.site("Victim");
  private static final int OTHER = Probe.site("Other");

  private final int root = Probe.root();

  /** Named so that {@code misused} takes it for Netty's. */
  private static final class IllegalReferenceCountException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private FakeBuffer recycled() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(CULPRIT);
    buffer.release();
    buffer.reset(1).allocatedAt(root).hop(VICTIM);
    return buffer;
  }

  /** {@code path of the last life < path of the one before}, of all misuses below the root. */
  private List<String> failing(FakeBuffer buffer) {
    Buffers.misused(new IllegalReferenceCountException(), buffer, 2);
    Site site = Sites.get(root);
    return FlowTracker.INSTANCE.snapshot().misuses().stream()
        .filter(m -> m.hops().get(0).site().equals(site))
        .map(m -> m.count() + " " + names(m.hops()) + " < " + names(m.earlier()))
        .collect(Collectors.toList());
  }

  private static String names(List<Path.Hop> hops) {
    return hops.stream()
        .skip(1)
        .map(hop -> hop.site().hop().replace(".on", "").replace("ByteBuf.", ""))
        .collect(Collectors.joining(" "));
  }

  @Test
  void theFirstVictimOfALifeEndedInTheNursery() {
    FakeBuffer buffer = recycled();
    buffer.release();
    assertThat(failing(buffer)).containsExactly("1 Victim release < Culprit release");
  }

  @Test
  void ofALifeEndedByAnotherThread() {
    FakeBuffer buffer = recycled();
    onThread(buffer::release);
    assertThat(failing(buffer)).containsExactly("1 Victim release < Culprit release");
  }

  @Test
  void ofALifeEndedByAnotherThreadAndSweptBeforeItFails() {
    FakeBuffer buffer = recycled();
    onThread(buffer::release);
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(failing(buffer)).containsExactly("1 Victim release < Culprit release");
  }

  @Test
  void ofALifeEndedByAnotherThreadWhoseRingHasComeRoundBeforeItFails() {
    FakeBuffer buffer = recycled();
    onThread(buffer::release);
    int slots = Tracker.INSTANCE.nursery.rings.current().slots();
    for (int i = 0; i < slots; i++) {
      FakeBuffer.heap(1).allocatedAt(root).release();
    }
    assertThat(failing(buffer)).containsExactly("1 Victim release < Culprit release");
  }

  @Test
  void ofALifeThatOutlivedTheNursery() {
    FakeBuffer buffer = recycled();
    Probe.settle();
    assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
    buffer.release();
    assertThat(failing(buffer)).containsExactly("1 Victim release < Culprit release");
  }

  @Test
  void ofALifeThatTheRingPushedOut() {
    FakeBuffer buffer = recycled();
    int slots = Tracker.INSTANCE.nursery.rings.current().slots();
    for (int i = 0; i < slots; i++) {
      FakeBuffer.heap(1).allocatedAt(root).release();
    }
    assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
    buffer.release();
    assertThat(failing(buffer)).containsExactly("1 Victim release < Culprit release");
  }

  @Test
  void ofALifeThatBeganWhileTheTenuredFlowOfTheOneBeforeWasChecked() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(CULPRIT);
    Tracker.INSTANCE.nursery.sweep(true);
    buffer.release();
    buffer.reset(1).allocatedAt(root).hop(VICTIM);
    Tracker.INSTANCE.nursery.sweep(false);
    buffer.release();
    assertThat(failing(buffer)).containsExactly("1 Victim release < Culprit release");
  }

  @Test
  void ofAnObjectInWhoseSlotAnotherHadBeen() {
    assertThat(failing(inTheSlotAfter(FakeBuffer::release)))
        .containsExactly("1 Victim release < Other release");
  }

  @Test
  void ofAnObjectInWhoseSlotAnotherHadBeenUntilASweep() {
    assertThat(failing(inTheSlotAfter(another -> Tracker.INSTANCE.nursery.sweep(true))))
        .containsExactly("1 Victim release < Other release");
  }

  @Test
  void ofAnObjectInWhoseSlotAnotherStillWas() {
    assertThat(failing(inTheSlotAfter(another -> onThread(another::release))))
        .containsExactly("1 Victim release < Other release");
  }

  /** Its first life takes the slot where an earlier life of another object was noted. */
  private FakeBuffer inTheSlotAfter(Consumer<FakeBuffer> leave) {
    FakeBuffer buffer = FakeBuffer.heap(1);
    onThread(
        () -> {
          FakeBuffer another = recycled();
          leave.accept(another);
          for (int life = 2; life < ThreadRing.RING + 1; life++) {
            FakeBuffer.heap(1).allocatedAt(root).release();
          }
          buffer.allocatedAt(root).hop(OTHER);
          onThread(buffer::release);
          buffer.reset(1).allocatedAt(root).hop(VICTIM);
          onThread(buffer::release);
        });
    return buffer;
  }

  private static void onThread(Runnable work) {
    Thread thread = new Thread(work);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theFirstLifeHasNoneBefore() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(VICTIM);
    buffer.release();
    assertThat(failing(buffer)).containsExactly("1 Victim release < ");
  }

  @Test
  void whatMostVictimsHaveInCommonIsTold() {
    FakeBuffer odd = FakeBuffer.heap(1).allocatedAt(root).hop(OTHER);
    odd.release();
    odd.reset(1).allocatedAt(root).hop(VICTIM);
    odd.release();
    assertThat(failing(odd)).containsExactly("1 Victim release < Other release");
    for (int i = 0; i < 2; i++) {
      FakeBuffer buffer = recycled();
      buffer.release();
      failing(buffer);
    }
    FakeBuffer last = recycled();
    last.release();
    assertThat(failing(last)).containsExactly("4 Victim release < Culprit release");
  }

  @Test
  void pairsOfEndsAreBoundedAndNoCountIsLost() {
    FlowTracker.INSTANCE.setBounds(8, 100, 1_000);
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root);
    for (int i = 0; i < 1_000; i++) {
      buffer.hop(i % 2 == 0 ? CULPRIT : VICTIM);
      buffer.release();
      buffer.reset(1).allocatedAt(root);
    }
    buffer.release();
    assertThat(Probe.paths(root).values().stream().mapToLong(c -> c.released).sum())
        .isEqualTo(1_001);
  }

  @Test
  void allEndsTogetherKnowAQuarterAsManyAsThereMayBeNodes() {
    Node end = Tracker.INSTANCE.tree.root(root, 0).end();
    assertThat(end.after(1).isAfter()).isTrue();
    assertThat(end.after(2).isAfter()).isTrue();
    FlowTracker.INSTANCE.setBounds(11, 100, 1_000);
    assertThat(end.after(3).isAfter()).isFalse();
    assertThat(end.after(3).id).isEqualTo(end.id);
    assertThat(end.after(2).isAfter()).as("what is known already").isTrue();
  }

  @Test
  void onlySoManyEndsAreToldApartWhereOneFails() {
    for (int i = 0; i < 16; i++) {
      FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(Probe.site("Before" + i));
      buffer.release();
      buffer.reset(1).allocatedAt(root).hop(VICTIM);
      buffer.release();
      failing(buffer);
    }
    for (int i = 0; i < 3; i++) {
      FakeBuffer more = recycled();
      more.release();
      failing(more);
    }
    FakeBuffer known = FakeBuffer.heap(1).allocatedAt(root).hop(Probe.site("Before7"));
    known.release();
    known.reset(1).allocatedAt(root).hop(VICTIM);
    known.release();
    assertThat(failing(known)).containsExactly("20 Victim release < Before7 release");
  }

  @Test
  void eachEndKnowsOnlySoManyThatCameBefore() {
    Node end = Tracker.INSTANCE.tree.root(root, 0).end();
    for (int i = 1; i <= 2 * PathTree.MAX_AFTER; i++) {
      Node after = end.after(i);
      assertThat(after.isAfter()).isEqualTo(i <= PathTree.MAX_AFTER);
      assertThat(after.id).isEqualTo(end.id);
      assertThat(after.isEnd()).isTrue();
      assertThat(end.after(i)).isSameAs(after);
    }
    assertThat(end.after(0)).isSameAs(end);
    assertThat(end.after(1).after(2)).isSameAs(end.after(1));
  }
}
