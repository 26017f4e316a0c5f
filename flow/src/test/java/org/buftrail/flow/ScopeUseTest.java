package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.buftrail.flow.nursery.ByteBudget;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Path.Flows;
import org.buftrail.model.ScopeUse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a scope counts that counts exactly. */
@SuppressWarnings("try") // a scope need not be named where it is open
@ExtendWith(Probe.class)
final class ScopeUseTest {
  private static final int A = Probe.site("A");
  private static final int B = Probe.site("B");

  private final int root = Probe.root();
  private final List<FakeBuffer> live = new ArrayList<>();

  @AfterEach
  void releaseWhatIsLive() {
    live.forEach(FakeBuffer::release);
    assertThat(LeakScope.current()).isNull();
  }

  private FakeBuffer allocated(int bytes, int... sites) {
    return FakeBuffer.direct(bytes).allocatedAt(root).hop(sites);
  }

  private static LeakScope open(long maxCount, long maxPeakBytes) {
    return LeakScope.openMetered("put", LeakScope.current(), maxCount, maxPeakBytes);
  }

  private static LeakScope open() {
    return open(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  private static String text(Flows flows) {
    return flows.count() + " of " + flows.bytes();
  }

  private static String text(ScopeUse use) {
    return String.join(
        ", ", text(use.allocated()), text(use.released()), text(use.live()), text(use.peak()));
  }

  /** Hops: allocated, released, live, peak. */
  private static List<String> paths(ScopeUse use) {
    return use.paths().stream()
        .map(
            path ->
                path.hops().stream()
                        .skip(1)
                        .map(hop -> hop.site().className().replace("test.", ""))
                        .collect(Collectors.joining(" "))
                    + ": "
                    + String.join(
                        ", ",
                        text(path.allocated()),
                        text(path.released()),
                        text(path.live()),
                        text(path.peak())))
        .sorted()
        .collect(Collectors.toList());
  }

  @Test
  void whatIsAllocatedAndReleasedIsCountedByPath() {
    FakeBuffer before = allocated(1_000, A);
    try (LeakScope scope = open();
        LeakScope.Entered stay = scope.enter()) {
      allocated(10, A).release();
      allocated(20, A).release();
      live.add(allocated(5, A, B));
      before.release();
      assertThat(text(scope.use())).isEqualTo("3 of 35, 2 of 30, 1 of 5, 1 of 20");
      assertThat(paths(scope.use()))
          .containsExactly(
              "A B: 1 of 5, 0 of 0, 1 of 5, 0 of 0", "A: 2 of 30, 2 of 30, 0 of 0, 1 of 20");
    }
  }

  @Test
  void thePeakIsTheHighestMomentWhateverCameAfter() {
    try (LeakScope scope = open();
        LeakScope.Entered stay = scope.enter()) {
      FakeBuffer first = allocated(100, A);
      FakeBuffer second = allocated(50, A);
      first.release();
      FakeBuffer third = allocated(120, A);
      second.hop(B).release();
      third.release();
      for (int i = 0; i < 10; i++) {
        FakeBuffer one = allocated(1, A);
        FakeBuffer other = allocated(2, A);
        FakeBuffer another = allocated(3, A);
        one.release();
        other.release();
        another.release();
      }
      assertThat(text(scope.use().peak())).isEqualTo("3 of 170");
      assertThat(paths(scope.use()))
          .containsExactly(
              "A B: 1 of 50, 1 of 50, 0 of 0, 1 of 50",
              "A: 32 of 280, 32 of 280, 0 of 0, 1 of 120");
    }
  }

  @Test
  void aBufferThatGrowsCountsAsMuchAsItHas() {
    try (LeakScope scope = open();
        LeakScope.Entered stay = scope.enter()) {
      FakeBuffer buffer = allocated(10, A);
      FakeBuffer other = allocated(1, A);
      buffer.grow(40);
      Buffers.resized(buffer);
      buffer.grow(30);
      Buffers.resized(buffer);
      other.release();
      assertThat(text(scope.use())).isEqualTo("2 of 31, 1 of 1, 1 of 30, 2 of 41");
      buffer.hop(B).release();
      assertThat(text(scope.use())).isEqualTo("2 of 31, 2 of 31, 0 of 0, 2 of 41");
      assertThat(paths(scope.use()))
          .containsExactly(
              "A B: 1 of 30, 1 of 30, 0 of 0, 1 of 40", "A: 1 of 1, 1 of 1, 0 of 0, 1 of 1");
    }
  }

  /** Young, tenured, large from birth, recycled, and released by another thread. */
  @Test
  void eachLifeCountsOnceWhateverBecomesOfIt() throws InterruptedException {
    try (LeakScope scope = open();
        LeakScope.Entered stay = scope.enter()) {
      FakeBuffer tenured = allocated(1, A);
      Probe.settle();
      FakeBuffer large = allocated(ByteBudget.LARGE + 1, A);
      FakeBuffer recycled = allocated(2, A);
      recycled.release();
      recycled.reset(4).allocatedAt(root).hop(A);
      Tracker.INSTANCE.nursery.sweep(true);
      Thread other =
          new Thread(
              () -> {
                tenured.release();
                large.release();
                recycled.release();
              });
      other.start();
      other.join();
      long bytes = 8L + ByteBudget.LARGE;
      assertThat(text(scope.use()))
          .isEqualTo("4 of %s, 4 of %s, 0 of 0, 3 of %s".formatted(bytes, bytes, bytes - 2));
    }
  }

  @Test
  void aScopeWithinCountsForBoth() {
    try (LeakScope outer = open();
        LeakScope.Entered stay = outer.enter()) {
      try (LeakScope inner = open();
          LeakScope plain = LeakScope.open("plain", inner);
          LeakScope.Entered within = plain.enter()) {
        allocated(10, A).release();
        live.add(allocated(5, A));
        assertThat(text(inner.use())).isEqualTo("2 of 15, 1 of 10, 1 of 5, 1 of 10");
        plain.handOver();
        inner.handOver();
      }
      live.remove(0).release();
      assertThat(text(outer.use())).isEqualTo("2 of 15, 2 of 15, 0 of 0, 1 of 10");
    }
  }

  @Test
  void whatIsCollectedUnreleasedStaysLive() {
    try (LeakScope scope = open();
        LeakScope.Entered stay = scope.enter()) {
      allocated(3, A);
      Probe.settle();
      for (int i = 0; i < 100 && scope.leftovers().get(0).collected() == 0; i++) {
        System.gc();
        Probe.settle();
      }
      assertThat(text(scope.use())).isEqualTo("1 of 3, 0 of 0, 1 of 3, 1 of 3");
    }
  }

  @Test
  void theAllocationThatGoesPastANumberIsRemembered() {
    try (LeakScope scope = open(2, 100);
        LeakScope.Entered stay = scope.enter()) {
      allocated(50, A).release();
      allocated(100, A).release();
      assertThat(scope.use().pastCount()).isEmpty();
      assertThat(scope.use().pastPeak()).isEmpty();
      past();
      allocated(200, A).release();
      for (List<StackTraceElement> past :
          List.of(scope.use().pastCount(), scope.use().pastPeak())) {
        assertThat(past).anyMatch(frame -> frame.getMethodName().equals("past"));
      }
    }
  }

  private void past() {
    allocated(101, A).release();
  }

  @Test
  void onlyAScopeThatWasOpenedToCountDoes() {
    try (LeakScope scope = LeakScope.open("plain", null)) {
      assertThatThrownBy(scope::use)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("plain was not opened with openMetered");
    }
    Tracker.INSTANCE.mode.configure(8, false);
    try {
      assertThatThrownBy(ScopeUseTest::open)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("nothing is counted exactly: only 1 in 8 buffers is followed");
    } finally {
      Tracker.INSTANCE.mode.configure(1, false);
    }
  }

  /** One in another scope claims what threads do that are in none; so does one within it. */
  @Test
  void aScopeOwnsWhatTheOneAroundItClaimed() throws InterruptedException {
    List<Runnable> work = new ArrayList<>();
    Thread older = new Thread(() -> work.forEach(Runnable::run));
    try (LeakScope outer = LeakScope.open("outer", null)) {
      outer.claim();
      try (LeakScope inner = LeakScope.openMetered("inner", outer, 0, 0)) {
        inner.claimAsParent();
        work.add(() -> allocated(1, A).release());
        older.start();
        older.join();
        assertThat(inner.use().allocated().count()).isOne();
      }
    }
    try (LeakScope outer = LeakScope.open("outer", null);
        LeakScope inner = LeakScope.openMetered("inner", outer, 0, 0)) {
      inner.claimAsParent();
      allocated(1, A).release();
      assertThat(inner.use().allocated().count()).isZero();
    }
  }
}
