package org.buftrail.benchmarks.flow;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;
import org.buftrail.benchmarks.Expected;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/** Direct buffers of both pools, which Netty's own detector watches too. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DirectBenchmark {
  private static final int SIZE = 256;

  private final ByteBufAllocator pooled = PooledByteBufAllocator.DEFAULT;
  private final ByteBufAllocator adaptive = new AdaptiveByteBufAllocator();

  @Benchmark
  @Expected(direct = 1, hops = 2, detector = true)
  public void pooledDirect() {
    ByteBuf buffer = pooled.directBuffer(SIZE);
    buffer.release();
  }

  @Benchmark
  @Expected(direct = 1, hops = 4, detector = true)
  public void pooledDirectThroughChain() {
    Chain.first(pooled.directBuffer(SIZE));
  }

  @Benchmark
  @Expected(direct = 1, hops = 2, detector = true)
  public void adaptiveDirect() {
    ByteBuf buffer = adaptive.directBuffer(SIZE);
    buffer.release();
  }

  @Benchmark
  @Expected(direct = 1, hops = 4, detector = true)
  public void adaptiveDirectThroughChain() {
    Chain.first(adaptive.directBuffer(SIZE));
  }

  @Benchmark
  @Threads(2)
  @Expected(direct = 1, hops = 2, detector = true)
  public void pooledDirectTwoThreads() {
    ByteBuf buffer = pooled.directBuffer(SIZE);
    buffer.release();
  }

  @Benchmark
  @Threads(2)
  @Expected(direct = 1, hops = 2, detector = true)
  public void adaptiveDirectTwoThreads() {
    ByteBuf buffer = adaptive.directBuffer(SIZE);
    buffer.release();
  }
}
