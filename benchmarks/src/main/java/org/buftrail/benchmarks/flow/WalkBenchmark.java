package org.buftrail.benchmarks.flow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.TimeUnit;
import org.buftrail.benchmarks.Expected;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** Paths that branch: what the trie costs when it grows, is full, or is warm. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WalkBenchmark {
  private static final int SIZE = 64;
  private static final int SHORTEST = 5;
  private static final int LONGEST = 50;
  private static final int DEPTH = 8;

  private long random = 0x9E3779B97F4A7C15L;
  private long journey;

  /** 5 to 50 of fifty methods, at random. A few seconds of it fill the trie to its bound. */
  @Benchmark
  @Expected(heap = 1)
  public void randomWalk(Blackhole hole) {
    ByteBuf buffer = Unpooled.buffer(SIZE);
    hole.consume(buffer);
    Steps steps = new Steps(buffer);
    int length = SHORTEST + next(LONGEST - SHORTEST + 1);
    for (int i = 0; i < length; i++) {
      steps.take(next(Steps.COUNT));
    }
    buffer.release();
  }

  private int next(int bound) {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return (int) (((random >>> 33) * bound) >>> 31);
  }

  /** Eight hops on a path that no buffer took before: every operation makes nodes, to the bound. */
  @Benchmark
  @Expected(heap = 1)
  public void newPathEachTime(Blackhole hole) {
    ByteBuf buffer = Unpooled.buffer(SIZE);
    hole.consume(buffer);
    Steps steps = new Steps(buffer);
    long rest = journey++;
    for (int i = 0; i < DEPTH; i++) {
      steps.take((int) (rest % Steps.COUNT));
      rest /= Steps.COUNT;
    }
    buffer.release();
  }

  /**
   * Twenty hops, always the same ones, and those of asking, of an object that takes the buffer in,
   * and of the release.
   */
  @Benchmark
  @Expected(heap = 1, hops = 23)
  public void twentyWarmHops(Blackhole hole) {
    ByteBuf buffer = Unpooled.buffer(SIZE);
    hole.consume(buffer);
    Steps steps = new Steps(buffer);
    for (int i = 0; i < 20; i++) {
      steps.take(i);
    }
    buffer.release();
  }
}
