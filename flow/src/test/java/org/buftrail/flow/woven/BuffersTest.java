package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.leaked;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.BufferHolder;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.HolderRoot;
import org.buftrail.flow.state.Owners;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One thread at a time: what each call does to a path and to the counts. */
@ExtendWith(Probe.class)
class BuffersTest {
  private static final int A = Probe.site("A");
  private static final int B = Probe.site("B");
  private static final int C = Probe.site("C");

  private final int root = Probe.root();

  @Test
  void releasedBufferIsCountedAtTheEndOfItsPath() {
    FakeBuffer.direct(256).allocatedAt(root).hop(A, B).release();
    FakeBuffer.direct(100).allocatedAt(root).hop(A, B).release();
    FakeBuffer.direct(1).allocatedAt(root).hop(B).release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A B release", released(2, 356), "B release", released(1, 1)));
  }

  @Test
  void liveBufferIsCountedWhereItIs() {
    FakeBuffer one = FakeBuffer.heap(10).allocatedAt(root).hop(A);
    FakeBuffer two = FakeBuffer.heap(30).allocatedAt(root).hop(A);
    assertThat(Probe.paths(root)).containsExactlyInAnyOrderEntriesOf(Map.of("A", live(2, 40)));
    one.hop(B);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A", live(1, 30), "A B", live(1, 10)));
    one.release();
    two.release();
  }

  @Test
  void collectedBufferIsALeakWhereItWasLast() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      FakeBuffer.direct(64).allocatedAt(root).hop(A).hop(i % 10 == 0 ? B : C);
    }
    Probe.awaitLeaks(root, 1_000);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A B", leaked(100, 6_400), "A C", leaked(900, 57_600)));
  }

  @Test
  void releasedBufferIsNoLeakHoweverOldItGot() {
    List<FakeBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      buffers.add(FakeBuffer.heap(1).allocatedAt(root));
    }
    Probe.settle();
    buffers.forEach(FakeBuffer::release);
    buffers.clear();
    System.gc();
    Probe.settle();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("release", released(1_000, 1_000)));
  }

  @Test
  void hopsOfATenuredFlowMoveIt() {
    FakeBuffer buffer = FakeBuffer.heap(8).allocatedAt(root).hop(A);
    Probe.settle();
    assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
    buffer.hop(B);
    assertThat(Probe.paths(root)).containsExactlyInAnyOrderEntriesOf(Map.of("A B", live(1, 8)));
    buffer.release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A B release", released(1, 8)));
    assertThat(FlowState.state(buffer)).as("not its tenured flow").isInstanceOf(Node.class);
  }

  @Test
  void bytesAreThoseAtTheEnd() {
    FakeBuffer buffer = FakeBuffer.heap(8).allocatedAt(root);
    buffer.grow(80);
    buffer.release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("release", released(1, 80)));
  }

  @Test
  void nodeSaysHowManyReferencesThereWere() {
    FakeBuffer buffer = FakeBuffer.heap(8).allocatedAt(root).hop(A);
    buffer.retain().retain().hop(A).retainSilently(3).hop(B);
    for (int i = 0; i < 6; i++) {
      buffer.release();
    }
    assertThat(Probe.paths(root).keySet())
        .containsExactly("A retain retain[3-5] A[3-5] B[6+] release");
  }

  @Test
  void delegatingAllocatorsStartOneLife() {
    FakeBuffer buffer = FakeBuffer.direct(5);
    Object inner = "inner";
    Object outer = 1;
    long before = FlowTracker.INSTANCE.snapshot().allocated();
    Buffers.allocated(buffer, inner, Buffers.DIRECT);
    Buffers.allocated(buffer, outer, Buffers.DIRECT);
    assertThat(FlowTracker.INSTANCE.snapshot().allocated() - before).isEqualTo(1);
    buffer.release();
  }

  @Test
  void delegatingAllocatorsStartOneLifeWhenTheOuterOneIsWoven() {
    FakeBuffer buffer = FakeBuffer.direct(5);
    Object allocator = new Object();
    long before = FlowTracker.INSTANCE.snapshot().allocated();
    Buffers.allocated(buffer, allocator, Buffers.DIRECT);
    Buffers.requested(buffer, A);
    Buffers.hop(buffer, B);
    Buffers.allocated(buffer, allocator, Buffers.DIRECT);
    assertThat(FlowTracker.INSTANCE.snapshot().allocated() - before).isEqualTo(1);
    Probe.settle();
    Buffers.allocated(buffer, allocator, Buffers.DIRECT);
    assertThat(FlowTracker.INSTANCE.snapshot().allocated() - before).isEqualTo(1);
    buffer.release();
  }

  @Test
  void everyLifeOfAPooledObjectIsAFlow() {
    FakeBuffer pooled = FakeBuffer.direct(16);
    for (int life = 0; life < 3_000; life++) {
      pooled.reset(16).allocatedAt(root).hop(life % 2 == 0 ? A : B);
      if (life % 500 == 0) {
        Probe.settle();
      }
      pooled.release();
    }
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A release", released(1_500, 24_000), "B release", released(1_500, 24_000)));
  }

  @Test
  void outermostMethodThatMakesABufferIsItsRoot() {
    int inner = Probe.root();
    FakeBuffer buffer = FakeBuffer.heap(3).allocatedAt(inner).allocatedAt(root);
    buffer.release();
    assertThat(Probe.paths(inner)).isEmpty();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("release", released(1, 3)));
  }

  @Test
  void onlyTheFirstToAskIsTheCallSite() {
    FakeBuffer buffer = FakeBuffer.heap(3).allocatedAt(root);
    Buffers.requested(buffer, A);
    Buffers.requested(buffer, B);
    buffer.release();
    assertThat(Probe.paths(root).keySet()).containsExactly("A release");
  }

  @Test
  void whoAsksForAViewOrAHolderAsksForItsBuffer() {
    FakeBuffer viewed = FakeBuffer.heap(3).allocatedAt(root);
    Buffers.requested(new View(viewed), A);
    Buffers.requested(new View(viewed), B);
    viewed.release();
    FakeBuffer held = FakeBuffer.heap(3).allocatedAt(root);
    Buffers.requested(holderOf(new View(held)), B);
    Buffers.requested(holderOf(held), C);
    Buffers.requested("no buffer", C);
    held.release();
    assertThat(Probe.paths(root).keySet()).containsExactly("A release", "B release");
  }

  @Test
  void whatIsOverStaysWhereItEnded() {
    FakeBuffer buffer = FakeBuffer.heap(3).allocatedAt(root);
    buffer.release();
    Object end = FlowState.state(buffer);
    Buffers.hop(buffer, A);
    Buffers.requested(buffer, A);
    assertThat(FlowState.state(buffer)).isSameAs(end);
  }

  @Test
  void secondReleaseAndWhatWasNeverHandedOutAreSilent() {
    FakeBuffer buffer = FakeBuffer.heap(3).allocatedAt(root);
    buffer.release();
    Buffers.released(buffer, true);
    Buffers.released(FakeBuffer.heap(1), true);
    Buffers.hop(buffer, A);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("release", released(1, 3)));
  }

  @Test
  void viewMovesTheBufferWhoseCountItShares() {
    FakeBuffer buffer = FakeBuffer.heap(3).allocatedAt(root);
    Buffers.hop(new View(new View(buffer)), A);
    Buffers.hop(holderOf(new View(buffer)), B);
    Buffers.hop(holderOf(null), C);
    Buffers.hop(holderOf("no buffer"), C);
    Buffers.hop("no buffer", C);
    Buffers.hop(null, C);
    buffer.release();
    assertThat(Probe.paths(root).keySet()).containsExactly("A B release");
  }

  /** Once they are expected; it may be that another test has said so. */
  @Test
  void holdersByInterfaceAloneAreAsked() {
    FakeBuffer buffer = FakeBuffer.heap(3).allocatedAt(root);
    BufferHolder holder = () -> buffer;
    Owners.expectOthers();
    Buffers.hop(holder, A);
    Buffers.hop((BufferHolder) () -> holder, B);
    buffer.release();
    assertThat(Probe.paths(root).keySet()).containsExactly("A B release");
  }

  @Test
  void viewsThatGoRoundOrThrowAreLeftAlone() {
    View round = new View(null);
    round.of = new View(round);
    Buffers.hop(round, A);
    Buffers.created(round, root);
    View throwing =
        new View(null) {
          @Override
          public TrackedBuffer buftrail$owner() {
            throw new IllegalStateException();
          }
        };
    Buffers.hop(throwing, A);
    Buffers.created(throwing, root);
    assertThat(Probe.paths(root)).isEmpty();
  }

  @Test
  void keptBufferIsNobodysUntilItIsReleased() {
    FakeBuffer young = FakeBuffer.heap(3).allocatedAt(root).hop(A);
    FakeBuffer old = FakeBuffer.heap(4).allocatedAt(root).hop(A);
    long before = FlowTracker.INSTANCE.snapshot().allocated();
    Buffers.markedUnreleasable(young);
    Probe.settle();
    Buffers.markedUnreleasable(old);
    Buffers.markedUnreleasable(old);
    assertThat(Probe.paths(root)).isEmpty();
    assertThat(before - FlowTracker.INSTANCE.snapshot().allocated()).isEqualTo(2);
    young.hop(B).release();
    old.release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(2, 7)));
    assertThat(FlowTracker.INSTANCE.snapshot().allocated()).isEqualTo(before);
  }

  @Test
  void directOnlyPassesOverTheHeap() {
    FlowTracker.INSTANCE.configure(1, true);
    Object allocator = new Object();
    FakeBuffer heap = FakeBuffer.heap(3).allocatedAt(root);
    Buffers.allocated(heap, allocator, Buffers.HEAP);
    assertThat(FlowState.state(heap)).isNull();
    FakeBuffer direct = FakeBuffer.direct(3).allocatedAt(root);
    direct.release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("release", released(1, 3)));
  }

  @Test
  void stoppedTrackerFollowsToTheEndWhatIsUnderWay() {
    FakeBuffer buffer = FakeBuffer.heap(3).allocatedAt(root);
    FlowTracker.INSTANCE.stop();
    FakeBuffer late = FakeBuffer.heap(3).allocatedAt(root);
    assertThat(FlowState.state(late)).isNull();
    buffer.hop(A).release();
    assertThat(Probe.paths(root).keySet()).containsExactly("A release");
  }

  @Test
  void derivedBufferStartsWhereItsParentIsAndWeighsNothing() {
    FakeBuffer parent = FakeBuffer.direct(100).allocatedAt(root).hop(A);
    FakeBuffer derived = FakeBuffer.direct(40);
    derived.derivedFrom(parent);
    Buffers.derived(derived);
    derived.hop(B);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A", live(1, 100), "A B", live(1, 0)));
    derived.release();
    parent.release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A release", released(1, 100), "A B release", released(1, 0)));
  }

  @Test
  void leakedDerivedBufferTakesItsParentAlong() throws Exception {
    leakDerived();
    Probe.awaitLeaks(root, 2);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A B", leaked(1, 100).holding(1)));
  }

  private void leakDerived() {
    FakeBuffer parent = FakeBuffer.direct(100).allocatedAt(root).hop(A);
    FakeBuffer derived = FakeBuffer.direct(40);
    derived.derivedFrom(parent);
    Buffers.derived(derived);
    derived.hop(B);
  }

  /** The line that retains stands in place of what the library does there. */
  @Test
  void retainOfTheApplicationHasItsOwnPlace() {
    FakeBuffer one = FakeBuffer.heap(1).allocatedAt(root).hop(A).retain();
    Buffers.retainedIn(one, B);
    one.release();
    one.release();
    FakeBuffer held = FakeBuffer.heap(1).allocatedAt(root).retain();
    Buffers.retainedIn(holderOf(held), B);
    FakeBuffer silent = FakeBuffer.heap(1).allocatedAt(root).hop(A).retainSilently(1);
    Buffers.retainedIn(silent, B);
    FakeBuffer viewed = FakeBuffer.heap(1).allocatedAt(root).hop(A).retain();
    Buffers.retainedIn(new View(viewed), B);
    FakeBuffer ended = FakeBuffer.heap(1).allocatedAt(root).hop(A).retain().retainSilently(-1);
    ended.release();
    Buffers.retainedIn(ended, B);
    Buffers.retainedIn(null, B);
    Buffers.retainedIn("text", B);
    assertThat(Probe.paths(root).keySet())
        .containsExactlyInAnyOrder("A B", "A B release", "B", "A retain release");
    for (FakeBuffer each : List.of(held, silent, viewed)) {
      each.release();
      each.release();
    }
  }

  private static HolderRoot holderOf(@Nullable Object content) {
    return new HolderRoot() {
      @Override
      public @Nullable Object buftrail$content() {
        return content;
      }
    };
  }

  /** Shares the count of another. */
  private static class View extends TrackedBuffer {
    @Nullable TrackedBuffer of;

    View(@Nullable TrackedBuffer of) {
      this.of = of;
    }

    @Override
    public @Nullable TrackedBuffer buftrail$owner() {
      return of;
    }

    @Override
    public int refCnt() {
      return 1;
    }

    @Override
    public int capacity() {
      return 1;
    }

    @Override
    public boolean isDirect() {
      return false;
    }
  }
}
