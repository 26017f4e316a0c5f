package org.buftrail.benchmarks.run;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
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
 * Nanoseconds that the whole process was on a processor for each operation: the benchmark's
 * threads, the agent's, the collector's and the compiler's.
 *
 * <p>Counted from the end of the iteration before, so that what the agent and the collector do
 * afterwards is in it. Linux counts in steps of 10 ms; what one iteration has too little the next
 * has too much.
 */
public final class ProcessTime implements InternalProfiler {
  static final String NAME = "process.cpu";

  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private long before = -1;

  @Override
  public String getDescription() {
    return "processor time of the process";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    if (before < 0) {
      before = system.getProcessCpuTime();
    }
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    long now = system.getProcessCpuTime();
    long nanos = now - before;
    before = now;
    long operations = result.getMetadata().getAllOps();
    if (operations == 0) {
      return List.of();
    }
    double each = (double) nanos / operations;
    return List.of(new ScalarResult(NAME, each, "ns/op", AggregationPolicy.AVG));
  }
}
