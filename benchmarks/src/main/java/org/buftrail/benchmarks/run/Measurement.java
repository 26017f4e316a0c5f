package org.buftrail.benchmarks.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;

/** What the forks of one benchmark in one arm gave. Confined to the runner's thread. */
final class Measurement {
  private static final String BYTES = "gc.alloc.rate.norm";
  private static final String PAUSE = "worstPauseMicros";
  private static final double TAIL_PERCENT = 99;

  final String benchmark;
  final Arm arm;
  final String unit;
  final int threads;

  /** Whether an operation waits for other threads. */
  final boolean waits;

  final String jdk;

  /** One for each fork. */
  final List<Round> rounds = new ArrayList<>();

  /**
   * One fork.
   *
   * @param scores one for each measured iteration, in {@link Measurement#unit}
   * @param cpu nanoseconds on a processor for each operation, one for each measured iteration
   * @param process the same of the whole process; empty where not measured
   * @param bytes allocated for each operation
   * @param tail the 99th percentile, or NaN where single operations were not timed
   * @param pauses the longest that an application thread stood still, in microseconds, one for each
   *     measured iteration; empty where none was watched
   * @param counted what the agent counted, by name
   */
  record Round(
      List<Double> scores,
      List<Double> cpu,
      List<Double> process,
      double bytes,
      double tail,
      List<Double> pauses,
      Map<String, Double> counted) {
    /**
     * Processor time of the process where it was measured, else that of the threads if they worked
     * all the time, else time by the clock.
     */
    private List<Double> costs(boolean waits) {
      if (waits) {
        return scores;
      }
      if (!process.isEmpty()) {
        return process;
      }
      return cpu.isEmpty() ? scores : cpu;
    }

    /** What iterations of one number give: they are of one cycle. */
    private List<Double> paired(Round other, boolean waits, DoubleBinaryOperator operator) {
      List<Double> mine = costs(waits);
      List<Double> others = other.costs(waits);
      List<Double> results = new ArrayList<>();
      for (int i = 0; i < Math.min(mine.size(), others.size()); i++) {
        results.add(operator.applyAsDouble(mine.get(i), others.get(i)));
      }
      return results;
    }
  }

  Measurement(Arm arm, String name, RunResult result) {
    this(
        arm,
        name,
        result.getPrimaryResult().getScoreUnit(),
        result.getParams().getThreads(),
        result.getParams().getMode() != Mode.AverageTime,
        result.getParams().getVmName() + " " + result.getParams().getVmVersion());
  }

  Measurement(Arm arm, String name, String unit, int threads, boolean waits, String jdk) {
    this.benchmark = name;
    this.arm = arm;
    this.unit = unit;
    this.threads = threads;
    this.waits = waits;
    this.jdk = jdk;
  }

  /** The benchmark's method, and its parameters where it has any. */
  static String name(RunResult result) {
    StringBuilder name = new StringBuilder(shortName(result.getParams().getBenchmark()));
    for (String key : result.getParams().getParamsKeys()) {
      name.append(' ').append(key).append('=').append(result.getParams().getParam(key));
    }
    return name.toString();
  }

  static String shortName(String benchmark) {
    return benchmark.substring(benchmark.lastIndexOf('.') + 1);
  }

  void add(RunResult result) {
    List<Double> scores = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    List<Double> process = new ArrayList<>();
    List<Double> pauses = new ArrayList<>();
    double tail = Double.NaN;
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        scores.add(iteration.getPrimaryResult().getScore());
        iteration
            .getSecondaryResults()
            .forEach(
                (name, other) -> {
                  if (name.equals(WorkerTime.NAME)) {
                    cpu.add(other.getScore());
                  } else if (name.equals(ProcessTime.NAME)) {
                    process.add(other.getScore());
                  } else if (name.equals(PAUSE)) {
                    pauses.add(other.getScore());
                  }
                });
      }
      if (result.getParams().getMode() == Mode.SampleTime) {
        tail = fork.getPrimaryResult().getStatistics().getPercentile(TAIL_PERCENT);
      }
    }
    Map<String, Double> others = new LinkedHashMap<>();
    result.getSecondaryResults().forEach((name, other) -> others.put(name, other.getScore()));
    double bytes = others.getOrDefault(BYTES, Double.NaN);
    others.keySet().retainAll(Proof.COUNTED);
    rounds.add(new Round(scores, cpu, process, bytes, tail, pauses, others));
  }

  /** Over all iterations of all forks. */
  Spread scores() {
    return Spread.of(rounds.stream().flatMap(r -> r.scores().stream()).toList());
  }

  /** Over all iterations of all forks. */
  Spread cpu() {
    return Spread.of(rounds.stream().flatMap(r -> r.cpu().stream()).toList());
  }

  /** What ratios are made of: see {@link Round#costs}. */
  Spread cost() {
    return Spread.of(rounds.stream().flatMap(r -> r.costs(waits).stream()).toList());
  }

  Spread bytes() {
    return Spread.of(rounds.stream().map(Round::bytes).toList());
  }

  Spread tail() {
    return Spread.of(rounds.stream().map(Round::tail).toList());
  }

  /** Microseconds that an application thread stood still at the longest, by iteration. */
  Spread pauses() {
    return Spread.of(rounds.stream().flatMap(r -> r.pauses().stream()).toList());
  }

  /** Whether cost is that of the whole process; ratios are then of cycles, not of rounds. */
  boolean isOfProcess() {
    return !waits && rounds.stream().anyMatch(r -> !r.process().isEmpty());
  }

  /** Processor time of the whole process, over all iterations of all forks. */
  Spread process() {
    return Spread.of(rounds.stream().flatMap(r -> r.process().stream()).toList());
  }

  /** This measurement over another, round by round. */
  Spread ratioTo(Measurement other) {
    return paired(other, waits, (mine, others) -> mine / others);
  }

  Spread clockRatioTo(Measurement other) {
    return paired(other, true, (mine, others) -> mine / others);
  }

  /** What this costs more than another, round by round. */
  Spread moreThan(Measurement other) {
    return paired(other, waits, (mine, others) -> mine - others);
  }

  private Spread paired(Measurement other, boolean clock, DoubleBinaryOperator operator) {
    List<Double> results = new ArrayList<>();
    for (int i = 0; i < Math.min(rounds.size(), other.rounds.size()); i++) {
      List<Double> cycles = rounds.get(i).paired(other.rounds.get(i), clock, operator);
      if (isOfProcess()) {
        results.addAll(cycles);
      } else {
        results.add(Spread.of(cycles).median());
      }
    }
    return Spread.of(results);
  }

  Spread tailRatioTo(Measurement other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(rounds.size(), other.rounds.size()); i++) {
      ratios.add(rounds.get(i).tail() / other.rounds.get(i).tail());
    }
    return Spread.of(ratios);
  }
}
