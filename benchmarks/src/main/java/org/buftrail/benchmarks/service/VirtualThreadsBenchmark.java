package org.buftrail.benchmarks.service;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
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

/**
 * Buffers of ten thousand virtual threads, each of which lets others run now and then.
 *
 * <p>The black hole keeps the compiler from seeing that a buffer never leaves the method, which no
 * real one does, and from leaving its allocation out.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class VirtualThreadsBenchmark {
  private static final int THREADS = 10_000;
  private static final int BUFFERS = 200;
  private static final int YIELD_EVERY = 32;
  private static final int SIZE = 256;

  private final MethodHandle start = start();

  /** Java 17 compiles this, and has none. */
  private static MethodHandle start() {
    try {
      return MethodHandles.lookup()
          .findStatic(
              Thread.class,
              "startVirtualThread",
              MethodType.methodType(Thread.class, Runnable.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("virtual threads need Java 21 or later", e);
    }
  }

  @Benchmark
  @OperationsPerInvocation(THREADS * BUFFERS)
  @Expected(heap = 1, hops = 2, since = 21)
  public void virtualThreads(Blackhole hole) throws Throwable {
    List<Thread> threads = new ArrayList<>(THREADS);
    for (int i = 0; i < THREADS; i++) {
      Runnable work = () -> work(hole);
      threads.add((Thread) start.invokeExact(work));
    }
    for (Thread each : threads) {
      each.join();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // so that threads share their carriers
  private static void work(Blackhole hole) {
    for (int i = 0; i < BUFFERS; i++) {
      ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.heapBuffer(SIZE);
      hole.consume(buffer);
      if (i % YIELD_EVERY == 0) {
        Thread.yield();
      }
      buffer.release();
    }
  }
}
