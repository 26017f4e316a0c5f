package org.buftrail.benchmarks.run;

import com.sun.management.OperatingSystemMXBean;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs single forks of several benchmarks, all alive at the same time, in {@link Turns}. */
final class SideBySide {
  /** A heap of 1 GB, and what the JVM and direct buffers take beside it. */
  private static final long BYTES_OF_FORK = 1_500_000_000;

  private final CommandLineOptions jmh;
  private final String all;

  /**
   * @param jmh what the user selected, and all options that a fork does not set itself
   * @param all what is selected where the user did not say
   * @throws IllegalArgumentException saying in one line which option is of no use
   */
  SideBySide(CommandLineOptions jmh, String all) {
    if (jmh.getForkCount().orElse(1) < 1) {
      throw new IllegalArgumentException("-f is less than 1: every round is a fork");
    }
    if (jmh.getResult().hasValue() || jmh.getResultFormat().hasValue()) {
      throw new IllegalArgumentException(
          "-rf and -rff are for a run of JMH alone; --output PREFIX leaves the results");
    }
    this.jmh = jmh;
    this.all = all;
  }

  /**
   * One fork.
   *
   * @param benchmark its full name
   * @param label how a message names it
   * @param change adds options; not which benchmark, how many forks, and what is printed
   */
  record Fork(String benchmark, String label, Change change) {}

  /** Adds to the options of a fork. */
  interface Change {
    /** Adds options. */
    void accept(ChainedOptionsBuilder options);
  }

  /** The selected benchmarks, in order of their names. */
  Set<BenchmarkListEntry> selected() {
    List<String> includes = jmh.getIncludes();
    return new TreeSet<>(
        BenchmarkList.defaultList()
            .find(
                OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT),
                includes.isEmpty() ? List.of(all) : includes,
                jmh.getExcludes()));
  }

  /**
   * Runs forks. To be called with {@link MachineLock} held.
   *
   * @return the results of each fork, of which there are several where the benchmark has parameters
   * @throws RunnerException when one fails
   */
  List<Collection<RunResult>> run(List<Fork> forks) throws RunnerException, IOException {
    checkMemory(forks.size());
    ExecutorService executor =
        Executors.newCachedThreadPool(new DefaultThreadFactory("fork", /* daemon= */ true));
    List<Future<Collection<RunResult>>> running = new ArrayList<>();
    try (Turns turns = new Turns()) {
      for (Fork fork : forks) {
        String place = turns.place(running.size());
        running.add(executor.submit(() -> run(fork, place, forks.size())));
      }
      turns.give(running);
      // Before the others are ended, which then fail as well.
      List<Collection<RunResult>> results = new ArrayList<>();
      for (int i = 0; i < forks.size(); i++) {
        if (running.get(i).isDone()) {
          results.add(result(forks.get(i), running.get(i)));
        }
      }
      return results;
    } catch (InterruptedException e) {
      throw new RunnerException(e);
    } finally {
      executor.shutdown();
    }
  }

  private static Collection<RunResult> result(Fork fork, Future<Collection<RunResult>> done)
      throws RunnerException, InterruptedException {
    try {
      return done.get();
    } catch (ExecutionException e) {
      throw new RunnerException(fork.label + ": " + Bench.reason(e));
    }
  }

  private static void checkMemory(int forks) throws RunnerException {
    OperatingSystemMXBean machine =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    if (forks * BYTES_OF_FORK > machine.getTotalMemorySize()) {
      throw new RunnerException(
          String.format(
              "%d JVMs at a time need %.1f GB, and there are %.1f; select fewer (--arms)",
              forks, forks * BYTES_OF_FORK / 1e9, machine.getTotalMemorySize() / 1e9));
    }
  }

  private Collection<RunResult> run(Fork fork, String place, int forks) throws RunnerException {
    ChainedOptionsBuilder options = new OptionsBuilder().parent(jmh);
    // JMH adds the user's expressions to ours; what else they select is taken out again.
    options.include(exactly(fork.benchmark));
    for (BenchmarkListEntry other : selected()) {
      if (!other.getUsername().equals(fork.benchmark)) {
        options.exclude(exactly(other.getUsername()));
      }
    }
    options.forks(1).shouldFailOnError(true).verbosity(VerboseMode.SILENT);
    // First, and so the last to stop: what others do after an iteration is in the turn.
    options.addProfiler(TurnTaker.class, place);
    // JMH counts what it waits for its turn.
    TimeValue limit = jmh.getTimeout().orElse(TimeValue.minutes(10));
    options.timeout(new TimeValue(limit.getTime() * forks, limit.getTimeUnit()));
    fork.change.accept(options);
    return new Runner(options.build()).run();
  }

  private static String exactly(String name) {
    return "^" + Pattern.quote(name) + "$";
  }
}
