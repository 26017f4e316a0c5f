package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.LeakScopeTest.texts;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.buftrail.flow.woven.ExecutorScopes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which scope a thread is in. */
@SuppressWarnings("try") // a scope need not be named where it is open
@ExtendWith(Probe.class)
class ScopeThreadsTest {
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

  private void leak(int bytes, int... sites) {
    live.add(FakeBuffer.direct(bytes).allocatedAt(root).hop(sites));
  }

  @Test
  void threadsInheritAndGoToTheScopeAroundWhenTheirsIsClosed() throws Exception {
    LeakScope outer = LeakScope.open("outer");
    LeakScope inner = LeakScope.open("inner");
    ExecutorService pool = Executors.newSingleThreadExecutor();
    pool.submit(() -> leak(1, A)).get();
    assertThat(texts(inner.leftovers())).containsExactly("inner: A: 1 of 1");
    inner.close();
    pool.submit(() -> leak(2, B)).get();
    assertThat(texts(outer.leftovers())).containsExactly("outer: B: 1 of 2");
    outer.close();
    pool.submit(() -> leak(4, C)).get();
    LeakScope later = LeakScope.open("later");
    pool.submit(() -> leak(8, C)).get();
    assertThat(later.leftovers()).isEmpty();
    pool.submit(
            () -> {
              try (LeakScope.Entered entered = later.enter()) {
                leak(16, C);
              }
              leak(32, C);
            })
        .get();
    assertThat(texts(later.leftovers())).containsExactly("later: C: 1 of 16");
    later.close();
    pool.shutdown();
    assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  /** Calls as a woven executor does. */
  private static final class Pool {
    Pool() {
      ExecutorScopes.made(this);
    }

    /** Has a new thread, which the caller starts, do some work. */
    void run(Runnable work) throws InterruptedException {
      Thread thread =
          new Thread(
              () -> {
                ExecutorScopes.begun(this);
                work.run();
              });
      thread.start();
      thread.join();
    }
  }

  /** Is initialised by the first who needs it. */
  private static final class Shared {
    static final Pool POOL = new Pool();
  }

  @Test
  void threadsOfAnExecutorAreInTheScopeInWhichItWasMade() throws Exception {
    Pool before = new Pool();
    LeakScope run = LeakScope.open("run");
    LeakScope outer = LeakScope.open("class");
    Pool ofClass = new Pool();
    LeakScope inner = LeakScope.open("test");
    Pool ofTest = new Pool();
    before.run(() -> leak(1, A));
    ofClass.run(() -> leak(2, A));
    ofTest.run(() -> leak(4, A));
    Shared.POOL.run(() -> leak(8, A));
    assertThat(texts(inner.leftovers())).containsExactly("test: A: 1 of 4");
    assertThat(texts(outer.leftovers())).containsExactly("class: A: 1 of 2");
    assertThat(texts(run.leftovers())).containsExactly("run: A: 2 of 9");
    inner.close();
    ofTest.run(() -> leak(16, A));
    assertThat(texts(outer.leftovers())).containsExactly("class: A: 2 of 18");
    outer.close();
    run.close();
    ofTest.run(() -> leak(32, A));
    assertThat(LeakScope.current()).isNull();
  }

  @Test
  void aThreadThatClosesTheScopeOfOthersStaysInItsOwn() {
    try (LeakScope own = LeakScope.open("own")) {
      for (boolean isTold : new boolean[] {true, false}) {
        LeakScope ofOthers = LeakScope.open("of others", null);
        if (isTold) {
          ofOthers.close();
        } else {
          ofOthers.handOver();
        }
        assertThat(LeakScope.current()).isSameAs(own);
      }
      leak(7, A);
      assertThat(texts(own.leftovers())).containsExactly("own: A: 1 of 7");
    }
  }
}
