package org.buftrail.benchmarks.run;

import static java.util.stream.Collectors.joining;

import io.netty.util.ResourceLeakDetector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.buftrail.benchmarks.Aside;
import org.buftrail.benchmarks.Expected;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;

/**
 * Fails a fork whose agent did not count exactly what the benchmark did.
 *
 * <p>JMH counts operations, {@link Expected} says what each of them does, the agent's snapshot says
 * what it saw. Nothing of this runs while time is taken. Without the agent, its classes must be
 * absent, and Netty's detector must be at the level of the arm.
 */
public final class Proof implements InternalProfiler {
  private static final String FLOWS = "flows";
  private static final String HOPS = "hops";
  private static final String LEAKS = "leaks";
  private static final String OVERFLOWED = "overflowed";

  /** Names of the results that are neither a score nor of another profiler. */
  static final Set<String> COUNTED = Set.of(FLOWS, HOPS, LEAKS, OVERFLOWED, "worstPauseMicros");

  private static final int ATTEMPTS = 60;
  private static final long PAUSE_MILLIS = 100;

  private final Arm arm;
  private @Nullable Counts before;
  private long operations;
  private int measured;

  /** Called by JMH with the name of the arm. */
  public Proof(String arm) {
    this.arm = Arm.valueOf(arm);
  }

  @Override
  public String getDescription() {
    return "compares what the agent counted with what the benchmark did";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    if (before != null || operations > 0) {
      return;
    }
    checkArm();
    if (arm.hasAgent()) {
      before = Counts.now();
    }
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    operations += result.getMetadata().getAllOps();
    if (iteration.getType() != IterationType.MEASUREMENT
        || ++measured < iteration.getCount()
        || before == null) {
      return List.of();
    }
    Counts counted =
        prove(before, Expectations.of(benchmark.getBenchmark()), benchmark.getThreads());
    return List.of(
        count(FLOWS, counted.allocated()),
        count(HOPS, counted.hops()),
        count(LEAKS, counted.leaked()),
        count(OVERFLOWED, counted.overflowed()));
  }

  private static ScalarResult count(String name, long value) {
    return new ScalarResult(name, value, "#", AggregationPolicy.SUM);
  }

  private void checkArm() {
    boolean present = AnyAgent.isPresent();
    if (present != arm.hasAgent()) {
      throw new IllegalStateException(
          "arm " + arm.label() + ": the agent is " + (present ? "there" : "missing"));
    }
    String level = ResourceLeakDetector.getLevel().name().toLowerCase(Locale.ROOT);
    if (!level.equals(arm.detectorLevel())) {
      throw new IllegalStateException("arm " + arm.label() + ": Netty's detector is at " + level);
    }
  }

  private Counts prove(Counts before, Expected expected, int threads) {
    List<String> wrong = new ArrayList<>();
    Counts counted = before;
    for (int i = 0; i < ATTEMPTS; i++) {
      // A server may release a moment after its client has read, a collector clears references
      // when it likes.
      counted = Counts.now().since(before);
      wrong = mismatches(counted, expected, threads);
      if (wrong.isEmpty()) {
        return counted;
      }
      if (expected.leaksOneIn() > 0) {
        System.gc();
      }
      pause();
    }
    throw new IllegalStateException(
        "arm "
            + arm.label()
            + ": the agent did not count what "
            + operations
            + " operations did: "
            + String.join(", ", wrong)
            + "; "
            + counted
            + livePaths());
  }

  private static String livePaths() {
    return AnyAgent.list(AnyAgent.snapshot(), "paths").stream()
        .filter(path -> AnyAgent.flows(path, "live") > 0)
        .map(path -> "\n  " + AnyAgent.flows(path, "live") + " live: " + hops(path))
        .collect(joining());
  }

  private static String hops(Object path) {
    return AnyAgent.list(path, "hops").stream()
        .map(hop -> (String) AnyAgent.ask(AnyAgent.ask(hop, "site"), "hop"))
        .collect(joining(" > "));
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<String> mismatches(Counts counted, Expected expected, int threads) {
    List<String> wrong = new ArrayList<>();
    int each = expected.direct() + (arm.isDirectOnly() ? 0 : expected.heap());
    long buffers = arm.isFollowing() ? operations * each : 0;
    long inexact = arm.sampling() == 1 ? 0 : (long) arm.sampling() * (threads + 1);
    if (expected.heap() != Expected.ANY) {
      compare(
          "flows",
          counted.allocated(),
          buffers + (arm.isFollowing() ? Aside.buffers() : 0),
          (arm.isFollowing() ? expected.aside() : 0) + inexact,
          wrong);
    }
    long leaks = expected.leaksOneIn() == 0 ? 0 : buffers / expected.leaksOneIn();
    if (arm.sampling() == 1) {
      compare("leaks", counted.leaked(), leaks, 0, wrong);
    }
    compare("ended", counted.released() + counted.leaked(), counted.allocated(), 0, wrong);
    compare("live", counted.live(), 0, 0, wrong);
    compare("errors", counted.errors(), 0, 0, wrong);
    boolean whole = arm == Arm.ALL || (arm == Arm.DIRECT && expected.heap() == 0);
    if (whole && expected.hops() != Expected.ANY) {
      compare("hops", counted.hops(), operations * expected.hops() - leaks, 0, wrong);
    }
    return wrong;
  }

  private static void compare(
      String what, long counted, long expected, long tolerance, List<String> wrong) {
    if (Math.abs(counted - expected) > tolerance) {
      wrong.add(what + " " + counted + " instead of " + expected);
    }
  }
}
