package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.buftrail.flow.base.HeldTicks;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.nursery.ByteBudget;
import org.buftrail.flow.scope.Scope;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.PathTree;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Resources;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Leftover;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What belongs to which scope, and what reports say meanwhile. */
@SuppressWarnings("try") // a scope need not be named where it is open
@ExtendWith(Probe.class)
class LeakScopeTest {
  private static final int A = Probe.site("A");
  private static final int B = Probe.site("B");
  private static final int C = Probe.site("C");

  private final int root = Probe.root();
  private final List<FakeBuffer> live = new ArrayList<>();

  @AfterEach
  void releaseWhatIsLeftOver() {
    live.forEach(FakeBuffer::release);
    assertThat(LeakScope.current()).isNull();
  }

  private FakeBuffer leak(int bytes, int... sites) {
    FakeBuffer buffer = FakeBuffer.direct(bytes).allocatedAt(root).hop(sites);
    live.add(buffer);
    return buffer;
  }

  /** {@code scope: hops: count of bytes}, in the order given. */
  static List<String> texts(List<Leftover> leftovers) {
    return leftovers.stream().map(LeakScopeTest::text).collect(Collectors.toList());
  }

  private static String text(Leftover leftover) {
    String hops =
        leftover.hops().stream()
            .skip(1)
            .map(hop -> hop.site().className().replace("test.", ""))
            .collect(Collectors.joining(" "));
    return leftover.scope() + ": " + hops + ": " + leftover.count() + " of " + leftover.bytes();
  }

  @Test
  void whatIsNotReleasedIsLeftOverAtOnceByPath() {
    leak(1_000, B);
    try (LeakScope scope = LeakScope.open("put")) {
      leak(10, A, B);
      leak(20, A, B);
      leak(100, A, C);
      FakeBuffer.direct(7).allocatedAt(root).hop(A, C).release();
      assertThat(texts(scope.leftovers()))
          .containsExactly("put: A C: 1 of 100", "put: A B: 2 of 30");
      live.remove(live.size() - 1).release();
      assertThat(texts(scope.leftovers())).containsExactly("put: A B: 2 of 30");
    }
  }

  @Test
  void ofAsManyBytesTheMostAreFirst() {
    try (LeakScope scope = LeakScope.open("put")) {
      leak(8, A);
      leak(4, B);
      leak(4, B);
      leak(2, C);
      leak(3, C);
      leak(3, C);
      assertThat(texts(scope.leftovers()))
          .containsExactly("put: C: 3 of 8", "put: B: 2 of 8", "put: A: 1 of 8");
    }
  }

  @Test
  void youngAndTenuredAndThoseWithoutASlotAreFoundOnce() {
    try (LeakScope scope = LeakScope.open("put")) {
      leak(1, A);
      Tracker.INSTANCE.nursery.sweep(false);
      leak(2, A);
      Probe.settle();
      leak(4, A);
      leak(ByteBudget.LARGE + 1, B);
      Tracker.INSTANCE.nursery.sweep(true);
      leak(8, A);
      assertThat(texts(scope.leftovers()))
          .containsExactly("put: B: 1 of " + (ByteBudget.LARGE + 1), "put: A: 4 of 15");
      for (int i = 0; i < 1_000; i++) {
        // More than the ring has slots.
        leak(1, C);
      }
      assertThat(texts(scope.leftovers())).contains("put: C: 1000 of 1000");
    }
  }

  @Test
  void leftoverTellsItsRootMemoryAgeAndTrace() {
    HeldTicks.hold(1_000);
    Tracker.INSTANCE.nursery.sweep(true);
    try (LeakScope scope = LeakScope.open("put")) {
      FakeBuffer heap = FakeBuffer.heap(3).ofTheCollector().allocatedAt(root);
      int line = Sites.intern(new Site("com.acme.Store$Put", "run", "()V", 48, ""));
      heap.hop(line);
      Tracker.INSTANCE.nursery.sweep(true);
      HeldTicks.hold(1_200);
      Leftover leftover = scope.leftovers().get(0);
      assertThat(leftover.hops().get(0).site()).isEqualTo(Sites.get(root));
      assertThat(leftover.memory()).isEqualTo(Leftover.Memory.HEAP);
      assertThat(leftover.needsRelease()).isFalse();
      assertThat(leftover.oldestMillis()).isEqualTo(10_000);
      assertThat(leftover.youngestMillis()).isEqualTo(10_000);
      assertThat(leftover.collected()).isZero();
      assertThat(leftover.trace()[0]).hasToString("com.acme.Store$Put.run(Store.java:48)");
      assertThat(leftover.trace()[1].getMethodName()).isEqualTo("make");
      heap.release();
    } finally {
      HeldTicks.release();
    }
  }

  @Test
  void reportsKnowNothingOfScopes() {
    FakeBuffer.direct(1).allocatedAt(root).hop(A, B).release();
    leak(2, A);
    leak(2, A, B);
    int nodes = Tracker.INSTANCE.tree.size();
    for (int i = 0; i < 3; i++) {
      try (LeakScope scope = LeakScope.open("scope " + i)) {
        FakeBuffer.direct(10).allocatedAt(root).hop(A, B).release();
        FakeBuffer live = FakeBuffer.direct(100).allocatedAt(root).hop(A);
        assertThat(Probe.paths(root))
            .containsExactlyInAnyOrderEntriesOf(
                Map.of(
                        "A B release",
                        released(2 + i, 11 + 10L * i),
                        "A release",
                        released(i, 100L * i),
                        "A",
                        live(2, 102),
                        "A B",
                        live(1, 2))
                    .entrySet()
                    .stream()
                    .filter(e -> e.getValue().bytes > 0)
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
        live.release();
        assertThat(scope.leftovers()).isEmpty();
      }
    }
    // "A release" was the first of its kind.
    assertThat(Tracker.INSTANCE.tree.size()).isEqualTo(nodes + 1);
  }

  @Test
  void loopsBoundsAndCountsAreAsOutsideOfScopes() {
    FlowTracker.INSTANCE.setBounds(PathTree.DEFAULT_MAX_NODES, 6, 1_000);
    int other = Probe.root();
    int[] sites = new int[12];
    for (int i = 0; i < sites.length; i++) {
      sites[i] = Probe.site("Site" + i);
    }
    for (long seed = 0; seed < 300; seed++) {
      travel(new Random(seed), root, sites);
      try (LeakScope scope = LeakScope.open("scope")) {
        travel(new Random(seed), other, sites);
        assertThat(scope.leftovers()).isEmpty();
      }
    }
    assertThat(Probe.paths(root)).hasSizeGreaterThan(50).isEqualTo(Probe.paths(other));
  }

  private static void travel(Random random, int root, int[] sites) {
    FakeBuffer buffer = FakeBuffer.direct(1).allocatedAt(root);
    for (int hop = random.nextInt(12); hop > 0; hop--) {
      buffer.hop(sites[random.nextInt(sites.length)]);
      if (random.nextInt(9) == 0) {
        Probe.settle();
      }
    }
    buffer.release();
  }

  @Test
  void closedScopeKeepsWhatItToldAndNobodyTellsItAgain() {
    LeakScope outer = LeakScope.open("outer");
    LeakScope inner = LeakScope.open("inner");
    leak(1, A);
    Probe.settle();
    leak(2, A);
    inner.close();
    inner.close();
    assertThat(inner.isOpen()).isFalse();
    assertThat(LeakScope.current()).isSameAs(outer);
    assertThat(outer.leftovers()).isEmpty();
    live.forEach(buffer -> buffer.hop(B));
    assertThat(outer.leftovers()).isEmpty();
    assertThat(texts(inner.leftovers())).containsExactly("inner: A: 2 of 3");
    outer.close();
    assertThat(Probe.paths(root)).containsExactlyInAnyOrderEntriesOf(Map.of("A B", live(2, 3)));
  }

  @Test
  void whatBeginsAsItsScopeIsClosedIsTheLeftoverOfTheScopeAround() {
    LeakScope run = LeakScope.open("run");
    LeakScope outer = LeakScope.open("outer");
    LeakScope inner = LeakScope.open("inner");
    Scope seen = Objects.requireNonNull(Tracker.INSTANCE.scopes.current());
    inner.close();
    // As a thread does that has looked before that which scope it is in.
    Node late = seen.root(Tracker.INSTANCE.tree.root(root, Node.DIRECT));
    FakeBuffer buffer = FakeBuffer.direct(5);
    Tracker.INSTANCE.births.enter(buffer, late, 0);
    assertThat(texts(outer.leftovers())).containsExactly("outer: : 1 of 5");
    outer.handOver();
    assertThat(texts(run.leftovers())).containsExactly("outer: : 1 of 5");
    buffer.release();
    run.close();
    assertThat(run.leftovers()).isEmpty();
  }

  private static final class Failing extends FakeBuffer {
    @Nullable Error error;

    Failing() {
      super(true);
    }

    @Override
    public int refCnt() {
      if (error != null) {
        throw error;
      }
      return super.refCnt();
    }
  }

  @Test
  void aScopeIsClosedThoughTheLookForWhatIsLeftFails() {
    LeakScope outer = LeakScope.open("outer");
    LeakScope inner = LeakScope.open("inner");
    Failing buffer = new Failing();
    buffer.reset(5).allocatedAt(root);
    buffer.error = new OutOfMemoryError("planned");
    assertThatThrownBy(inner::close).isSameAs(buffer.error);
    assertThat(LeakScope.current()).isSameAs(outer);
    buffer.error = null;
    assertThat(texts(outer.leftovers())).containsExactly("outer: : 1 of 5");
    buffer.release();
    outer.close();
    assertThat(Tracker.INSTANCE.mode.areScoped()).isFalse();
  }

  @Test
  void whatIsHandedOverIsTheLeftoverOfTheScopeAround() {
    LeakScope run = LeakScope.open("run");
    LeakScope outer = LeakScope.open("class");
    LeakScope inner = LeakScope.open("test");
    leak(1, A);
    leak(3, B);
    assertThat(outer.leftovers()).isEmpty();
    inner.handOver();
    leak(2, A);
    assertThat(texts(outer.leftovers()))
        .containsExactly("test: B: 1 of 3", "class: A: 1 of 2", "test: A: 1 of 1");
    live.remove(1).release();
    assertThat(run.leftovers()).isEmpty();
    outer.handOver();
    assertThat(texts(run.leftovers())).containsExactly("class: A: 1 of 2", "test: A: 1 of 1");
    run.close();
    assertThat(texts(run.leftovers())).containsExactly("class: A: 1 of 2", "test: A: 1 of 1");
  }

  @Test
  void derivedBufferIsWhereItsParentIs() {
    FakeBuffer slice;
    try (LeakScope scope = LeakScope.open("scope")) {
      FakeBuffer parent = leak(10, A);
      LeakScope other = LeakScope.open("other", null);
      try (LeakScope.Entered entered = other.enter()) {
        slice = FakeBuffer.direct(10);
        slice.derivedFrom(parent);
        Buffers.derived(slice);
      }
      assertThat(other.leftovers()).isEmpty();
      assertThat(texts(scope.leftovers())).containsExactly("scope: A: 2 of 10");
      other.close();
      slice.release();
      assertThat(texts(scope.leftovers())).containsExactly("scope: A: 1 of 10");
    }
  }

  @Test
  void keptBufferIsNobodys() {
    try (LeakScope scope = LeakScope.open("scope")) {
      leak(1, A).keep();
      Probe.settle();
      leak(1, A).keep();
      assertThat(scope.leftovers()).isEmpty();
    }
  }

  @Test
  void whatWasCollectedUnreleasedIsLeftOverToo() throws Exception {
    try (LeakScope outer = LeakScope.open("outer")) {
      try (LeakScope scope = LeakScope.open("scope")) {
        FakeBuffer.direct(10).ofTheCollector().allocatedAt(root).hop(A);
        leak(5, A);
        Probe.awaitLeaks(root, 1);
        List<Leftover> leftovers = scope.leftovers();
        assertThat(texts(leftovers)).containsExactly("scope: A: 2 of 15");
        assertThat(leftovers.get(0).collected()).isEqualTo(1);
        assertThat(leftovers.get(0).needsRelease()).as("one of them does").isTrue();
        scope.handOver();
      }
      assertThat(texts(outer.leftovers())).containsExactly("scope: A: 2 of 15");
    }
  }

  /** Each on a path of its own: beside a live one it would look the same. */
  @Test
  void whatWasCollectedSaysWhetherItNeededARelease() throws Exception {
    try (LeakScope scope = LeakScope.open("scope")) {
      FakeBuffer.direct(10).allocatedAt(root).hop(A);
      FakeBuffer.direct(20).ofTheCollector().allocatedAt(root).hop(B);
      Probe.awaitLeaks(root, 2);
      List<Leftover> leftovers = scope.leftovers();
      assertThat(texts(leftovers)).containsExactly("scope: B: 1 of 20", "scope: A: 1 of 10");
      assertThat(leftovers).extracting(Leftover::needsRelease).containsExactly(false, true);
    }
  }

  @Test
  void whatIsCollectedWhenAllItsScopesAreClosedLeaksAsOutsideOfScopes() throws Exception {
    LeakScope scope = LeakScope.open("scope");
    FakeBuffer.direct(10).allocatedAt(root).hop(A);
    scope.handOver();
    Probe.awaitLeaks(root, 1);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A", Probe.leaked(1, 10)));
  }

  @Test
  void resourceLeftOpenIsLeftOver() {
    int type = Resources.register("test.Hatch", Object.class.getName(), false, null);
    Object open = new Object();
    Object closed = new Object();
    try (LeakScope scope = LeakScope.open("scope")) {
      Resources.opened(open, type);
      Resources.passed(open, A);
      Resources.opened(closed, type);
      Resources.closed(closed, type);
      List<Leftover> leftovers = scope.leftovers();
      assertThat(texts(leftovers)).containsExactly("scope: A: 1 of 0");
      assertThat(leftovers.get(0).memory()).isEqualTo(Leftover.Memory.RESOURCE);
      Probe.settle();
      assertThat(texts(scope.leftovers())).containsExactly("scope: A: 1 of 0");
      Resources.closed(open, type);
      assertThat(scope.leftovers()).isEmpty();
    }
  }

  @Test
  void trackingTellsWhatIsMissing() {
    FlowTracker.INSTANCE.forgetBufferAccess();
    assertThat(LeakScope.tracking().state()).isEqualTo(ScopeTracking.State.ON);
    assertThat(LeakScope.tracking().gaps()).isEmpty();
    assertThat(LeakScope.tracking().hopRules()).isEqualTo(Snapshot.HOP_RULES);
    FlowTracker.INSTANCE.configure(10, true);
    assertThat(LeakScope.tracking().gaps())
        .containsExactly(
            "only 1 in 10 buffers is followed", "buffers in the heap are not followed");
    FlowTracker.INSTANCE.configure(1, false);
    Tracker.INSTANCE.mode.setStarting(false);
    assertThat(LeakScope.tracking().state()).isNotEqualTo(ScopeTracking.State.ON);
    assertThat(LeakScope.tracking().text()).startsWith("nothing is followed: ");
    try (LeakScope scope = LeakScope.open("scope")) {
      FakeBuffer.direct(1).allocatedAt(root);
      assertThat(scope.leftovers()).isEmpty();
      assertThat(scope).hasToString("scope");
    }
  }
}
