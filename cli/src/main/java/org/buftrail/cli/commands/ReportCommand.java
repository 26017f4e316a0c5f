package org.buftrail.cli.commands;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.buftrail.agent.report.Reports;
import org.buftrail.cli.input.ReadFlows;
import org.buftrail.cli.input.Sources;
import org.buftrail.cli.options.ReportTarget;
import org.buftrail.cli.output.CommandFailure;
import org.buftrail.cli.output.Exit;
import org.buftrail.cli.output.ProfileFiles;
import org.buftrail.cli.output.Terminal;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.output.ProfileFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code report}: a flow snapshot, or whatever holds profiles, in another form. */
@Command(
    name = "report",
    description = {
      "Shows a flow snapshot that the agent wrote, a recording or profiles, or turns them into"
          + " another form.",
      "Without -o, prints the text report.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class ReportCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      paramLabel = "FLOWS",
      description =
          "The snapshot, such as flows.json; or a recording, OTLP, pprof, collapsed stacks.")
  private Path input = Path.of("");

  @Mixin private ReportTarget target = new ReportTarget();

  public ReportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, CommandFailure {
    ProfileFormat as = target.format();
    ReadProfiles read = new Sources().read(input);
    for (String damage : read.damages()) {
      terminal.note("buftrail: " + damage);
    }
    List<String> files =
        new ProfileFiles(read, ProfileFiles.Style.PLAIN).write(target.output(), as, terminal);
    if (!target.isStandard()) {
      terminal.note(String.join(", ", files) + ": " + count(read) + " as " + as);
    }
    String unsaid = read instanceof ReadFlows flows ? Reports.unsaid(flows.snapshot(), as) : null;
    if (unsaid != null) {
      terminal.note(unsaid);
    }
    return Exit.DONE;
  }

  private static String count(ReadProfiles read) {
    if (read instanceof ReadFlows flows) {
      return flows.snapshot().paths().size() + " paths";
    }
    int profiles = read.profiles().stream().mapToInt(each -> each.profiles().size()).sum();
    return profiles + (profiles == 1 ? " profile" : " profiles");
  }
}
