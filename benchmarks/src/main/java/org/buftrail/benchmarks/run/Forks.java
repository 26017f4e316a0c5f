package org.buftrail.benchmarks.run;

import static java.util.stream.Collectors.joining;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
 * Runs every selected benchmark in every arm, with one fork of each alive at the same time. These
 * take {@link Turns} by the iteration, so that what disturbs the machine disturbs all arms alike.
 */
final class Forks {
  static final String BENCHMARKS = "org.buftrail.benchmarks.flow.";

  private static final int ROUNDS = 5;
  private static final int WARM_UPS = 3;
  private static final int ITERATIONS = 25;
  private static final TimeValue WARM_UP = TimeValue.seconds(1);
  private static final TimeValue ITERATION = TimeValue.milliseconds(200);

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
  Comparison run() throws RunnerException, IOException {
    MachineLock lock = new MachineLock();
    try {
      return runAlone();
    } finally {
      lock.close();
    }
  }

  private Comparison runAlone() throws RunnerException, IOException {
    Comparison comparison = new Comparison();
    Set<String> names = selected();
    int rounds = rounds();
    for (int round = 1; round <= rounds; round++) {
      for (String name : names) {
        List<Arm> arms = arms(name);
        String labels = arms.stream().map(Arm::label).collect(joining(", "));
        terminal.progress(
            String.format(
                "round %d of %d: %s, %s", round, rounds, Measurement.shortName(name), labels));
        List<Collection<RunResult>> results = forks(name, arms);
        for (int i = 0; i < arms.size(); i++) {
          Arm arm = arms.get(i);
          for (RunResult result : results.get(i)) {
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

  /** One fork in each arm, in turns. */
  private List<Collection<RunResult>> forks(String name, List<Arm> arms)
      throws RunnerException, IOException {
    ExecutorService executor =
        Executors.newCachedThreadPool(new DefaultThreadFactory("arm", /* daemon= */ true));
    try (Turns turns = new Turns()) {
      List<Future<Collection<RunResult>>> forks = new ArrayList<>();
      for (Arm arm : arms) {
        String place = turns.place(forks.size());
        forks.add(executor.submit(() -> fork(name, arm, place)));
      }
      turns.give(forks);
      List<Collection<RunResult>> results = new ArrayList<>();
      for (Future<Collection<RunResult>> fork : forks) {
        results.add(fork.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new RunnerException(e.getCause());
    } catch (InterruptedException e) {
      throw new RunnerException(e);
    } finally {
      executor.shutdown();
    }
  }

  private List<Arm> arms(String name) {
    boolean detector = Expectations.of(name).detector();
    List<Arm> arms = new ArrayList<>(request.arms());
    arms.removeIf(arm -> arm.isDetector() && !detector);
    return arms;
  }

  private Collection<RunResult> fork(String name, Arm arm, String place) throws RunnerException {
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
    options.warmupTime(request.jmh().getWarmupTime().orElse(WARM_UP));
    options.measurementIterations(request.jmh().getMeasurementIterations().orElse(ITERATIONS));
    options.measurementTime(request.jmh().getMeasurementTime().orElse(ITERATION));
    // The last to start is the first to stop: the snapshot is not in the garbage counted.
    options.addProfiler(TurnTaker.class, place);
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
