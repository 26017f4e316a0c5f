package org.buftrail.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.buftrail.agent.report.ReportFormat;
import org.buftrail.agent.report.Reports;
import org.buftrail.agent.report.SnapshotFormatException;
import org.buftrail.agent.report.SnapshotJsonReader;
import org.buftrail.flow.Snapshot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

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

  @Parameters(paramLabel = "FLOWS", description = "The snapshot, such as flows.json.")
  private Path input = Path.of("");

  @Mixin private ReportTarget target = new ReportTarget();

  ReportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  private Snapshot read() throws IOException, CommandFailure {
    try {
      return SnapshotJsonReader.read(input);
    } catch (SnapshotFormatException e) {
      String hint = FileKind.hint(input, FileKind.SNAPSHOT);
      if (hint.isEmpty()) {
        throw e;
      }
      throw new CommandFailure(input + ": is no flow snapshot" + hint, e);
    }
  }

  @Override
  public Integer call() throws IOException, CommandFailure {
    ReportFormat as = target.format();
    Snapshot snapshot = read();
    Output.write(target.output(), terminal, out -> as.write(snapshot, out));
    if (!target.isStandard()) {
      terminal.note(
          target.output()
              + ": "
              + snapshot.paths().size()
              + " paths as "
              + as.name().toLowerCase(Locale.ROOT));
    }
    String unsaid = Reports.unsaid(snapshot, as);
    if (unsaid != null) {
      terminal.note(unsaid);
    }
    return Main.DONE;
  }
}
