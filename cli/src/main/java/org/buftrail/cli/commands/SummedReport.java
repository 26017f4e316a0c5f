package org.buftrail.cli.commands;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.buftrail.cli.diff.HopRules;
import org.buftrail.cli.options.ReportTarget;
import org.buftrail.console.input.Pipes;
import org.buftrail.console.input.ReadFlows;
import org.buftrail.console.input.Sources;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.NothingToWrite;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.html.SourceLinks;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.report.Pods;
import org.buftrail.report.SummedProcessesText;

/** {@code report} of several snapshots: one report of each service and version. */
final class SummedReport {
  private final ReportTarget target;
  private final SourceLinks links;
  private final Terminal terminal;

  SummedReport(ReportTarget target, SourceLinks links, Terminal terminal) {
    this.target = target;
    this.links = links;
    this.terminal = terminal;
  }

  int write(List<Path> inputs, Sources sources, Pipes pipes) throws IOException, CommandFailure {
    ProfileFormat as = target.format();
    List<Pods> services = Pods.of(snapshots(inputs, sources, pipes));
    boolean isText = target.isStandard() && as == ProfileFormat.TEXT;
    if (services.size() > 1 && !isText) {
      throw new CommandFailure(
          "these are of "
              + services.size()
              + " services and versions: "
              + String.join(", ", services.stream().map(Pods::service).toList())
              + "; name snapshots of one, or leave -o and --format");
    }
    for (Pods service : services) {
      Snapshot sum = service.sum();
      if (!isText) {
        StringBuilder processes = new StringBuilder();
        SummedProcessesText.write(sum.processes(), processes);
        terminal.note(processes.toString().stripTrailing());
      } else if (service != services.get(0)) {
        terminal.print("\n");
      }
      ReportCommand.write(new ReadFlows(sum), as, links, target, terminal);
    }
    return Exit.DONE;
  }

  private static List<Snapshot> snapshots(List<Path> inputs, Sources sources, Pipes pipes)
      throws IOException, CommandFailure {
    List<Snapshot> snapshots = new ArrayList<>();
    for (Path input : inputs) {
      ReadProfiles read = NothingToWrite.refuse(input, sources.read(pipes.file(input)));
      if (!(read instanceof ReadFlows flows)) {
        throw new WrongUsage("several inputs must be flow snapshots, unlike " + input);
      }
      long rules = flows.snapshot().hopRules();
      long first = snapshots.isEmpty() ? rules : snapshots.get(0).hopRules();
      if (rules != first) {
        throw new CommandFailure(
            input
                + ": its hops are by other rules than those of "
                + inputs.get(0)
                + "; "
                + HopRules.remedy(Set.of(first), Set.of(rules)));
      }
      snapshots.add(flows.snapshot());
    }
    return snapshots;
  }
}
