package org.buftrail.benchmarks.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.profile.JavaFlightRecorderProfiler;
import org.openjdk.jmh.profile.StackProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * {@code bench convert}: the benchmarks of the converter. There is no agent in these and nothing
 * for it to prove; each benchmark compares outputs before it is measured.
 */
final class ConverterRun {
  static final String MODE = "convert";

  private static final String BENCHMARKS = "org.buftrail.benchmarks.convert.";
  private static final String BYTES = "gc.alloc.rate.norm";
  private static final int WARM_UPS = 5;
  private static final int ITERATIONS = 5;

  private ConverterRun() {}

  /**
   * Runs what is selected and prints a table; raw data goes to PREFIX.json in JMH's own form.
   *
   * @throws IllegalArgumentException saying in one line what is wrong with the arguments
   */
  static void run(List<String> arguments, Terminal terminal) throws RunnerException {
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
    Collection<RunResult> results;
    try {
      CommandLineOptions jmh = new CommandLineOptions(rest.toArray(new String[0]));
      results = new Runner(options(jmh, output, profile).build()).run();
    } catch (CommandLineOptionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    terminal.print(table(results).text() + "\n");
  }

  private static ChainedOptionsBuilder options(
      CommandLineOptions jmh, @Nullable String output, boolean profile) {
    ChainedOptionsBuilder options = new OptionsBuilder().parent(jmh);
    if (jmh.getIncludes().isEmpty()) {
      options.include(BENCHMARKS);
    }
    options.exclude("org.buftrail.benchmarks.flow.");
    options.shouldFailOnError(true);
    options.forks(jmh.getForkCount().orElse(1));
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
    if (output != null) {
      options.resultFormat(ResultFormatType.JSON).result(output + ".json");
    }
    return options;
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
