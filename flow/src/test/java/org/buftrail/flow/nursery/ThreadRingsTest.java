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
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.woven.Tracker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Threads of every kind, and their rings. */
@ExtendWith(Probe.class)
class ThreadRingsTest {
  private static final int A = Probe.site("A");

  private final int root = Probe.root();

  /** By the many that yield. */
  private long released;

  /** Asked for each buffer that is let go of young, of thousands of threads. */
  @Test
  void theListIsMadeAnewOnlyWhenThereIsAnotherRing() {
    ThreadRings rings = new Tracker().nursery.rings;
    List<ThreadRing> before = rings.all();
    assertThat(rings.all()).isSameAs(before);
    ThreadRing mine = rings.current();
    List<ThreadRing> after = rings.all();
    assertThat(before).doesNotContain(mine);
    assertThat(after).contains(mine).hasSize(before.size() + 1).isSameAs(rings.all());
    rings.close(mine);
    assertThat(rings.all()).isEqualTo(before);
  }

  @Test
  void threadsBeyondTheLastRingShare() throws Exception {
    int threads = ThreadRings.MAX_OWNED + 200;
    CountDownLatch done = new CountDownLatch(threads);
    CountDownLatch go = new CountDownLatch(1);
    Set<ThreadRing> used = ConcurrentHashMap.newKeySet();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              null,
              () -> {
                used.add(Tracker.INSTANCE.nursery.rings.current());
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
    assertThat(used.stream().filter(ThreadRing::isShared)).isNotEmpty();
    assertThat(Tracker.INSTANCE.nursery.rings.all())
        .hasSizeLessThanOrEqualTo(ThreadRings.MAX_RINGS);
    go.countDown();
    for (Thread thread : all) {
      thread.join();
    }
    long lives = 40L * threads;
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A release", released(lives, lives)));
    assertThat(Tracker.INSTANCE.nursery.rings.all()).hasSizeLessThan(ThreadRings.MAX_OWNED / 2);
  }

  @Test
  void sharedRingsLoseNothing() throws Exception {
    ThreadRing shared = new ThreadRing(Tracker.INSTANCE.nursery, null);
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

  /** As when each ring has been taken by a thread that is unmounted within an operation. */
  @Test
  void virtualThreadsDoNotWaitForARingThatIsTaken() throws Exception {
    manyThatYield();
    List<ThreadRing> taken = carriersRings();
    long before = allocated(taken);
    assertThat(taken).allMatch(ThreadRing::borrow).noneMatch(ThreadRing::borrow);
    try {
      manyThatYield();
    } finally {
      taken.forEach(ThreadRing::giveBack);
    }
    assertThat(allocated(taken)).as("all on those with a monitor").isEqualTo(before);
    manyThatYield();
    assertThat(allocated(taken) > before).as("given back").isEqualTo(isVirtual());
  }

  /** The first life of each carrier may be on one that is shared. */
  @Test
  void virtualThreadsUseTheRingOfTheirCarrier() throws Exception {
    manyThatYield();
    List<ThreadRing> shared = new ArrayList<>(Tracker.INSTANCE.nursery.rings.all());
    shared.removeIf(ring -> !ring.isShared());
    long before = allocated(shared);
    long beforeAll = allocated(carriersRings());
    manyThatYield();
    assertThat(allocated(shared) - before).isLessThan(200);
    long more = allocated(carriersRings()) - beforeAll;
    assertThat(more > 200_000 - 200).isEqualTo(isVirtual());
  }

  /** What began on a carrier that has ended since is counted when it is over, and not before. */
  @Test
  void ringOfACarrierThatHasEndedWaitsUntilItIsGivenBack() throws Exception {
    Thread carrier = new Thread();
    ThreadRing ring = new ThreadRing(Tracker.INSTANCE.nursery, carrier);
    assertThat(ring.borrow()).isTrue();
    assertThat(carrier.isAlive()).isFalse();
    assertThat(ring.isAbandoned()).isFalse();
    ring.giveBack();
    assertThat(ring.isAbandoned()).isTrue();
  }

  /** A carrier without a ring asks for the monitor once, and for each operation no more. */
  @Test
  void carriersBeyondTheLastRingWaitForNobody() throws Exception {
    assumeThat(ThreadRings.VIRTUAL).isNotNull();
    assertThat(Tracker.INSTANCE.nursery.rings.current().isShared())
        .as("so one place of a carrier stays free")
        .isFalse();
    for (int id = 0; id < ThreadRings.CARRIER_PLACES; id++) {
      Tracker.INSTANCE.nursery.rings.ofCarrier(carrier(id));
    }
    assertThat(Tracker.INSTANCE.nursery.rings.all()).hasSize(ThreadRings.MAX_RINGS);
    int free = 0;
    while (Tracker.INSTANCE.nursery.rings.byCarrier[free] != null) {
      free++;
    }
    Thread carrier = carrier(free);
    assertThat(Tracker.INSTANCE.nursery.rings.ofCarrier(carrier)).isNull();
    Thread asking = new Thread(() -> Tracker.INSTANCE.nursery.rings.ofCarrier(carrier));
    synchronized (Tracker.INSTANCE.nursery.rings.owned) {
      asking.start();
      asking.join(20_000);
      assertThat(asking.isAlive()).as("waits for the monitor").isFalse();
    }
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(Tracker.INSTANCE.nursery.rings.ofCarrier(carrier)).as("the first time").isNull();
    assertThat(Tracker.INSTANCE.nursery.rings.ofCarrier(carrier))
        .as("now that there is room")
        .isNotNull();
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(Tracker.INSTANCE.nursery.rings.ofCarrier(carrier)).as("after its end").isNull();
  }

  @Test
  void carriersOfWhichTheIdsEndAlikeHaveRingsOfTheirOwn() {
    assumeThat(ThreadRings.VIRTUAL).isNotNull();
    int half = ThreadRings.CARRIER_PLACES / 2;
    int id = 0;
    while (Tracker.INSTANCE.nursery.rings.byCarrier[id] != null
        || Tracker.INSTANCE.nursery.rings.byCarrier[id + half] != null) {
      id++;
    }
    List<Thread> carriers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      carriers.add(carrier(id + (long) i * ThreadRings.CARRIER_PLACES));
      assertThat(Tracker.INSTANCE.nursery.rings.ofCarrier(carriers.get(i)))
          .as("the first time")
          .isNull();
    }
    for (int i = 0; i < 2; i++) {
      ThreadRing ring =
          Objects.requireNonNull(Tracker.INSTANCE.nursery.rings.ofCarrier(carriers.get(i)));
      assertThat(ring.owner).isSameAs(carriers.get(i));
      assertThat(Tracker.INSTANCE.nursery.rings.isOfCarrier(ring)).isTrue();
    }
    assertThat(Tracker.INSTANCE.nursery.rings.ofCarrier(carriers.get(2)))
        .as("of which there are two places")
        .isNull();
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(Tracker.INSTANCE.nursery.rings.byCarrier[id]).isNull();
    assertThat(Tracker.INSTANCE.nursery.rings.byCarrier[id + half]).isNull();
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

  private static List<ThreadRing> carriersRings() {
    List<ThreadRing> rings = new ArrayList<>(Tracker.INSTANCE.nursery.rings.all());
    rings.removeIf(ring -> ring.isShared() || !Tracker.INSTANCE.nursery.rings.isOfCarrier(ring));
    return rings;
  }

  private static long allocated(List<ThreadRing> rings) {
    return rings.stream().mapToLong(ThreadRing::allocated).sum();
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
  void aRingIsFoundByTheIdOfItsThreadOnceItIsThere() {
    ThreadRings rings = new Tracker().nursery.rings;
    assertThat(rings.own()).isNull();
    ThreadRing ring = rings.current();
    assertThat(ring.owner).isSameAs(Thread.currentThread());
    assertThat(rings.own()).isSameAs(ring);
    rings.close(ring);
    assertThat(rings.own()).isNull();
  }

  @Test
  void whatLiesInARingIsTakenOutOfItByAnyThread() throws Exception {
    Nursery nursery = new Tracker().nursery;
    Node node = nursery.tree.root(root, 0);
    FakeBuffer mine = FakeBuffer.heap(1);
    FakeBuffer another = FakeBuffer.heap(1);
    nursery.rings.enter(mine, node, 0);
    Thread thread = new Thread(() -> nursery.rings.enter(another, node, 0));
    thread.start();
    thread.join();
    for (FakeBuffer buffer : List.of(another, mine)) {
      int stamp = FlowState.stamp(buffer);
      assertThat(nursery.rings.clear(buffer, Stamp.ended(stamp))).isFalse();
      assertThat(nursery.rings.clear(buffer, stamp)).isTrue();
      assertThat(nursery.rings.clear(buffer, stamp)).isFalse();
    }
    assertThat(nursery.rings.all()).allMatch(ring -> ring.taken(0, ring.slots()) == -1);
  }

  @Test
  void whatIsHandedOnWaitsAtTheRingOfTheThread() {
    Nursery nursery = new Tracker().nursery;
    TenuredFlow tenured = nursery.tenured(FakeBuffer.heap(1), nursery.tree.root(root, 0), 0);
    nursery.rings.hand(tenured);
    assertThat(nursery.rings.current().lastPublished()).isSameAs(tenured);
  }

  @Test
  void threadWhoseThreadLocalsAreClearedKeepsItsRing() {
    ThreadRing ring = Tracker.INSTANCE.nursery.rings.current();
    Tracker.INSTANCE.nursery.rings.known.remove();
    assertThat(Tracker.INSTANCE.nursery.rings.current()).isSameAs(ring);
  }

  @Test
  void threadsOfOneIdHaveRingsOfTheirOwn() throws Exception {
    ThreadRing ring = Tracker.INSTANCE.nursery.rings.current();
    long id = Thread.currentThread().getId();
    AtomicReference<ThreadRing> other = new AtomicReference<>();
    Thread thread =
        new Thread() {
          @Override
          public long getId() {
            return id;
          }

          @Override
          public void run() {
            other.set(Tracker.INSTANCE.nursery.rings.current());
            assertThat(Tracker.INSTANCE.nursery.rings.current()).isSameAs(other.get());
            work(20);
          }
        };
    thread.start();
    work(20);
    thread.join();
    assertThat(other.get()).isNotNull().isNotSameAs(ring);
    assertThat(Tracker.INSTANCE.nursery.rings.current()).isSameAs(ring);
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
