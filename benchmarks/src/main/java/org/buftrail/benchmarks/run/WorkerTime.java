package org.buftrail.benchmarks.run;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Nanoseconds that the benchmark's own threads were on a processor for each operation.
 *
 * <p>On an idle machine this is the time that JMH takes from the clock. Where other processes want
 * the processors too, the clock shows their work, and this does not.
 */
public final class WorkerTime implements InternalProfiler {
  static final String NAME = "worker.cpu";

  /** In the name of each of the benchmark's threads. */
  static final String WORKER = "jmh-worker";

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private long before;

  @Override
  public String getDescription() {
    return "processor time of the benchmark's threads";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = workersNanos();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    long operations = result.getMetadata().getAllOps();
    long nanos = workersNanos() - before;
    if (operations == 0) {
      return List.of();
    }
    if (nanos == 0) {
      throw new IllegalStateException("no thread of the benchmark is named *" + WORKER + "*");
    }
    double each = (double) nanos / operations;
    return List.of(new ScalarResult(NAME, each, "ns/op", AggregationPolicy.AVG));
  }

  private long workersNanos() {
    long nanos = 0;
    for (long id : threads.getAllThreadIds()) {
      ThreadInfo thread = threads.getThreadInfo(id);
      if (thread != null && thread.getThreadName().contains(WORKER)) {
        nanos += threads.getThreadCpuTime(id);
      }
    }
    return nanos;
  }
}
