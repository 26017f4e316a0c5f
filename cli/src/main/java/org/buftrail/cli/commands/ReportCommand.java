package org.buftrail.cli.commands;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.cli.options.CommandOption;
import org.buftrail.cli.options.Flag;
import org.buftrail.cli.options.RangeOptions;
import org.buftrail.cli.options.ReportTarget;
import org.buftrail.cli.options.SourceOption;
import org.buftrail.cli.options.TableCommand;
import org.buftrail.cli.options.TraceOption;
import org.buftrail.console.input.Pipes;
import org.buftrail.console.input.ReadFlows;
import org.buftrail.console.input.ReadRecording;
import org.buftrail.console.input.Sources;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Conformity;
import org.buftrail.console.output.Damages;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.NothingToWrite;
import org.buftrail.console.output.ProfileFiles;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.profile.html.SourceLinks;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.report.Reports;
import picocli.CommandLine.Command;
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
public final class ReportCommand implements TableCommand {
  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "FLOWS",
      description =
          "The snapshot, such as flows.json; or a recording, OTLP, pprof, collapsed stacks. - for"
              + " standard input. Several snapshots are added up, by service and version.")
  private List<Path> inputs = List.of();

  private final Flag lenient =
      new Flag(
          "--lenient", "Exit with 0 also when a damaged recording could be read only in part.");

  private final TraceOption trace = new TraceOption();
  private final SourceOption source = new SourceOption();
  private final RangeOptions range = new RangeOptions();
  private final ReportTarget target = new ReportTarget();

  public ReportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public List<CommandOption> options() {
    List<CommandOption> options = new ArrayList<>(List.of(lenient));
    trace.addTo(options);
    options.add(source.option());
    options.addAll(range.options());
    options.addAll(target.options());
    return options;
  }

  @Override
  public boolean files(List<Path> given) {
    inputs = List.copyOf(given);
    return !given.isEmpty();
  }

  @Override
  public Integer call() throws IOException, CommandFailure {
    trace.check();
    ProfileFormat as = target.format();
    SourceLinks links = source.links(as);
    range.check(as);
    Sources sources = new Sources();
    try (Pipes pipes = new Pipes(sources, terminal::name)) {
      if (inputs.size() > 1) {
        if (range.isGiven()) {
          throw new WrongUsage("--from and --to are for one snapshot");
        }
        return new SummedReport(target, links, terminal).write(inputs, sources, pipes);
      }
      Path input = inputs.get(0);
      ReadProfiles read = NothingToWrite.refuse(input, sources.read(pipes.file(input)));
      if (trace.isGiven() && read instanceof ReadFlows) {
        throw new WrongUsage("--trace-id is for recordings and profiles, unlike " + input);
      }
      if (range.isGiven()) {
        if (!(read instanceof ReadFlows flows)) {
          throw new WrongUsage("--from and --to are for flow snapshots, unlike " + input);
        }
        range.write(flows.snapshot(), String.valueOf(input), target, terminal);
        return Exit.DONE;
      }
      if (!(read instanceof ReadRecording)) {
        Conformity.refuse(input, read, as);
      }
      write(trace.select(read), as, links, target, terminal);
      return Damages.report(read, lenient.isGiven(), terminal);
    }
  }

  static void write(
      ReadProfiles read,
      ProfileFormat as,
      SourceLinks links,
      ReportTarget target,
      Terminal terminal)
      throws CommandFailure {
    List<String> files =
        new ProfileFiles(read, ProfileFiles.Style.PLAIN.withSource(links))
            .write(target.output(), as, terminal);
    if (!target.isStandard()) {
      terminal.note(String.join(", ", files) + ": " + count(read) + " as " + as);
    }
    String unsaid = read instanceof ReadFlows flows ? Reports.unsaid(flows.snapshot(), as) : null;
    if (unsaid != null) {
      terminal.note(unsaid);
    }
  }

  private static String count(ReadProfiles read) {
    if (read instanceof ReadFlows flows) {
      return flows.snapshot().paths().size() + " paths";
    }
    int profiles = read.profiles().stream().mapToInt(each -> each.profiles().size()).sum();
    return profiles + (profiles == 1 ? " profile" : " profiles");
  }
}
