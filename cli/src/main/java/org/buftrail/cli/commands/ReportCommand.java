package org.buftrail.cli.commands;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.buftrail.cli.input.Pipes;
import org.buftrail.cli.input.ReadFlows;
import org.buftrail.cli.input.Sources;
import org.buftrail.cli.options.ReportTarget;
import org.buftrail.cli.output.CommandFailure;
import org.buftrail.cli.output.Damages;
import org.buftrail.cli.output.ProfileFiles;
import org.buftrail.cli.output.Terminal;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.report.Reports;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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
          "The snapshot, such as flows.json; or a recording, OTLP, pprof, collapsed stacks. - for"
              + " standard input.")
  private Path input = Path.of("");

  @Option(
      names = "--lenient",
      description = "Exit with 0 also when a damaged recording could be read only in part.")
  private boolean lenient;

  @Mixin private ReportTarget target = new ReportTarget();

  public ReportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, CommandFailure {
    ProfileFormat as = target.format();
    Sources sources = new Sources();
    try (Pipes pipes = new Pipes(sources, terminal::name)) {
      return write(sources.read(pipes.file(input)), as);
    }
  }

  private int write(ReadProfiles read, ProfileFormat as) throws CommandFailure {
    List<String> files =
        new ProfileFiles(read, ProfileFiles.Style.PLAIN).write(target.output(), as, terminal);
    if (!target.isStandard()) {
      terminal.note(String.join(", ", files) + ": " + count(read) + " as " + as);
    }
    String unsaid = read instanceof ReadFlows flows ? Reports.unsaid(flows.snapshot(), as) : null;
    if (unsaid != null) {
      terminal.note(unsaid);
    }
    return Damages.report(read, lenient, terminal);
  }

  private static String count(ReadProfiles read) {
    if (read instanceof ReadFlows flows) {
      return flows.snapshot().paths().size() + " paths";
    }
    int profiles = read.profiles().stream().mapToInt(each -> each.profiles().size()).sum();
    return profiles + (profiles == 1 ? " profile" : " profiles");
  }
}
