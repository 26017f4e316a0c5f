package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.leaked;
import static org.buftrail.flow.Probe.released;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Threads of every kind, and their desks. */
@ExtendWith(Probe.class)
class DesksTest {
  private static final int A = Probe.site("A");

  private final int root = Probe.root();

  @Test
  void threadsBeyondTheLastDeskShare() throws Exception {
    int threads = Desks.MAX_OWNED + 200;
    CountDownLatch done = new CountDownLatch(threads);
    CountDownLatch go = new CountDownLatch(1);
    Set<Desk> used = ConcurrentHashMap.newKeySet();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              null,
              () -> {
                used.add(Desks.current());
                work(20);
                done.countDown();
                awaitQuietly(go);
                work(20);
              },
              "many",
              128 << 10);
      thread.start();
      all.add(thread);
    }
    done.await();
    assertThat(used.stream().filter(Desk::isShared)).isNotEmpty();
    assertThat(Desks.all()).hasSizeLessThanOrEqualTo(Desks.MAX_DESKS);
    go.countDown();
    for (Thread thread : all) {
      thread.join();
    }
    long lives = 40L * threads;
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(lives, lives)));
    assertThat(Desks.all()).hasSizeLessThan(Desks.MAX_OWNED / 2);
  }

  @Test
  void sharedDesksLoseNothing() throws Exception {
    Desk shared = new Desk(null);
    assertThat(shared.isShared()).isTrue();
    assertThat(shared.isAbandoned()).isFalse();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      all.add(startVirtual(() -> work(20_000)));
    }
    Sweeping sweeping = new Sweeping();
    sweeping.start();
    for (Thread thread : all) {
      thread.join();
    }
    sweeping.end();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(320_000, 320_000)));
  }

  @Test
  void virtualThreadsThatYieldLoseNothing() throws Exception {
    manyThatYield();
  }

  /** As when each desk has been taken by a thread that is unmounted within an operation. */
  @Test
  void virtualThreadsDoNotWaitForADeskThatIsTaken() throws Exception {
    List<Desk> taken = new ArrayList<>();
    Desks.all().stream().filter(d -> d.isShared() && d.borrow()).forEach(taken::add);
    assertThat(taken).noneMatch(Desk::borrow);
    long before = taken.stream().mapToLong(Desk::allocated).sum();
    try {
      manyThatYield();
    } finally {
      taken.forEach(Desk::giveBack);
    }
    long more = taken.stream().mapToLong(Desk::allocated).sum() - before;
    assertThat(more).as("all on those with a monitor").isEqualTo(isVirtual() ? 200_000 : 0);
  }

  @Test
  void virtualThreadsBorrowADesk() throws Exception {
    Desk[] shared = Desks.all().stream().filter(Desk::isShared).toArray(Desk[]::new);
    long[] before = Arrays.stream(shared).mapToLong(Desk::allocated).toArray();
    startVirtual(() -> work(100)).join();
    int used = 0;
    for (int i = 0; i < shared.length; i++) {
      long more = shared[i].allocated() - before[i];
      assertThat(more).isIn(0L, 100L);
      // The first are those with a monitor.
      assertThat(more == 0 || i >= 8).isTrue();
      used += more == 0 ? 0 : 1;
    }
    assertThat(used).isEqualTo(isVirtual() ? 1 : 0);
  }

  @SuppressWarnings("ThreadPriorityCheck") // a yield unmounts a virtual thread
  private void manyThatYield() throws Exception {
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      all.add(
          startVirtual(
              () -> {
                for (int round = 0; round < 10; round++) {
                  work(20);
                  Thread.yield();
                }
              }));
    }
    Sweeping sweeping = new Sweeping();
    sweeping.start();
    for (Thread thread : all) {
      thread.join();
    }
    sweeping.end();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(200_000, 200_000)));
  }

  private static boolean isVirtual() throws Exception {
    AtomicReference<String> name = new AtomicReference<>();
    startVirtual(() -> name.set(Thread.currentThread().getClass().getName())).join();
    return "java.lang.VirtualThread".equals(name.get());
  }

  @Test
  void virtualThreadsLeaksAreFound() throws Exception {
    Thread thread =
        startVirtual(
            () -> {
              for (int i = 0; i < 500; i++) {
                FakeBuffer.heap(2).allocatedAt(root).hop(A);
              }
            });
    thread.join();
    Probe.awaitLeaks(root, 500);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A", leaked(500, 1_000)));
  }

  @Test
  void threadWhoseThreadLocalsAreClearedKeepsItsDesk() {
    Desk desk = Desks.current();
    Desks.CURRENT.remove();
    assertThat(Desks.current()).isSameAs(desk);
  }

  @Test
  void threadsOfOneIdHaveDesksOfTheirOwn() throws Exception {
    Desk desk = Desks.current();
    long id = Thread.currentThread().getId();
    AtomicReference<Desk> other = new AtomicReference<>();
    Thread thread =
        new Thread() {
          @Override
          public long getId() {
            return id;
          }

          @Override
          public void run() {
            other.set(Desks.current());
            assertThat(Desks.current()).isSameAs(other.get());
            work(20);
          }
        };
    thread.start();
    work(20);
    thread.join();
    assertThat(other.get()).isNotNull().isNotSameAs(desk);
    assertThat(Desks.current()).isSameAs(desk);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(40, 40)));
  }

  private void work(int lives) {
    for (int i = 0; i < lives; i++) {
      FakeBuffer.heap(1).allocatedAt(root).hop(A).release();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A virtual thread where the JDK has them, else one more of the other kind. */
  private static Thread startVirtual(Runnable task) throws Exception {
    try {
      return (Thread)
          Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    } catch (NoSuchMethodException e) {
      Thread thread = new Thread(task);
      thread.start();
      return thread;
    }
  }
}
