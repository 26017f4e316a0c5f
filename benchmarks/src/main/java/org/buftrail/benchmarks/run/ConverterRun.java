package org.buftrail.benchmarks.run;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.profile.JavaFlightRecorderProfiler;
import org.openjdk.jmh.profile.StackProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * {@code bench convert}: the benchmarks of the converter. There is no agent in these and nothing
 * for it to prove; each benchmark compares outputs before it is measured.
 */
final class ConverterRun {
  static final String MODE = "convert";

  private static final String BENCHMARKS = "org.buftrail.benchmarks.convert.";
  private static final String PEER = ".jfrConverter";
  private static final String BYTES = "gc.alloc.rate.norm";
  private static final int WARM_UPS = 5;
  private static final int ITERATIONS = 5;

  private final CommandLineOptions jmh;
  private final boolean profile;
  private final Terminal terminal;
  private final SideBySide sideBySide;

  private ConverterRun(CommandLineOptions jmh, boolean profile, Terminal terminal) {
    this.jmh = jmh;
    this.profile = profile;
    this.terminal = terminal;
    this.sideBySide = new SideBySide(jmh, BENCHMARKS);
  }

  /**
   * Runs what is selected and prints a table; raw data goes to PREFIX.json in JMH's own form.
   *
   * @throws IllegalArgumentException saying in one line what is wrong with the arguments
   */
  static void run(List<String> arguments, Terminal terminal) throws RunnerException, IOException {
    List<String> rest = new ArrayList<>();
    String output = null;
    boolean profile = false;
    for (Iterator<String> i = arguments.iterator(); i.hasNext(); ) {
      String argument = i.next();
      if (argument.equals("--profile")) {
        profile = true;
      } else if (argument.equals("--output") && i.hasNext()) {
        output = i.next();
      } else {
        rest.add(argument);
      }
    }
    CommandLineOptions jmh;
    try {
      jmh = new CommandLineOptions(rest.toArray(new String[0]));
    } catch (CommandLineOptionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    Collection<RunResult> results = new ConverterRun(jmh, profile, terminal).run();
    terminal.print(table(results).text() + "\n");
    if (output != null) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, output + ".json").writeOut(results);
    }
  }

  /** Round by round, each group side by side. */
  private Collection<RunResult> run() throws RunnerException, IOException {
    List<List<String>> groups = groups();
    if (groups.isEmpty()) {
      throw new IllegalArgumentException(
          "no benchmark matches " + String.join(" ", jmh.getIncludes()));
    }
    Map<String, RunResult> merged = new LinkedHashMap<>();
    MachineLock lock = new MachineLock();
    try {
      int rounds = jmh.getForkCount().orElse(1);
      for (List<String> names : groups) {
        for (int round = 1; round <= rounds; round++) {
          terminal.progress(
              String.format(
                  "round %d of %d: %s",
                  round,
                  rounds,
                  names.stream().map(Measurement::shortName).collect(joining(", "))));
          List<SideBySide.Fork> forks = new ArrayList<>();
          for (String name : names) {
            forks.add(new SideBySide.Fork(name, Measurement.shortName(name), this::addOptions));
          }
          Collections.rotate(forks, round - 1);
          sideBySide
              .run(forks)
              .forEach(results -> results.forEach(result -> merge(merged, result)));
        }
      }
    } finally {
      lock.close();
    }
    return merged.values();
  }

  /** What is measured side by side: what has the parameters of another converter's benchmark. */
  private List<List<String>> groups() {
    Map<Set<String>, List<String>> byParameters = new LinkedHashMap<>();
    for (BenchmarkListEntry entry : sideBySide.selected()) {
      if (entry.getUsername().startsWith(BENCHMARKS)) {
        Set<String> parameters = entry.getParams().orElse(Map.of()).keySet();
        byParameters.computeIfAbsent(parameters, p -> new ArrayList<>()).add(entry.getUsername());
      }
    }
    List<List<String>> groups = new ArrayList<>();
    for (List<String> names : byParameters.values()) {
      if (names.stream().anyMatch(name -> name.contains(PEER))) {
        groups.add(names);
      } else {
        names.forEach(name -> groups.add(List.of(name)));
      }
    }
    return groups;
  }

  private static void merge(Map<String, RunResult> merged, RunResult result) {
    merged.merge(
        result.getParams().id(),
        result,
        (before, more) -> {
          List<BenchmarkResult> all = new ArrayList<>(before.getBenchmarkResults());
          all.addAll(more.getBenchmarkResults());
          return new RunResult(before.getParams(), all);
        });
  }

  private void addOptions(ChainedOptionsBuilder options) {
    options.warmupIterations(jmh.getWarmupIterations().orElse(WARM_UPS));
    options.warmupTime(jmh.getWarmupTime().orElse(TimeValue.seconds(1)));
    options.measurementIterations(jmh.getMeasurementIterations().orElse(ITERATIONS));
    options.measurementTime(jmh.getMeasurementTime().orElse(TimeValue.seconds(1)));
    options.addProfiler(GCProfiler.class);
    options.jvmArgsPrepend("-Xms1g", "-Xmx1g");
    if (profile) {
      options.addProfiler(StackProfiler.class);
      options.addProfiler(JavaFlightRecorderProfiler.class, "configName=profile");
    }
  }

  /** Medians of all iterations, a row for each set of parameters and benchmark. */
  private static Table table(Collection<RunResult> results) {
    Table table = new Table(List.of("benchmark", "parameters", "median", "", "MB allocated"));
    for (RunResult result : results) {
      TreeMap<String, String> parameters = new TreeMap<>();
      for (String key : result.getParams().getParamsKeys()) {
        String value = result.getParams().getParam(key);
        parameters.put(key, String.valueOf(Path.of(value).getFileName()));
      }
      Result<?> bytes = result.getSecondaryResults().get(BYTES);
      table.add(
          List.of(
              Measurement.shortName(result.getParams().getBenchmark()),
              parameters.toString(),
              String.format(
                  Locale.ROOT, "%.3f", result.getPrimaryResult().getStatistics().getPercentile(50)),
              result.getPrimaryResult().getScoreUnit(),
              bytes == null ? "" : String.format(Locale.ROOT, "%.2f", bytes.getScore() / 1e6)));
    }
    return table;
  }
}
