package org.buftrail.cli.commands;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.buftrail.cli.diff.DiffSummary;
import org.buftrail.cli.diff.DiffText;
import org.buftrail.cli.diff.FailOn;
import org.buftrail.cli.diff.HopRules;
import org.buftrail.cli.diff.Undecided;
import org.buftrail.cli.options.ChoiceOption;
import org.buftrail.cli.options.CommandOption;
import org.buftrail.cli.options.CountOption;
import org.buftrail.cli.options.Flag;
import org.buftrail.cli.options.PathOption;
import org.buftrail.cli.options.TableCommand;
import org.buftrail.cli.options.TextOption;
import org.buftrail.cli.options.TextsOption;
import org.buftrail.console.input.FlowStates;
import org.buftrail.console.input.Pipes;
import org.buftrail.console.input.Sources;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Damages;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.NothingToWrite;
import org.buftrail.console.output.Output;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.jfr.Options;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.diff.DiffJson;
import org.buftrail.profile.diff.Measure;
import org.buftrail.profile.diff.ProfileDiff;
import org.buftrail.profile.diff.Side;
import org.buftrail.profile.html.DiffHtml;
import org.buftrail.profile.input.ReadProfiles;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code diff}: what changed between two snapshots, recordings or profiles. */
@Command(
    name = "diff",
    description = {
      "Compares two flow snapshots, recordings, OpenTelemetry or pprof profiles, or collapsed"
          + " stacks.",
      "One of them may be - for standard input.",
      "Without -o, prints the changes of each measure, the largest first.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class DiffCommand implements TableCommand {
  private static final String STEP_SUMMARY = "GITHUB_STEP_SUMMARY";

  /** Says how many flows there were, by which leaks of two recordings are compared. */
  private static final Options.Event FLOWS = Options.Event.parse(Side.STATISTICS);

  private final Terminal terminal;

  @Parameters(index = "0", paramLabel = "BASE", description = "The state before.")
  private Path base = Path.of("");

  @Parameters(index = "1", paramLabel = "NEW", description = "The state now.")
  private Path now = Path.of("");

  private final TextOption output =
      new TextOption(
          "-o --output",
          "OUT",
          "Where to write: .txt, .json, .md or .html (a flame graph of the differences).");

  private final TextsOption types =
      new TextsOption(
          "--type",
          "TYPE",
          true,
          "Compare only these types or kinds, such as leaked_space or cpu.");

  private final ChoiceOption<ProfileDiff.Scale> normalize =
      new ChoiceOption<>(
          "--normalize",
          "BY",
          ProfileDiff.Scale.values(),
          "Scale the base to the work of the new side: none, duration, allocations or auto."
              + " auto: flows by their allocations, the rest by duration. Default: auto.");

  private final Flag lines = new Flag("--lines", "Tell lines of one method apart.");

  private final CountOption top =
      new CountOption("--top", "N", 20, "Changes to show of each measure as text. Default: 20.");

  private final Flag lenient =
      new Flag(
          "--lenient", "Exit with 0 also when a damaged recording could be read only in part.");

  private final FailOnOption conditions =
      new FailOnOption(
          "--fail-on",
          "WHAT",
          "Exit with 1 on new-leak (a path leaks that did not), new-dropped (flows are dropped"
              + " where none were) or growth=10%% (a measure grew more, and more than chance"
              + " explains).");

  private final Flag allowUndecided =
      new Flag(
          "--allow-undecided",
          "Let --fail-on pass though flows of NEW are undecided: live, and perhaps lost, for no"
              + " collection has decided about them.");

  private final PathOption summary =
      new PathOption(
          "--summary",
          "FILE",
          "Append a summary in Markdown. Default: the file that $GITHUB_STEP_SUMMARY names.");

  public DiffCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public List<CommandOption> options() {
    return List.of(
        output, types, normalize, lines, top, lenient, conditions, allowUndecided, summary);
  }

  @Override
  public boolean files(List<Path> given) {
    if (given.size() != 2) {
      return false;
    }
    base = given.get(0);
    now = given.get(1);
    return true;
  }

  @Override
  public Integer call() throws IOException, CommandFailure {
    String output = this.output.value();
    String format = format(output);
    ProfileDiff.Scale scale = Objects.requireNonNullElse(normalize.value(), ProfileDiff.Scale.AUTO);
    ProfileDiff diff;
    Compared before = read(base);
    Compared after = read(now);
    String rules = HopRules.difference(before.profiles(), after.profiles());
    if (!rules.isEmpty()) {
      throw new WrongUsage(base + " and " + now + " " + rules);
    }
    try {
      diff = ProfileDiff.of(before.profiles(), after.profiles(), scale, lines.isGiven());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(e.getMessage() + "; give --normalize none", e);
    }
    if (!diff.isComparable()) {
      throw new WrongUsage(
          base
              + " and "
              + now
              + " measure nothing alike: "
              + measures(diff, true)
              + " and "
              + measures(diff, false));
    }
    // A new leak is one whatever is shown; growth is of what was asked for.
    List<String> failed = failures(diff, FailOn.NewPath.class);
    retain(diff);
    failed.addAll(failures(diff, FailOn.Growth.class));
    if (conditions.isGiven() && !allowUndecided.isGiven()) {
      failed.addAll(Undecided.failures(after.profiles()));
    }
    if (output == null) {
      terminal.print(DiffText.of(diff, base.toString(), now.toString(), failed, top.value()));
    } else {
      Output.write(output, terminal, out -> write(diff, failed, format, out));
    }
    summarise(diff, failed);
    for (String reason : failed) {
      if (output != null) {
        terminal.fail(reason);
      }
    }
    int exit =
        Math.max(
            Damages.report(before, lenient.isGiven(), terminal),
            Damages.report(after, lenient.isGiven(), terminal));
    return failed.isEmpty() ? exit : Exit.FAILED;
  }

  private static String measures(ProfileDiff diff, boolean ofBase) {
    return diff.measures().stream()
        .filter(measure -> ofBase ? measure.isInBase() : measure.isInNew())
        .map(measure -> measure.type() + "/" + measure.unit())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private Compared read(Path file) throws IOException, CommandFailure {
    Sources sources =
        new Sources(Options.DEFAULT.normalized(true).timestamps(true).events(List.of(FLOWS)));
    try (Pipes pipes = new Pipes(sources, terminal::name)) {
      return Compared.of(NothingToWrite.refuse(file, sources.read(pipes.file(file))));
    }
  }

  /** The sides to compare, without their inputs: snapshots are larger than their profiles. */
  private record Compared(List<Profiles> profiles, List<String> damages, List<String> notes)
      implements ReadProfiles {
    static Compared of(ReadProfiles read) {
      return new Compared(
          read.profiles().stream().map(FlowStates::split).toList(), read.damages(), read.notes());
    }
  }

  private void retain(ProfileDiff diff) throws CommandFailure {
    List<Measure> all = diff.measures();
    Set<String> wanted = new LinkedHashSet<>(types.values());
    diff.retain(wanted);
    if (diff.measures().isEmpty() && !all.isEmpty()) {
      String known = all.stream().map(Measure::type).distinct().collect(Collectors.joining(", "));
      throw new CommandFailure("there is no " + String.join(", ", wanted) + "; there are " + known);
    }
  }

  private List<String> failures(ProfileDiff diff, Class<? extends FailOn> kind)
      throws CommandFailure {
    List<String> failed = new ArrayList<>();
    for (FailOn condition : conditions.values()) {
      try {
        if (kind.isInstance(condition)) {
          failed.addAll(condition.failures(diff, Set.copyOf(types.values())));
        }
      } catch (IllegalArgumentException e) {
        throw new CommandFailure("--fail-on: " + e.getMessage(), e);
      }
    }
    return failed;
  }

  private String format(@Nullable String output) {
    if (top.value() < 0) {
      throw new WrongUsage("--top must be 0 or more");
    }
    String name = output == null ? "" : output.toLowerCase(Locale.ROOT);
    if (name.isEmpty() || name.equals(Output.STANDARD)) {
      return "txt";
    }
    for (String ending : List.of("txt", "json", "html", "md")) {
      if (name.endsWith('.' + ending)) {
        return ending;
      }
    }
    throw new WrongUsage(
        "the format of " + output + " is not known; end its name in one of .txt .json .html .md");
  }

  private void write(ProfileDiff diff, List<String> failed, String format, OutputStream out)
      throws IOException {
    String before = base.toString();
    String after = now.toString();
    Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
    switch (format) {
      case "json" -> DiffJson.write(diff, before, after, failed, text);
      case "html" -> DiffHtml.write(diff, before, after, text);
      case "md" -> text.write(DiffSummary.of(diff, before, after, failed));
      default -> text.write(DiffText.of(diff, before, after, failed, top.value()));
    }
    text.flush();
  }

  private void summarise(ProfileDiff diff, List<String> failed) throws CommandFailure {
    String step = System.getenv(STEP_SUMMARY);
    Path named = summary.value();
    Path file = named != null || step == null || step.isEmpty() ? named : Path.of(step);
    if (file == null) {
      return;
    }
    try {
      Files.writeString(
          file,
          DiffSummary.of(diff, base.toString(), now.toString(), failed),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new CommandFailure("cannot append the summary to " + e.getMessage(), e);
    }
  }
}
