package org.buftrail.benchmarks.flow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.concurrent.TimeUnit;
import org.buftrail.benchmarks.Expected;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** Workloads that tell heap from direct buffers, for tracking of direct buffers alone. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MixedBenchmark {
  private static final int SIZE = 256;
  private static final int HEAP_OF_TEN = 8;

  private final ByteBufAllocator pooled = PooledByteBufAllocator.DEFAULT;

  /** Ten buffers, eight of them heap, written and read on their way through two methods. */
  @Benchmark
  @Expected(heap = HEAP_OF_TEN, direct = 2, hops = 40, detector = true)
  public void realisticMixedWorkload(Blackhole hole) {
    for (int i = 0; i < HEAP_OF_TEN; i++) {
      ByteBuf buffer = Unpooled.buffer(SIZE);
      hole.consume(buffer);
      receive(buffer, i);
    }
    receive(pooled.directBuffer(SIZE), HEAP_OF_TEN);
    receive(pooled.directBuffer(SIZE), HEAP_OF_TEN + 1);
  }

  private static void receive(ByteBuf buffer, int value) {
    buffer.writeInt(value);
    consume(buffer);
  }

  private static void consume(ByteBuf buffer) {
    buffer.readInt();
    buffer.release();
  }

  /** Ten heap buffers, one after the other. */
  @Benchmark
  @OperationsPerInvocation(10)
  @Expected(heap = 1, hops = 2)
  public void highFrequencyHeapAllocations(Blackhole hole) {
    for (int i = 0; i < 10; i++) {
      ByteBuf buffer = Unpooled.buffer(SIZE);
      hole.consume(buffer);
      Chain.third(buffer);
    }
  }

  /** A pooled direct buffer, written, handed on, read. */
  @Benchmark
  @Expected(direct = 1, hops = 4, detector = true)
  public void criticalDirectBufferOperations() {
    receive(pooled.directBuffer(SIZE), 1);
  }

  /** The allocator decides where the memory is: outside the heap, with Netty's defaults. */
  @Benchmark
  @Expected(direct = 1, hops = 2, detector = true)
  public void ambiguousBufferAllocations() {
    Chain.third(pooled.buffer(SIZE));
  }

  /** A heap buffer through three methods, which tracking of direct buffers must not slow. */
  @Benchmark
  @Expected(heap = 1, hops = 4)
  public void methodChainOverhead(Blackhole hole) {
    ByteBuf buffer = Unpooled.buffer(SIZE);
    hole.consume(buffer);
    Chain.first(buffer);
  }
}
