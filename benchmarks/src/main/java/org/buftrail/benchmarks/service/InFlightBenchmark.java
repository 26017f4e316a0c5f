package org.buftrail.benchmarks.service;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.buftrail.benchmarks.Aside;
import org.buftrail.benchmarks.Expected;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A queue as behind a slow reader: each operation allocates a buffer and releases the oldest. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InFlightBenchmark {
  /** Enough for a thread's ring to have grown to what is in flight. */
  private static final int ROUNDS = 20;

  /** So many are alive at a time. */
  @Param({"16", "512", "4096", "65536", "1000000"})
  public int buffers;

  @Param({"HEAP", "POOLED", "ADAPTIVE"})
  public Memory memory = Memory.HEAP;

  /** So many other threads had as many in flight before, and now do nothing. */
  @Param("0")
  public int idleThreads;

  private final CountDownLatch over = new CountDownLatch(1);
  private @Nullable ByteBuf[] queue = {};
  private int next;

  @Setup(Level.Trial)
  public void workThenIdle() throws InterruptedException {
    for (int i = 0; i < idleThreads; i++) {
      CountDownLatch idle = new CountDownLatch(1);
      Thread thread = new Thread(() -> workThenIdle(idle), "idle-" + i);
      thread.setDaemon(true);
      thread.start();
      idle.await();
    }
  }

  private void workThenIdle(CountDownLatch idle) {
    InFlightBenchmark own = new InFlightBenchmark();
    own.buffers = buffers;
    own.memory = memory;
    own.open();
    for (int i = 0; i < ROUNDS * buffers; i++) {
      own.inFlight();
    }
    own.drain();
    Aside.add((long) ROUNDS * buffers);
    idle.countDown();
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @TearDown(Level.Trial)
  public void endIdleThreads() {
    over.countDown();
  }

  @Setup(Level.Iteration)
  public void open() {
    queue = new ByteBuf[buffers];
    next = 0;
  }

  /** What an iteration allocated it also releases: an operation is one of each, to the last. */
  @TearDown(Level.Iteration)
  public void drain() {
    for (int i = 0; i < queue.length; i++) {
      ByteBuf left = queue[i];
      if (left != null) {
        left.release();
      }
      queue[i] = null;
    }
  }

  @Benchmark
  @Expected(heap = 1, detector = true)
  public void inFlight() {
    ByteBuf oldest = queue[next];
    queue[next] = memory.allocate();
    next = next + 1 == queue.length ? 0 : next + 1;
    if (oldest != null) {
      oldest.release();
    }
  }
}
