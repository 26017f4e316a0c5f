package org.buftrail.benchmarks.run;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.profile.JavaFlightRecorderProfiler;
import org.openjdk.jmh.profile.StackProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs every selected benchmark in every arm, one fork of each in turn, so that what disturbs the
 * machine for a minute disturbs all arms alike.
 */
final class Forks {
  static final String BENCHMARKS = "org.buftrail.benchmarks.flow.";

  private static final int ROUNDS = 5;
  private static final int WARM_UPS = 3;
  private static final int ITERATIONS = 5;
  private static final TimeValue ONE_SECOND = TimeValue.seconds(1);

  /**
   * Touched beforehand, because the kernel takes longer to give a page than a buffer on it costs.
   * Young space grows into new pages at the pace of the arm, in the slower one while it is
   * measured.
   */
  private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch");

  private final Request request;
  private final Terminal terminal;

  Forks(Request request, Terminal terminal) {
    this.request = request;
    this.terminal = terminal;
  }

  /** JMH runs benchmarks on it when asked for Netty's kind of thread. */
  public static final class NettyThreads extends ThreadPoolExecutor {
    /** Called by JMH. */
    public NettyThreads(int threads, String prefix) {
      super(
          threads,
          threads,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          new DefaultThreadFactory(prefix + WorkerTime.WORKER, true));
    }
  }

  int rounds() {
    return request.jmh().getForkCount().orElse(ROUNDS);
  }

  private static String exactly(String name) {
    return "^" + Pattern.quote(name) + "$";
  }

  /** Full names of the selected benchmarks, in order of their names. */
  Set<String> selected() {
    Set<String> names = found();
    names.removeIf(name -> !name.startsWith(BENCHMARKS));
    return names;
  }

  private Set<String> found() {
    List<String> includes = request.jmh().getIncludes();
    BenchmarkList list = BenchmarkList.defaultList();
    Set<String> names = new TreeSet<>();
    list.find(
            OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT),
            includes.isEmpty() ? List.of(BENCHMARKS) : includes,
            request.jmh().getExcludes())
        .forEach(entry -> names.add(entry.getUsername()));
    return names;
  }

  /**
   * Runs all.
   *
   * @throws RunnerException when a fork fails, or did not count what its benchmark did
   */
  Comparison run() throws RunnerException {
    Comparison comparison = new Comparison();
    Set<String> names = selected();
    int rounds = rounds();
    for (int round = 1; round <= rounds; round++) {
      for (String name : names) {
        for (Arm arm : arms(name)) {
          terminal.progress(
              String.format(
                  "round %d of %d: %s, %s",
                  round, rounds, Measurement.shortName(name), arm.label()));
          for (RunResult result : fork(name, arm)) {
            String title = Measurement.name(result);
            comparison
                .of(new Comparison.Key(title, arm), () -> new Measurement(arm, title, result))
                .add(result);
          }
        }
      }
    }
    return comparison;
  }

  private List<Arm> arms(String name) {
    boolean detector = Expectations.of(name).detector();
    List<Arm> arms = new ArrayList<>(request.arms());
    arms.removeIf(arm -> arm.isDetector() && !detector);
    return arms;
  }

  private Collection<RunResult> fork(String name, Arm arm) throws RunnerException {
    ChainedOptionsBuilder options = new OptionsBuilder().parent(request.jmh());
    // JMH adds the user's expressions to ours; what else they select is taken out again.
    options.include(exactly(name));
    for (String other : found()) {
      if (!other.equals(name)) {
        options.exclude(exactly(other));
      }
    }
    options.forks(1).shouldFailOnError(true).verbosity(VerboseMode.SILENT);
    options.warmupIterations(request.jmh().getWarmupIterations().orElse(WARM_UPS));
    options.warmupTime(request.jmh().getWarmupTime().orElse(ONE_SECOND));
    options.measurementIterations(request.jmh().getMeasurementIterations().orElse(ITERATIONS));
    options.measurementTime(request.jmh().getMeasurementTime().orElse(ONE_SECOND));
    // The last to start is the first to stop: the snapshot is not in the garbage counted.
    options.addProfiler(Proof.class, arm.name());
    options.addProfiler(WorkerTime.class);
    options.addProfiler(GCProfiler.class);
    if (request.profile()) {
      options.addProfiler(StackProfiler.class);
      options.addProfiler(JavaFlightRecorderProfiler.class, "configName=profile");
    }
    List<String> jvmArgs = new ArrayList<>(HEAP);
    jvmArgs.addAll(arm.jvmArgs(request.agent()));
    if (request.nettyThreads()) {
      jvmArgs.add("-Djmh.executor=CUSTOM");
      jvmArgs.add("-Djmh.executor.class=" + NettyThreads.class.getName());
    }
    options.jvmArgsPrepend(jvmArgs.toArray(new String[0]));
    return new Runner(options.build()).run();
  }
}
