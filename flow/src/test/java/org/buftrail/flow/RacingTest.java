package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Threads that move and release the same buffers at once: paths may vary, counts may not. */
@ExtendWith(Probe.class)
@Tag("slow")
class RacingTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 60_000;
  private static final int SHARED = 8;

  private final int root = Probe.root();
  private final LongAdder lives = new LongAdder();
  private final AtomicReferenceArray<FakeBuffer> shared = new AtomicReferenceArray<>(SHARED);

  @Test
  void buffersThatTwoThreadsMoveAtOnceAreCountedOnce() throws Exception {
    Sweeping sweeping = new Sweeping();
    sweeping.start();
    CyclicBarrier barrier = new CyclicBarrier(THREADS);
    Thread[] threads = new Thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
      SplittableRandom random = new SplittableRandom(t);
      threads[t] =
          new Thread(
              () -> {
                await(barrier);
                for (int i = 0; i < ROUNDS; i++) {
                  step(random);
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    sweeping.end();
    for (int i = 0; i < SHARED; i++) {
      FakeBuffer buffer = shared.getAndSet(i, null);
      if (buffer != null) {
        buffer.release();
      }
    }
    long released = Probe.paths(root).values().stream().mapToLong(c -> c.released).sum();
    long other = Probe.paths(root).values().stream().mapToLong(c -> c.live + c.leaked).sum();
    assertThat(released).isEqualTo(lives.sum());
    assertThat(other).isZero();
  }

  /**
   * Puts a buffer where others find it, moving it still, or takes one out, moves and releases it;
   * every released object is reused at once.
   */
  private void step(SplittableRandom random) {
    int at = random.nextInt(SHARED);
    FakeBuffer taken = shared.getAndSet(at, null);
    if (taken == null) {
      taken = new FakeBuffer(true);
    } else {
      taken.hop(Probe.site("R" + random.nextInt(5)));
      taken.release();
    }
    lives.increment();
    taken.reset(64).allocatedAt(root).hop(Probe.site("R" + random.nextInt(5)));
    if (shared.compareAndSet(at, null, taken)) {
      // The hop at the exit of a method that has handed the buffer on.
      taken.hop(Probe.site("R" + random.nextInt(5)));
    } else {
      taken.release();
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
