package org.buftrail.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.buftrail.cli.output.CommandFailure;
import org.buftrail.cli.output.Output;
import org.buftrail.cli.output.WrongUsage;
import org.buftrail.cli.shape.Grain;
import org.buftrail.cli.shape.NothingLeft;
import org.buftrail.cli.shape.ProfileSelection;
import org.buftrail.cli.shape.StackShape;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;
import org.buftrail.profile.Kind;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.output.ProfileFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select samples of what was converted, and say how its stacks look. */
public final class ShapeOptions {
  @Option(
      names = {"-s", "--state"},
      paramLabel = "STATE",
      split = ",",
      description =
          "Only samples of threads in these states, such as runnable or sleeping. The beginning of"
              + " a name is enough.")
  private List<String> states = new ArrayList<>();

  @Option(
      names = "--latency",
      paramLabel = "TIME",
      converter = LengthOption.class,
      description =
          "Only samples of threads that were in a span, or in a traced method, of at least this"
              + " length: milliseconds, or with ns, us, ms or s.")
  private long leastNanos = -1;

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      description = "Only samples of threads that were in a span of this name.")
  private @Nullable String tag;

  @Option(
      names = "--trace-id",
      paramLabel = "ID",
      description =
          "Only samples that were taken for this trace: up to 32 hexadecimal digits. Of Datadog's"
              + " recordings, the id of the local root span.")
  private @Nullable String traceId;

  @Option(
      names = "--leak",
      description =
          "Of native memory only what was not freed, without what was allocated too late to tell.")
  private boolean leak;

  @Option(
      names = "--tail",
      paramLabel = "RATIO",
      converter = RatioOption.class,
      description = "What is too late for --leak: a part of the time, such as 10%% (the default).")
  private double tail = 0.1;

  @Option(names = "--simple", description = "Names of classes without their packages.")
  private boolean simple;

  @Option(
      names = "--dot",
      description = "Dots in names of classes, which they have anyway: for users of jfrconv.")
  @SuppressWarnings("UnusedVariable")
  private boolean dot;

  @Option(
      names = "--classify",
      description = "Put a frame at the root that says what the thread did: [java], [gc], [jit].")
  private boolean classify;

  @Option(
      names = "--skip",
      paramLabel = "N",
      description = "Leave out N frames of each stack, from the root.")
  private int skip;

  @Option(
      names = {"-r", "--reverse"},
      description = "Make the leaf of each stack the root. With --threads, the thread stays there.")
  private boolean reverse;

  @Option(
      names = "--grain",
      paramLabel = "N",
      description =
          "Coarser values, for smaller pages and collapsed stacks: multiples of N. Stacks that have"
              + " less may go, and sums stay right to N.")
  private double grain;

  public ShapeOptions() {}

  /** What has to be converted for it. */
  public Options needed(Options options, Set<Kind> kinds) {
    if (skip < 0) {
      throw new WrongUsage("--skip " + skip + " is negative");
    }
    if (!(grain >= 0)) {
      throw new WrongUsage("--grain " + grain + " is no positive number");
    }
    String trace = traceId;
    if (trace != null && !trace.matches("[0-9a-fA-F]{1,32}")) {
      throw new WrongUsage("--trace-id takes up to 32 hexadecimal digits, not " + trace);
    }
    Options needed = hasTimes() ? options.timestamps(true) : options;
    if (leak && kinds.isEmpty()) {
      needed = needed.kinds(EnumSet.of(Kind.NATIVEMEM));
    }
    return needed;
  }

  /** Whether samples are left out. */
  public boolean isSelective() {
    return hasTimes() || !states.isEmpty() || traceId != null;
  }

  private boolean hasTimes() {
    return leak || hasSpans();
  }

  private boolean hasSpans() {
    return leastNanos >= 0 || tag != null;
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
      if (leak) {
        profiles = ProfileSelection.leaks(profiles, tail, timestamps || hasSpans());
      }
      if (hasSpans()) {
        long least = Math.max(0, leastNanos);
        profiles = ProfileSelection.inSpans(profiles, spans(from), least, tag, timestamps);
      }
      if (!states.isEmpty()) {
        profiles = ProfileSelection.inStates(profiles, states, timestamps);
      }
      String trace = traceId;
      if (trace != null) {
        profiles = ProfileSelection.ofTrace(profiles, trace, timestamps);
      }
      if (grain > 0) {
        profiles = Grain.apply(profiles, grain);
      }
    } catch (NothingLeft e) {
      throw new CommandFailure("nothing to convert: " + e.getMessage(), e);
    }
    StackShape.Options shape = new StackShape.Options(simple, classify, skip, reverse);
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
    return new Converter(traces).convert(from).profiles();
  }

  /** Refuses to reverse stacks where an end is the leaf by rule, and coarse values in data. */
  public void check(ProfileFormat as) {
    switch (as) {
      case COLLAPSED, HTML, HEATMAP, TEXT -> {}
      default -> {
        if (reverse) {
          throw new WrongUsage("--reverse is for pages and collapsed stacks, not for " + as);
        }
        if (grain > 0) {
          throw new WrongUsage("--grain is for pages and collapsed stacks, not for " + as);
        }
      }
    }
  }
}
