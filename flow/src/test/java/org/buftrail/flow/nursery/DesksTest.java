package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.buftrail.flow.Probe.leaked;
import static org.buftrail.flow.Probe.released;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.Sweeping;
import org.buftrail.flow.woven.Tracker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Threads of every kind, and their desks. */
@ExtendWith(Probe.class)
class DesksTest {
  private static final int A = Probe.site("A");

  private final int root = Probe.root();

  /** By the many that yield. */
  private long released;

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
                used.add(Tracker.INSTANCE.nursery.desks.current());
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
    assertThat(Tracker.INSTANCE.nursery.desks.all()).hasSizeLessThanOrEqualTo(Desks.MAX_DESKS);
    go.countDown();
    for (Thread thread : all) {
      thread.join();
    }
    long lives = 40L * threads;
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(lives, lives)));
    assertThat(Tracker.INSTANCE.nursery.desks.all()).hasSizeLessThan(Desks.MAX_OWNED / 2);
  }

  @Test
  void sharedDesksLoseNothing() throws Exception {
    Desk shared = new Desk(Tracker.INSTANCE.nursery, null);
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
    manyThatYield();
    List<Desk> taken = carriersDesks();
    long before = allocated(taken);
    assertThat(taken).allMatch(Desk::borrow).noneMatch(Desk::borrow);
    try {
      manyThatYield();
    } finally {
      taken.forEach(Desk::giveBack);
    }
    assertThat(allocated(taken)).as("all on those with a monitor").isEqualTo(before);
    manyThatYield();
    assertThat(allocated(taken) > before).as("given back").isEqualTo(isVirtual());
  }

  /** The first life of each carrier may be on one that is shared. */
  @Test
  void virtualThreadsUseTheDeskOfTheirCarrier() throws Exception {
    manyThatYield();
    List<Desk> shared = Tracker.INSTANCE.nursery.desks.all();
    shared.removeIf(desk -> !desk.isShared());
    long before = allocated(shared);
    long beforeAll = allocated(carriersDesks());
    manyThatYield();
    assertThat(allocated(shared) - before).isLessThan(200);
    long more = allocated(carriersDesks()) - beforeAll;
    assertThat(more > 200_000 - 200).isEqualTo(isVirtual());
  }

  /** What began on a carrier that has ended since is counted when it is over, and not before. */
  @Test
  void deskOfACarrierThatHasEndedWaitsUntilItIsGivenBack() throws Exception {
    Thread carrier = new Thread();
    Desk desk = new Desk(Tracker.INSTANCE.nursery, carrier);
    assertThat(desk.borrow()).isTrue();
    assertThat(carrier.isAlive()).isFalse();
    assertThat(desk.isAbandoned()).isFalse();
    desk.giveBack();
    assertThat(desk.isAbandoned()).isTrue();
  }

  /** A carrier without a desk asks for the monitor once, and for each operation no more. */
  @Test
  void carriersBeyondTheLastDeskWaitForNobody() throws Exception {
    assumeThat(Desks.VIRTUAL).isNotNull();
    assertThat(Tracker.INSTANCE.nursery.desks.current().isShared())
        .as("so one place of a carrier stays free")
        .isFalse();
    for (int id = 0; id < Desks.CARRIER_PLACES; id++) {
      Tracker.INSTANCE.nursery.desks.ofCarrier(carrier(id));
    }
    assertThat(Tracker.INSTANCE.nursery.desks.all()).hasSize(Desks.MAX_DESKS);
    int free = 0;
    while (Tracker.INSTANCE.nursery.desks.byCarrier[free] != null) {
      free++;
    }
    Thread carrier = carrier(free);
    assertThat(Tracker.INSTANCE.nursery.desks.ofCarrier(carrier)).isNull();
    Thread asking = new Thread(() -> Tracker.INSTANCE.nursery.desks.ofCarrier(carrier));
    synchronized (Tracker.INSTANCE.nursery.desks.owned) {
      asking.start();
      asking.join(20_000);
      assertThat(asking.isAlive()).as("waits for the monitor").isFalse();
    }
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(Tracker.INSTANCE.nursery.desks.ofCarrier(carrier)).as("the first time").isNull();
    assertThat(Tracker.INSTANCE.nursery.desks.ofCarrier(carrier))
        .as("now that there is room")
        .isNotNull();
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(Tracker.INSTANCE.nursery.desks.ofCarrier(carrier)).as("after its end").isNull();
  }

  @Test
  void carriersOfWhichTheIdsEndAlikeHaveDesksOfTheirOwn() {
    assumeThat(Desks.VIRTUAL).isNotNull();
    int half = Desks.CARRIER_PLACES / 2;
    int id = 0;
    while (Tracker.INSTANCE.nursery.desks.byCarrier[id] != null
        || Tracker.INSTANCE.nursery.desks.byCarrier[id + half] != null) {
      id++;
    }
    List<Thread> carriers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      carriers.add(carrier(id + (long) i * Desks.CARRIER_PLACES));
      assertThat(Tracker.INSTANCE.nursery.desks.ofCarrier(carriers.get(i)))
          .as("the first time")
          .isNull();
    }
    for (int i = 0; i < 2; i++) {
      Desk desk = Objects.requireNonNull(Tracker.INSTANCE.nursery.desks.ofCarrier(carriers.get(i)));
      assertThat(desk.owner).isSameAs(carriers.get(i));
      assertThat(Tracker.INSTANCE.nursery.desks.isOfCarrier(desk)).isTrue();
    }
    assertThat(Tracker.INSTANCE.nursery.desks.ofCarrier(carriers.get(2)))
        .as("of which there are two places")
        .isNull();
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(Tracker.INSTANCE.nursery.desks.byCarrier[id]).isNull();
    assertThat(Tracker.INSTANCE.nursery.desks.byCarrier[id + half]).isNull();
  }

  /** Has that id, and does not live. */
  private static Thread carrier(long id) {
    return new Thread() {
      @Override
      public long getId() {
        return id;
      }
    };
  }

  private static List<Desk> carriersDesks() {
    List<Desk> desks = Tracker.INSTANCE.nursery.desks.all();
    desks.removeIf(desk -> desk.isShared() || !Tracker.INSTANCE.nursery.desks.isOfCarrier(desk));
    return desks;
  }

  private static long allocated(List<Desk> desks) {
    return desks.stream().mapToLong(Desk::allocated).sum();
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
    released += 200_000;
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(released, released)));
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
    Desk desk = Tracker.INSTANCE.nursery.desks.current();
    Tracker.INSTANCE.nursery.desks.known.remove();
    assertThat(Tracker.INSTANCE.nursery.desks.current()).isSameAs(desk);
  }

  @Test
  void threadsOfOneIdHaveDesksOfTheirOwn() throws Exception {
    Desk desk = Tracker.INSTANCE.nursery.desks.current();
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
            other.set(Tracker.INSTANCE.nursery.desks.current());
            assertThat(Tracker.INSTANCE.nursery.desks.current()).isSameAs(other.get());
            work(20);
          }
        };
    thread.start();
    work(20);
    thread.join();
    assertThat(other.get()).isNotNull().isNotSameAs(desk);
    assertThat(Tracker.INSTANCE.nursery.desks.current()).isSameAs(desk);
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
