package org.buftrail.benchmarks.flow;

import io.netty.buffer.ByteBuf;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The cheapest buffers there are, so that any cost of following them shows most.
 *
 * <p>The black hole keeps the compiler from seeing that a buffer never leaves the method, which no
 * real one does, and from leaving its allocation out.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class UnpooledBenchmark {
  private static final int SIZE = 256;
  private static final int LOOP = 100;

  /** Asked for, released. */
  @Benchmark
  @Expected(heap = 1, hops = 2)
  public void simpleAllocateAndRelease(Blackhole hole) {
    ByteBuf buffer = Unpooled.buffer(SIZE);
    hole.consume(buffer);
    buffer.release();
  }

  /** Released by another method. */
  @Benchmark
  @Expected(heap = 1, hops = 2)
  public void allocatePassToMethodAndRelease(Blackhole hole) {
    ByteBuf buffer = Unpooled.buffer(SIZE);
    hole.consume(buffer);
    Chain.third(buffer);
  }

  /** Released by the third method of a chain. */
  @Benchmark
  @Expected(heap = 1, hops = 4)
  public void allocatePassThroughChainAndRelease(Blackhole hole) {
    ByteBuf buffer = Unpooled.buffer(SIZE);
    hole.consume(buffer);
    Chain.first(buffer);
  }

  /** What one buffer in a loop of a hundred costs. */
  @Benchmark
  @OperationsPerInvocation(LOOP)
  @Expected(heap = 1, hops = 2)
  public void tightLoopAllocateAndRelease(Blackhole hole) {
    for (int i = 0; i < LOOP; i++) {
      ByteBuf buffer = Unpooled.buffer(SIZE);
      hole.consume(buffer);
      buffer.release();
    }
  }

  /** One in 1,024 is forgotten: tenured flows, collection and leak counts are in the price. */
  @Benchmark
  @Threads(1)
  @Expected(heap = 1, hops = 2, leaksOneIn = Leaky.ONE_IN)
  public void allocateAndForgetOneInThousand(Leaky leaky, Blackhole hole) {
    ByteBuf buffer = Unpooled.buffer(SIZE);
    hole.consume(buffer);
    if (leaky.releasesNext()) {
      buffer.release();
    }
  }

  /** Counts operations. */
  @State(Scope.Thread)
  public static class Leaky {
    static final int ONE_IN = 1_024;

    private int operation;

    boolean releasesNext() {
      return ++operation % ONE_IN != 0;
    }
  }
}
