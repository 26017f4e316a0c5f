package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.buftrail.flow.Probe.leaked;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.util.List;
import java.util.Map;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.PlainBuffers;
import org.buftrail.flow.Probe;
import org.buftrail.flow.census.ScopeLeftovers;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.scope.Scope;
import org.buftrail.model.Leftover;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two trackers at once, beside that of the JVM: none knows of the others. */
@ExtendWith(Probe.class)
final class TrackerTest {
  private static final int A = Probe.site("A");
  private static final int B = Probe.site("B");
  private static final int C = Probe.site("C");

  private final int root = Probe.root();
  private final Side one = new Side();
  private final Side other = new Side();

  /** A tracker, and what woven code would do to it. */
  private static final class Side {
    final Tracker tracker = new Tracker();
    final FlowTracker control = new FlowTracker(tracker);

    Side() {
      tracker.mode.setStarting(true);
    }

    FakeBuffer allocate(int bytes, int root, int... sites) {
      FakeBuffer buffer = FakeBuffer.direct(bytes);
      tracker.births.born(buffer, root);
      for (int site : sites) {
        tracker.moves.moveIn(buffer, site);
      }
      return buffer;
    }

    void release(FakeBuffer buffer) {
      buffer.drop();
      tracker.releases.end(buffer);
    }

    Map<String, Probe.Counts> paths(int root) {
      return Probe.paths(control, root);
    }

    /** The released, leaked and live flows of all paths must sum up to the allocated ones. */
    long allocated() {
      Snapshot snapshot = control.snapshot();
      assertThat(snapshot.paths().stream().mapToLong(Path::flows).sum())
          .isEqualTo(snapshot.allocated());
      return snapshot.allocated();
    }
  }

  @Test
  void eachCountsItsOwnFlowsWithinItsOwnBounds() {
    one.control.setBounds(100, 100, 100);
    other.control.setBounds(100, 2, 100);
    long beside = FlowTracker.INSTANCE.snapshot().allocated();
    for (int i = 0; i < 3; i++) {
      one.release(one.allocate(10, root, A, B, C));
    }
    for (int i = 0; i < 2; i++) {
      other.release(other.allocate(100, root, A, B, C));
    }
    FakeBuffer inOne = one.allocate(1_000, root, B);
    for (int i = 0; i < 5; i++) {
      other.allocate(7, root, A);
    }
    assertThat(one.tracker.tree.size()).as("root, A B C and their end, B").isEqualTo(6);
    assertThat(other.tracker.tree.size()).as("root, A, what is past it, and its end").isEqualTo(4);

    long deadline = System.nanoTime() + 20_000_000_000L;
    Map<String, Probe.Counts> expected =
        Map.of("A", leaked(5, 35), "A (overflow).beyond release", released(2, 200));
    do {
      other.control.settle();
      System.gc();
    } while (!other.paths(root).equals(expected) && System.nanoTime() < deadline);

    assertThat(other.paths(root)).containsExactlyInAnyOrderEntriesOf(expected);
    assertThat(other.allocated()).isEqualTo(7);
    assertThat(other.control.snapshot().overflowed()).isEqualTo(2);
    assertThat(one.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A B C release", released(3, 30), "B", live(1, 1_000)));
    assertThat(one.allocated()).isEqualTo(4);
    assertThat(one.control.snapshot().overflowed()).isZero();
    one.release(inOne);
    assertThat(one.paths(root).get("B release")).isEqualTo(released(1, 1_000));
    assertThat(FlowTracker.INSTANCE.snapshot().allocated()).isEqualTo(beside);
    assertThat(Probe.paths(root)).isEmpty();
  }

  @Test
  void eachFollowsWhatItIsToldTo() {
    one.control.configure(2, true);
    other.control.configure(4, false);
    for (int i = 0; i < 40; i++) {
      one.release(one.allocate(1, root));
      other.release(other.allocate(1, root));
    }
    assertThat(one.control.snapshot().sampling()).isEqualTo(2);
    assertThat(one.paths(root)).containsExactly(Map.entry("release", released(40, 40)));
    assertThat(other.control.snapshot().sampling()).isEqualTo(4);
    assertThat(other.paths(root)).containsExactly(Map.entry("release", released(40, 40)));
    assertThat(FlowTracker.INSTANCE.snapshot().sampling()).isEqualTo(1);
    one.tracker.births.born(FakeBuffer.heap(1), root);
    assertThat(one.allocated()).as("in the heap").isEqualTo(40);
    one.control.stopFollowing("enough");
    one.allocate(1, root);
    assertThat(one.allocated()).isEqualTo(40);
    assertThat(other.control.isFollowing()).isTrue();
    assertThat(FlowTracker.INSTANCE.isFollowing()).isTrue();
  }

  @Test
  void eachHasItsOwnRootForAnAllocatorAndItsOwnCountsOfAThreadThatHasEnded() throws Exception {
    Thread thread =
        new Thread(
            () -> {
              for (int i = 1; i <= 10; i++) {
                allocate(one, 1);
                allocate(other, i);
              }
            });
    thread.start();
    thread.join();
    for (Side side : List.of(one, other)) {
      Snapshot snapshot = side.control.snapshot();
      assertThat(snapshot.paths().stream().map(Path::released).toList())
          .usingRecursiveFieldByFieldElementComparator()
          .containsExactly(new Path.Flows(10, side == one ? 10 : 55));
      assertThat(side.allocated()).isEqualTo(10);
      assertThat(side.tracker.tree.size()).as("root and end").isEqualTo(2);
    }
  }

  private void allocate(Side side, int bytes) {
    FakeBuffer buffer = FakeBuffer.direct(bytes);
    side.tracker.births.allocated(buffer, this, Buffers.DIRECT);
    side.release(buffer);
  }

  @Test
  void aScopeOfOneKnowsNothingOfTheOther() {
    Scope scope = new Scope(one.tracker.tree, "one", null, null);
    one.tracker.scopes.opened(scope);
    one.tracker.scopes.enter(scope);
    FakeBuffer inOne = one.allocate(3, root, A);
    FakeBuffer inOther = other.allocate(5, root, A);
    ScopeLeftovers look = new ScopeLeftovers(one.tracker.nursery, one.tracker.scopes, scope, false);
    one.tracker.nursery.show(look);
    assertThat(look.found.list(one.tracker.scopes))
        .extracting(Leftover::scope, Leftover::bytes)
        .containsExactly(tuple("one", 3L));
    assertThat(other.tracker.scopes.current()).isNull();
    assertThat(other.tracker.mode.areScoped()).isFalse();
    one.tracker.scopes.closed(scope, false);
    one.release(inOne);
    other.release(inOther);
    assertThat(one.paths(root)).containsExactly(Map.entry("A release", released(1, 3)));
    assertThat(other.paths(root)).containsExactly(Map.entry("A release", released(1, 5)));
  }

  @Test
  void whatHasNoPlaceForItsStateMayHaveOneInEach() {
    one.control.addBufferAccess(new PlainBuffers());
    PlainBuffers.Plain plain = new PlainBuffers.Plain(FakeBuffer.heap(9));
    one.tracker.births.born(plain, root);
    other.tracker.births.born(plain, root);
    assertThat(one.paths(root)).containsExactly(Map.entry("", live(1, 9)));
    assertThat(other.paths(root)).isEmpty();
    other.control.addBufferAccess(new PlainBuffers());
    other.tracker.births.born(plain, root);
    one.tracker.releases.endOfSideTable(plain);
    assertThat(one.paths(root)).containsExactly(Map.entry("release", released(1, 9)));
    assertThat(other.paths(root)).containsExactly(Map.entry("", live(1, 9)));
    one.control.forgetBufferAccess();
    assertThat(other.allocated()).isEqualTo(1);
    other.control.forgetBufferAccess();
    assertThat(other.allocated()).isZero();
  }

  @Test
  void eachCountsItsOwnMisuses() {
    FakeBuffer buffer = one.allocate(1, root, A);
    one.release(buffer);
    one.tracker.misuses.add(new IllegalStateException(), buffer, Misuse.Kind.DOUBLE_RELEASE);
    assertThat(one.control.snapshot().misuses())
        .extracting(Misuse::kind, Misuse::count)
        .containsExactly(tuple(Misuse.Kind.DOUBLE_RELEASE, 1L));
    assertThat(other.control.snapshot().misuses()).isEqualTo(List.of());
  }
}
