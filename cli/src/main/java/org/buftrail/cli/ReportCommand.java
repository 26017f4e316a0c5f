package org.buftrail.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.buftrail.agent.report.ReportFormat;
import org.buftrail.agent.report.SnapshotJsonReader;
import org.buftrail.flow.Snapshot;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code report}: a flow snapshot in another form. */
@Command(
    name = "report",
    description = {
      "Shows a flow snapshot that the agent wrote, or turns it into another form.",
      "Without -o, prints the text report.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ReportCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "FLOWS", description = "The snapshot, such as flows.json.")
  private Path input = Path.of("");

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

  ReportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, CommandFailure {
    ReportFormat as = format();
    Snapshot snapshot = SnapshotJsonReader.read(input);
    Output.write(output, terminal, out -> as.write(snapshot, out));
    if (!output.equals(Output.STANDARD)) {
      terminal.note(
          output
              + ": "
              + snapshot.paths().size()
              + " paths as "
              + as.name().toLowerCase(Locale.ROOT));
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
