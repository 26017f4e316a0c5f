package org.buftrail.cli;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.buftrail.agent.report.ReportFormat;
import org.buftrail.cli.live.RunningAgent;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dump}: a snapshot of a running JVM. */
@Command(
    name = "dump",
    description = {
      "Takes a snapshot of the flows in a running JVM that was started with the agent.",
      "Without -o, prints the text report.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class DumpCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "PID", description = "The process.")
  private long pid;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description = "Where to write; - for standard output. The ending says the format.")
  private String output = Output.STANDARD;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "Write this format, whatever the ending: ${COMPLETION-CANDIDATES}.")
  private @Nullable ReportFormat format;

  DumpCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, CommandFailure {
    ReportFormat as = format();
    byte[] bytes;
    try (RunningAgent agent = RunningAgent.attach(pid)) {
      bytes = agent.render(as.extension());
    }
    Output.write(output, terminal, out -> out.write(bytes));
    if (!output.equals(Output.STANDARD)) {
      terminal.note(output + ": flows of process " + pid);
    }
    return Main.DONE;
  }

  private ReportFormat format() {
    if (format != null) {
      return format;
    }
    if (output.equals(Output.STANDARD)) {
      return ReportFormat.TEXT;
    }
    return ReportFormat.ofFile(output)
        .orElseThrow(
            () ->
                new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "the format of "
                        + output
                        + " is not known; end its name in one of "
                        + ReportFormat.extensions()
                        + " or give --format"));
  }
}
