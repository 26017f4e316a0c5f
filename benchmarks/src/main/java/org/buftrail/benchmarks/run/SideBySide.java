package org.buftrail.benchmarks.run;

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
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs single forks of several benchmarks, all alive at the same time, in {@link Turns}. */
final class SideBySide {
  private final CommandLineOptions jmh;
  private final String all;

  /**
   * @param jmh what the user selected, and all options that a fork does not set itself
   * @param all what is selected where the user did not say
   */
  SideBySide(CommandLineOptions jmh, String all) {
    this.jmh = jmh;
    this.all = all;
  }

  /**
   * One fork.
   *
   * @param benchmark its full name
   * @param change adds options; not which benchmark, how many forks, and what is printed
   */
  record Fork(String benchmark, Change change) {}

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
    ExecutorService executor =
        Executors.newCachedThreadPool(new DefaultThreadFactory("fork", /* daemon= */ true));
    try (Turns turns = new Turns()) {
      List<Future<Collection<RunResult>>> running = new ArrayList<>();
      for (Fork fork : forks) {
        String place = turns.place(running.size());
        running.add(executor.submit(() -> run(fork, place)));
      }
      turns.give(running);
      List<Collection<RunResult>> results = new ArrayList<>();
      for (Future<Collection<RunResult>> fork : running) {
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

  private Collection<RunResult> run(Fork fork, String place) throws RunnerException {
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
    fork.change.accept(options);
    return new Runner(options.build()).run();
  }

  private static String exactly(String name) {
    return "^" + Pattern.quote(name) + "$";
  }
}
