package org.buftrail.benchmarks.run;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.buftrail.benchmarks.fleet.Fleet;
import org.buftrail.benchmarks.fleet.FleetRun;
import org.buftrail.benchmarks.fleet.SqlRun;
import org.openjdk.jmh.runner.RunnerException;

/** {@code java -jar benchmarks.jar MODE ...}: see {@link Request#USAGE}. */
public final class Bench {
  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  private final Terminal terminal;

  private Bench(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Runs and ends the JVM: 0 done, 1 failed, 2 wrong usage. */
  public static void main(String[] args) {
    System.exit(new Bench(new Terminal(System.out, System.err)).run(args));
  }

  private int run(String[] args) {
    if (args.length == 1 && (args[0].equals("--help") || args[0].equals("-h"))) {
      terminal.print(Request.USAGE);
      return DONE;
    }
    try {
      if (args.length > 0 && args[0].equals(ConverterRun.MODE)) {
        ConverterRun.run(List.of(args).subList(1, args.length), terminal);
        return DONE;
      }
      if (args.length > 0 && args[0].equals(SqlRun.MODE)) {
        List<String> options = List.of(args).subList(1, args.length);
        Path launcher = repository().resolve("buftrail");
        terminal.print(new SqlRun(launcher, terminal::progress).run(options));
        return DONE;
      }
      if (args.length > 1 && args[0].equals(Fleet.MODE) && Files.isRegularFile(Path.of(args[1]))) {
        List<String> options = List.of(args).subList(1, args.length);
        Path launcher = repository().resolve("buftrail");
        terminal.print(new FleetRun(launcher, terminal::progress).run(options));
        return DONE;
      }
      if (args.length == 2 && args[0].equals(Fleet.MODE)) {
        int written = Fleet.write(Path.of(args[1]));
        terminal.print(
            written + " recordings in " + args[1] + "; one method of one service got slower\n");
        return DONE;
      }
      if (args.length > 0 && args[0].equals(ServiceTable.MODE)) {
        ServiceTable.print(List.of(args).subList(1, args.length), terminal);
        return DONE;
      }
      Request request = Request.parse(args, defaultAgent());
      for (Path jar : List.of(request.agent(), request.other())) {
        if (!Files.isRegularFile(jar)) {
          terminal.fail("no agent at " + jar + "; build it or name another");
          return FAILED;
        }
      }
      return measure(request, List.of(args)) ? DONE : FAILED;
    } catch (IllegalArgumentException e) {
      terminal.fail(e.getMessage() + "; see --help");
      return WRONG_USAGE;
    } catch (RunnerException | IOException e) {
      terminal.fail(reason(e));
      return FAILED;
    }
  }

  /** JMH hides what a fork died of under two more exceptions. */
  static String reason(Throwable e) {
    Throwable at = e;
    while (at.getCause() != null || at.getSuppressed().length > 0) {
      at = at.getCause() != null ? at.getCause() : at.getSuppressed()[0];
    }
    return at.getMessage() == null ? at.toString() : at.getMessage();
  }

  /** False where the gate is shut. */
  private boolean measure(Request request, List<String> command)
      throws RunnerException, IOException {
    ResultFile file = new ResultFile(command, Instant.now(), request);
    StringBuilder markdown = new StringBuilder();
    List<String> failures = List.of();
    if (request.mode() == Request.Mode.STARTUP) {
      List<Startup.Result> results = Startup.run(request, request.jmh().getJvm().orElse(null));
      file.add(results);
      show(Startup.table(results), markdown);
    } else {
      Forks forks = new Forks(request, terminal);
      if (forks.selected().isEmpty()) {
        throw new IllegalArgumentException(
            "no benchmark matches " + String.join(" ", request.jmh().getIncludes()));
      }
      Comparison comparison = forks.run();
      file.add(comparison);
      show(comparison.ratios(), markdown);
      show(comparison.floors(), markdown);
      failures = request.gate() ? Gate.failures(comparison) : failures;
    }
    if (request.output() != null) {
      file.write(Path.of(request.output() + ".json"));
      Files.writeString(Path.of(request.output() + ".md"), markdown);
      terminal.progress("results in " + request.output() + ".json and .md");
    }
    failures.forEach(terminal::fail);
    return failures.isEmpty();
  }

  private void show(Table table, StringBuilder markdown) {
    if (!table.isEmpty()) {
      terminal.print(table.text() + "\n");
      markdown.append(table.markdown()).append('\n');
    }
  }

  /** {@code dist/target/buftrail.jar} in the build that this jar is of. */
  private static Path defaultAgent() {
    return repository().resolve("dist/target/buftrail.jar");
  }

  private static Path repository() {
    try {
      Path jar =
          Path.of(Bench.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .toAbsolutePath();
      return jar.resolve("../../..").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
