package org.buftrail.benchmarks.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs each benchmark of {@code compare} for a moment, within a JVM that has the agent. */
public final class EachBenchmark {
  /** What it measures is the snapshot: it expects nothing. */
  private static final String SNAPSHOTS = Forks.BENCHMARKS + "SnapshotBenchmark";

  private EachBenchmark() {}

  /** Writes a line for each benchmark to a file: whether it was proved. */
  public static void main(String[] args) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String name : names()) {
      lines.add((isProved(name) ? "proved " : "not proved ") + name);
    }
    Files.write(Path.of(args[0]), lines);
  }

  private static Set<String> names() {
    OutputFormat silent = OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT);
    Set<String> names = new TreeSet<>();
    for (BenchmarkListEntry entry : BenchmarkList.defaultList().getAll(silent, List.of())) {
      String name = entry.getUsername();
      if (name.startsWith(Forks.BENCHMARKS) && !name.startsWith(SNAPSHOTS)) {
        names.add(name);
      }
    }
    return names;
  }

  /** JMH prints what {@link Proof} says. */
  private static boolean isProved(String name) {
    try {
      new Runner(
              new OptionsBuilder()
                  .include("^" + name.replace(".", "\\.") + "$")
                  .forks(0)
                  .warmupIterations(0)
                  .measurementIterations(1)
                  .measurementTime(TimeValue.milliseconds(20))
                  .addProfiler(Proof.class, Arm.ALL.name())
                  .shouldFailOnError(true)
                  .build())
          .run();
      return true;
    } catch (RunnerException e) {
      return false;
    }
  }
}
