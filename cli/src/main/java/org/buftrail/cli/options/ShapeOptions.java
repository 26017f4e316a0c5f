package org.buftrail.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.buftrail.cli.shape.Grain;
import org.buftrail.cli.shape.NothingLeft;
import org.buftrail.cli.shape.ProfileSelection;
import org.buftrail.cli.shape.StackShape;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Output;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.jfr.Options;
import org.buftrail.jfr.Recording;
import org.buftrail.profile.Kind;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.output.ProfileFormat;

/** Options that select samples of what was converted, and say how its stacks look. */
public final class ShapeOptions {
  private final TextsOption states =
      new TextsOption(
          "-s --state",
          "STATE",
          true,
          "Only samples of threads in these states, such as runnable or sleeping. The beginning of"
              + " a name is enough.");

  private final LengthOption leastNanos =
      new LengthOption(
          "--latency",
          "Only samples of threads that were in a span, or in a traced method, of at least this"
              + " length: milliseconds, or with ns, us, ms or s.");

  private final TextOption tag =
      new TextOption("--tag", "TAG", "Only samples of threads that were in a span of this name.");

  private final TraceOption trace = new TraceOption();

  private final Flag leak =
      new Flag(
          "--leak",
          "Only native memory that was not freed, without what was allocated too late to know.");

  private final RatioOption tail =
      new RatioOption(
          "--tail",
          0.1,
          "How much of the end is too late for --leak: a part of the time, such as 10%% (the"
              + " default).");

  private final Flag simple = new Flag("--simple", "Names of classes without their packages.");

  private final Flag dot =
      new Flag("--dot", "Dots in names of classes, which they have anyway: for users of jfrconv.");

  private final Flag classify =
      new Flag(
          "--classify",
          "Put a frame at the root that says what the thread did: [java], [gc], [jit].");

  private final CountOption skip =
      new CountOption("--skip", "N", 0, "Leave out N frames of each stack, from the root.");

  private final Flag reverse =
      new Flag(
          "-r --reverse",
          "Make the leaf of each stack the root. With --threads, the thread stays there.");

  private final NumberOption grain =
      new NumberOption(
          "--grain",
          "N",
          "Coarser values, for smaller pages and collapsed stacks: multiples of N. Stacks that have"
              + " less may go, and sums stay right to N.");

  public ShapeOptions() {}

  public void addTo(List<CommandOption> options) {
    options.addAll(List.of(states, leastNanos, tag));
    trace.addTo(options);
    options.addAll(List.of(leak, tail, simple, dot, classify, skip, reverse, grain));
  }

  /** The kinds that it needs converted. */
  public Options needed(Options options, Set<Kind> kinds) {
    if (skip.value() < 0) {
      throw new WrongUsage("--skip " + skip.value() + " is negative");
    }
    if (!(grain.value() >= 0)) {
      throw new WrongUsage("--grain " + grain.value() + " is no positive number");
    }
    trace.check();
    Options needed = hasTimes() ? options.timestamps(true) : options;
    if (leak.isGiven() && kinds.isEmpty()) {
      needed = needed.kinds(EnumSet.of(Kind.NATIVEMEM));
    }
    return needed;
  }

  /** Whether samples are left out. */
  public boolean isSelective() {
    return hasTimes() || !states.values().isEmpty() || trace.isGiven();
  }

  /** Selects of profiles that were read, which other options of these do not change. */
  public ReadProfiles select(ReadProfiles read) throws CommandFailure {
    return trace.select(read);
  }

  private boolean hasTimes() {
    return leak.isGiven() || hasSpans();
  }

  private boolean hasSpans() {
    return leastNanos.value() >= 0 || tag.value() != null;
  }

  /**
   * Selects and changes what was converted.
   *
   * @param from the recordings
   * @param timestamps whether the output is to have the time of every event
   */
  public Profiles apply(Profiles converted, List<Path> from, boolean timestamps)
      throws IOException, CommandFailure {
    Profiles profiles = converted;
    try {
      if (leak.isGiven()) {
        profiles = ProfileSelection.leaks(profiles, tail.value(), timestamps || hasSpans());
      }
      if (hasSpans()) {
        long least = Math.max(0, leastNanos.value());
        profiles = ProfileSelection.inSpans(profiles, spans(from), least, tag.value(), timestamps);
      }
      if (!states.values().isEmpty()) {
        profiles = ProfileSelection.inStates(profiles, states.values(), timestamps);
      }
      profiles = trace.select(profiles, timestamps);
      if (grain.value() > 0) {
        profiles = Grain.apply(profiles, grain.value());
      }
    } catch (NothingLeft e) {
      throw new CommandFailure("nothing to convert: " + e.getMessage(), e);
    }
    StackShape.Options shape =
        new StackShape.Options(
            simple.isGiven(), classify.isGiven(), skip.value(), reverse.isGiven());
    return shape.isPlain() ? profiles : StackShape.apply(profiles, shape);
  }

  private static Profiles spans(List<Path> from) throws IOException {
    for (Path file : from) {
      boolean isPipe = Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
      if (isPipe || file.toString().equals(Output.STANDARD)) {
        throw new WrongUsage(
            "--latency and --tag read a recording twice, which " + file + " does not allow");
      }
    }
    Options traces = Options.DEFAULT.kinds(EnumSet.of(Kind.TRACE)).timestamps(true);
    return Recording.matching(from).convert(traces).profiles();
  }

  /** Refuses to reverse stacks where an end is the leaf by rule, and coarse values in data. */
  public void check(ProfileFormat as) {
    switch (as) {
      case COLLAPSED, HTML, HEATMAP, TEXT -> {}
      default -> {
        if (reverse.isGiven()) {
          throw new WrongUsage("--reverse is for pages and collapsed stacks, not for " + as);
        }
        if (grain.value() > 0) {
          throw new WrongUsage("--grain is for pages and collapsed stacks, not for " + as);
        }
      }
    }
  }
}
