package org.buftrail.benchmarks.flow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.buftrail.benchmarks.Expected;
import org.buftrail.benchmarks.run.AnyAgent;
import org.openjdk.jmh.annotations.AuxCounters;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * How long a snapshot takes, and how long an application thread stands still meanwhile.
 *
 * <p>Without the agent the same thread is watched for as long as a snapshot might take: what it
 * stands still there is the machine's and the collector's doing.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class SnapshotBenchmark {
  private static final int SIZE = 64;
  private static final int DEPTH = 4;
  private static final long WITHOUT_AGENT_MILLIS = 100;

  /** Buffers held. */
  @Param({"1000", "10000", "100000", "1000000"})
  private int live;

  /** Different paths that buffers took. */
  @Param({"1000", "50000"})
  private int paths;

  private final List<ByteBuf> held = new ArrayList<>();
  private boolean hasAgent;

  @Setup
  public void fill() {
    hasAgent = AnyAgent.isPresent();
    for (int i = 0; i < Math.max(live, paths); i++) {
      ByteBuf buffer = Unpooled.buffer(SIZE);
      walk(buffer, i % paths);
      if (i < live) {
        held.add(buffer);
      } else {
        buffer.release();
      }
    }
  }

  private static void walk(ByteBuf buffer, int path) {
    Steps steps = new Steps(buffer);
    int rest = path;
    for (int i = 0; i < DEPTH; i++) {
      steps.take(rest % Steps.COUNT);
      rest /= Steps.COUNT;
    }
  }

  @TearDown
  public void empty() {
    held.forEach(ByteBuf::release);
    held.clear();
  }

  /** Watches a thread that allocates and releases all the time. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Pause {
    /** The longest that one buffer took. */
    public long worstPauseMicros;

    private volatile boolean done;
    private long worstNanos;
    private Thread thread = new Thread();

    @Setup(Level.Invocation)
    public void start() throws InterruptedException {
      done = false;
      worstNanos = 0;
      thread = new Thread(this::run, "application");
      thread.start();
      Thread.sleep(WITHOUT_AGENT_MILLIS);
      worstNanos = 0;
    }

    private void run() {
      long last = System.nanoTime();
      while (!done) {
        Chain.third(Unpooled.buffer(SIZE));
        long now = System.nanoTime();
        worstNanos = Math.max(worstNanos, now - last);
        last = now;
      }
    }

    @TearDown(Level.Invocation)
    public void stop() throws InterruptedException {
      done = true;
      thread.join();
      worstPauseMicros = worstNanos / 1_000;
    }
  }

  @Benchmark
  @Expected(heap = Expected.ANY)
  public void snapshot(Pause pause, Blackhole hole) throws InterruptedException {
    if (hasAgent) {
      hole.consume(AnyAgent.snapshot());
    } else {
      Thread.sleep(WITHOUT_AGENT_MILLIS);
    }
  }
}
