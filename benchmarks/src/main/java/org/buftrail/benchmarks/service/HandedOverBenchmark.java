package org.buftrail.benchmarks.service;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Threads;

/**
 * Buffers that one thread allocates and another releases, so many at a time: neither thread spins,
 * and what they wait for is not on a processor.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Threads(1)
public class HandedOverBenchmark {
  /** In one batch. One is filled, one waits and one is released. */
  @Param({"16", "512", "4096", "65536"})
  public int buffers;

  @Param({"HEAP", "POOLED", "ADAPTIVE"})
  public Memory memory = Memory.HEAP;

  private final BlockingQueue<ByteBuf[]> full = new ArrayBlockingQueue<>(1);
  private final BlockingQueue<ByteBuf[]> empty = new ArrayBlockingQueue<>(3);
  private ByteBuf[] batch = {};
  private int filled;
  private @Nullable Thread releaser;

  /** One releasing thread for each iteration. */
  @Setup(Level.Iteration)
  public void start() {
    batch = new ByteBuf[buffers];
    empty.clear();
    empty.add(new ByteBuf[buffers]);
    empty.add(new ByteBuf[buffers]);
    releaser = new Thread(this::releaseAll, "releaser");
    releaser.start();
  }

  /** Returns when everything has been released. */
  @TearDown(Level.Iteration)
  public void finish() throws InterruptedException {
    for (int i = 0; i < filled; i++) {
      batch[i].release();
    }
    filled = 0;
    full.put(new ByteBuf[0]);
    if (releaser != null) {
      releaser.join();
    }
  }

  @Benchmark
  @Expected(heap = 1, detector = true)
  public void handedOver() throws InterruptedException {
    batch[filled++] = memory.allocate();
    if (filled == batch.length) {
      full.put(batch);
      batch = empty.take();
      filled = 0;
    }
  }

  private void releaseAll() {
    try {
      for (ByteBuf[] taken = full.take(); taken.length > 0; taken = full.take()) {
        for (ByteBuf each : taken) {
          each.release();
        }
        empty.add(taken);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
