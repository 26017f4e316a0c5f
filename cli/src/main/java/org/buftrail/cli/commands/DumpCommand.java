package org.buftrail.cli.commands;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.buftrail.cli.live.RunningAgent;
import org.buftrail.cli.memory.MemoryReport;
import org.buftrail.cli.options.CommandOption;
import org.buftrail.cli.options.OptionTable;
import org.buftrail.cli.options.RangeOptions;
import org.buftrail.cli.options.ReportTarget;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Output;
import org.buftrail.console.output.Terminal;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.report.FlowReports;
import org.buftrail.report.SnapshotJsonReader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
public final class DumpCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ChosenJvm jvm = new ChosenJvm();

  @Option(
      names = "--gc",
      description =
          "Ask the JVM to collect first, and say what that proved: live flows that nothing refers"
              + " to become leaks. The application stands still meanwhile.")
  private boolean collect;

  @Option(
      names = "--memory",
      description = "Add who shares the resident set of the process, as memory PID says (Linux).")
  private boolean memory;

  private final RangeOptions range = new RangeOptions();
  private final ReportTarget target = new ReportTarget();

  private DumpCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The command with its options. */
  public static CommandLine commandLine(Terminal terminal) {
    DumpCommand command = new DumpCommand(terminal);
    List<CommandOption> options = new ArrayList<>(command.range.options());
    options.addAll(command.target.options());
    return OptionTable.commandLine(command, options);
  }

  @Override
  public Integer call() throws IOException, CommandFailure {
    ProfileFormat as = target.format();
    range.check(as);
    long pid = jvm.pid("dump", terminal);
    RunningAgent agent = new RunningAgent(pid);
    if (collect) {
      terminal.note("process " + pid + ": " + agent.collect());
    }
    boolean isRead = range.isGiven() || memory;
    byte[] bytes = agent.render((isRead ? ProfileFormat.JSON : as).extension());
    if (range.isGiven()) {
      range.write(read(bytes), "process " + pid, target, terminal);
      return Exit.DONE;
    }
    if (memory) {
      Snapshot whole = read(bytes).with(MemoryReport.of(pid).memory());
      Output.write(target.output(), terminal, out -> FlowReports.write(whole, as, out));
    } else {
      Output.write(target.output(), terminal, out -> out.write(bytes));
    }
    if (!target.isStandard()) {
      terminal.note(target.output() + ": flows of process " + pid);
    }
    return Exit.DONE;
  }

  private static Snapshot read(byte[] json) throws IOException {
    return SnapshotJsonReader.read(new StringReader(new String(json, StandardCharsets.UTF_8)));
  }
}
