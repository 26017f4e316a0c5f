package org.buftrail.benchmarks.service;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.TimeUnit;
import org.buftrail.benchmarks.Expected;
import org.buftrail.benchmarks.flow.Steps;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A path that branches at each call. The eight methods are empty, so without the agent the calls
 * cost nothing: the nanoseconds added say more than the ratio.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("UnusedVariable") // what a method takes is what the agent sees
public class BranchingBenchmark {
  private static final int SIZE = 64;
  private static final int METHODS = 8;
  private static final int LONGEST = 40;

  private long random = 0x9E3779B97F4A7C15L;

  /** 1 to 40 calls, 20.5 in the mean, of eight methods at random. */
  @Benchmark
  @Expected(heap = 1)
  public void walkOverEight(Blackhole hole) {
    ByteBuf buffer = Unpooled.buffer(SIZE);
    hole.consume(buffer);
    int length = 1 + next(LONGEST);
    for (int i = 0; i < length; i++) {
      switch (next(METHODS)) {
        case 0 -> call0(buffer);
        case 1 -> call1(buffer);
        case 2 -> call2(buffer);
        case 3 -> call3(buffer);
        case 4 -> call4(buffer);
        case 5 -> call5(buffer);
        case 6 -> call6(buffer);
        default -> call7(buffer);
      }
    }
    buffer.release();
  }

  /** 1 to 40 of fifty methods at random, each of which does a little. */
  @Benchmark
  @Expected(heap = 1)
  public void walkOverFifty(Blackhole hole) {
    ByteBuf buffer = Unpooled.buffer(SIZE);
    hole.consume(buffer);
    Steps steps = new Steps(buffer);
    int length = 1 + next(LONGEST);
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

  private static void call0(ByteBuf buffer) {}

  private static void call1(ByteBuf buffer) {}

  private static void call2(ByteBuf buffer) {}

  private static void call3(ByteBuf buffer) {}

  private static void call4(ByteBuf buffer) {}

  private static void call5(ByteBuf buffer) {}

  private static void call6(ByteBuf buffer) {}

  private static void call7(ByteBuf buffer) {}
}
