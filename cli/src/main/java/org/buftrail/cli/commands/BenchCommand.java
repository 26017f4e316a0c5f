package org.buftrail.cli.commands;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.WrongUsage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bench}: hands over to the benchmarks' own jar, in a JVM that measures nothing else. */
@Command(
    name = "bench",
    description = {
      "Measures what the agent costs, with and without it in turn, and what the converter does.",
      "Needs the repository. All options: java -jar benchmarks/target/benchmarks.jar --help",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class BenchCommand implements Callable<Integer> {
  private static final String BENCHMARKS = "benchmarks/target/benchmarks.jar";

  /** Directories from dist/target/buftrail.jar up to the repository. */
  private static final int LEVELS = 3;

  /** Those of the runner, which is only built for one of these (dist/launcher/build.sh). */
  private static final Set<String> MODES =
      Set.of(
          "baseline",
          "track-all",
          "track-direct",
          "sampled",
          "quick",
          "compare",
          "services",
          "startup",
          "convert",
          "sql",
          "fleet",
          "table");

  @Parameters(
      paramLabel = "MODE",
      arity = "1..*",
      description = {
        "baseline, track-all, track-direct, sampled, quick, compare, services, startup, convert,"
            + " sql, fleet or table; then regular expressions that select benchmarks, and options"
            + " of the runner and of JMH."
      })
  private List<String> arguments = new ArrayList<>();

  private BenchCommand() {}

  /** The command, which leaves everything after the mode to the runner. */
  public static CommandLine commandLine() {
    return new CommandLine(new BenchCommand()).setStopAtPositional(true);
  }

  @Override
  public Integer call() throws IOException, InterruptedException, CommandFailure {
    if (!MODES.contains(arguments.get(0))) {
      throw new WrongUsage("bench has no mode '" + arguments.get(0) + "'");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-jar", benchmarks().toString()));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).inheritIO().start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    return process.waitFor();
  }

  private static Path benchmarks() throws CommandFailure {
    CodeSource source = BenchCommand.class.getProtectionDomain().getCodeSource();
    try {
      @Nullable Path at = source == null ? null : Path.of(source.getLocation().toURI());
      for (int i = 0; i < LEVELS && at != null; i++) {
        at = at.getParent();
      }
      if (at != null && Files.isRegularFile(at.resolve(BENCHMARKS))) {
        return at.resolve(BENCHMARKS);
      }
    } catch (URISyntaxException e) {
      throw new CommandFailure("the jar's own place cannot be found: " + e.getMessage(), e);
    }
    throw new CommandFailure(
        "there is no " + BENCHMARKS + " beside this jar; run ./buftrail bench in the repository");
  }
}
