package org.buftrail.benchmarks.flow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.buftrail.benchmarks.Expected;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** Allocated by one thread, released by another: the nursery's slot is left to its owner. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Threads(1)
public class HandOverBenchmark {
  private static final int SIZE = 256;
  private static final int CAPACITY = 1_024;

  private final AtomicReferenceArray<@Nullable ByteBuf> queue =
      new AtomicReferenceArray<>(CAPACITY);
  private volatile boolean done;
  private long tail;
  private @Nullable Thread consumer;

  /** One consumer for each iteration. */
  @Setup(Level.Iteration)
  public void start() {
    done = false;
    tail = 0;
    consumer = new Thread(this::drain, "consumer");
    consumer.start();
  }

  /** Returns when everything has been released. */
  @TearDown(Level.Iteration)
  public void finish() throws InterruptedException {
    done = true;
    if (consumer != null) {
      consumer.join();
    }
  }

  @Benchmark
  @Expected(direct = 1, hops = 3, detector = true)
  public void handOver() {
    offer(PooledByteBufAllocator.DEFAULT.directBuffer(SIZE));
  }

  private void offer(ByteBuf buffer) {
    int slot = (int) (tail++ % CAPACITY);
    while (queue.getAcquire(slot) != null) {
      Thread.onSpinWait();
    }
    queue.setRelease(slot, buffer);
  }

  private void drain() {
    for (long head = 0; ; head++) {
      int slot = (int) (head % CAPACITY);
      ByteBuf buffer = queue.getAcquire(slot);
      while (buffer == null) {
        if (done && queue.getAcquire(slot) == null) {
          return;
        }
        Thread.onSpinWait();
        buffer = queue.getAcquire(slot);
      }
      queue.setRelease(slot, null);
      buffer.release();
    }
  }
}
