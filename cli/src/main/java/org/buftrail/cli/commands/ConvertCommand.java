package org.buftrail.cli.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.buftrail.cli.options.ChoiceOption;
import org.buftrail.cli.options.CommandOption;
import org.buftrail.cli.options.ConversionOptions;
import org.buftrail.cli.options.Destination;
import org.buftrail.cli.options.Flag;
import org.buftrail.cli.options.PageOptions;
import org.buftrail.cli.options.ShapeOptions;
import org.buftrail.cli.options.SizeOption;
import org.buftrail.cli.options.TableCommand;
import org.buftrail.cli.options.TextOption;
import org.buftrail.cli.options.TextsOption;
import org.buftrail.console.input.Pipes;
import org.buftrail.console.input.Sources;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Conformity;
import org.buftrail.console.output.Damages;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Naming;
import org.buftrail.console.output.NothingToWrite;
import org.buftrail.console.output.Output;
import org.buftrail.console.output.Overwriting;
import org.buftrail.console.output.Payloads;
import org.buftrail.console.output.ProfileFiles;
import org.buftrail.console.output.ProgressBar;
import org.buftrail.console.output.StatsTable;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.UnmetEvents;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;
import org.buftrail.jfr.Recording;
import org.buftrail.jfr.RecordingException;
import org.buftrail.profile.Payload;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.output.ProfileFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code convert}: recordings, profiles and flows to profiles of another form. */
@Command(
    name = "convert",
    description = {
      "Converts JDK Flight Recorder files to profiles, and profiles and flow snapshots to others.",
      "Several recordings become one output, or one each if the output is a directory.",
      "Without an output, IN.jfr becomes IN.otlp; -o html, a format alone, makes IN.html of it.",
      ""
    },
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false)
public final class ConvertCommand implements TableCommand {
  /** A recording of so many bytes has one chunk as a rule, which one thread decodes. */
  private static final long SMALL = 8 << 20;

  private final Terminal terminal;
  private final UnmetEvents unmet = new UnmetEvents();
  private final Overwriting overwriting = new Overwriting();
  private final Sources sources = new Sources();

  private final ConversionOptions conversion = new ConversionOptions();

  private final ShapeOptions shape = new ShapeOptions();

  private final PageOptions page = new PageOptions();

  @Parameters(
      arity = "1..*",
      paramLabel = "IN",
      description =
          "Recordings, plain or packed (gz, lz4, zst, zip); directories of them; globs; pipes; -"
              + " for standard input. Or OpenTelemetry profiles, pprof, collapsed stacks, flow"
              + " snapshots.")
  private List<Path> inputs = new ArrayList<>();

  private final TextOption output =
      new TextOption(
          "-o --output",
          "OUT",
          "Where to write; - for standard output. The ending says the format. A directory (one that"
              + " exists, or a name that ends in /) takes one output for each input. Without -o the"
              + " last of several names is the output, if its ending is a format's.");

  private final ChoiceOption<ProfileFormat> format =
      new ChoiceOption<>(
          "--format",
          "FORMAT",
          ProfileFormat.values(),
          "Write this format, whatever the ending: ${COMPLETION-CANDIDATES}. parquet adds"
              + " recordings to a dataset for sql, in the directory that -o names.");

  private final TextsOption named =
      new TextsOption(
          "--profile",
          "NAME",
          true,
          "Write only profiles of these names, such as cpu or lock_wait.");

  private final Flag lines =
      new Flag("--lines", "Line numbers in collapsed stacks and speedscope files.");

  private final Flag total =
      new Flag("--total", "Collapsed stacks by time or bytes instead of counts.");

  private final Flag pretty = new Flag("--pretty", "JSON with line breaks.");

  private final SizeOption split =
      new SizeOption(
          "--split",
          Long.MAX_VALUE,
          "OTLP in parts of at most SIZE, such as 4m, each complete in itself: OUT-1.otlp,"
              + " OUT-2.otlp.");

  private final Flag payload =
      new Flag("--include-payload", "OTLP that carries the recordings along, up to 2 GiB.");

  private final Flag stats = new Flag("--stats", "List what was found, by event type.");

  public ConvertCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public List<CommandOption> options() {
    List<CommandOption> options = new ArrayList<>();
    conversion.addTo(options);
    options.addAll(ofRecordings());
    options.addAll(List.of(output, format, named, lines, total, pretty, split, payload, stats));
    conversion.addKindsTo(options);
    return options;
  }

  /** Options of recordings, beside those of the conversion, and of pages. */
  private List<CommandOption> ofRecordings() {
    List<CommandOption> options = new ArrayList<>();
    shape.addTo(options);
    page.addTo(options);
    return options;
  }

  @Override
  public boolean files(List<Path> files) {
    inputs = files;
    return !files.isEmpty();
  }

  @Override
  public Integer call() throws IOException, CommandFailure {
    int exit;
    int asked;
    try {
      exit = convertAll();
    } finally {
      asked = unmet.report(terminal);
    }
    return Math.max(exit, asked);
  }

  private int convertAll() throws IOException, CommandFailure {
    Destination destination = Destination.of(inputs, output.value(), format.value());
    conversion.keepTimesFor(destination);
    Options options = shape.needed(conversion.options(), conversion.kinds());
    Path directory = destination.directory();
    if (directory != null) {
      return convertEach(options, destination, directory);
    }
    String target = destination.target();
    for (Path file : destination.inputs()) {
      if (Pipes.isOne(file) && !payload.isGiven()) {
        try (Pipes pipes = new Pipes(sources, terminal::name)) {
          List<Path> copies = pipes.files(destination.inputs());
          return convertAll(options, new Destination(copies, target, destination.format()), target);
        }
      }
    }
    return convertAll(options, destination, target);
  }

  private int convertAll(Options options, Destination destination, String target)
      throws IOException, CommandFailure {
    List<Path> from = destination.inputs();
    for (Path file : from) {
      if (!sources.isRecording(file)) {
        if (from.size() > 1) {
          throw new WrongUsage("only recordings become one output together; give -o DIR/");
        }
        return convertProfiles(destination, file, target, terminal);
      }
    }
    Overwriting.noteRepeated(from, terminal);
    return convertTogether(options, destination, target);
  }

  /** Converts all inputs to one output, with all processors where that may be worth their start. */
  private int convertTogether(Options options, Destination destination, String target)
      throws IOException, CommandFailure {
    List<Path> from = destination.inputs();
    Converter converter = new Converter(options);
    int workers = SideBySide.workers(Integer.MAX_VALUE);
    if (workers == 1 || isSmall(from)) {
      return convert(converter, destination, from, target, terminal);
    }
    ExecutorService pool = Executors.newFixedThreadPool(workers);
    try {
      return convert(converter.workers(pool, workers), destination, from, target, terminal);
    } finally {
      pool.shutdownNow();
    }
  }

  private static boolean isSmall(List<Path> from) throws IOException {
    Path file = from.get(0);
    return from.size() == 1 && Files.isRegularFile(file) && Files.size(file) <= SMALL;
  }

  /** Converts each input by itself; one that is no recording does not stop the others. */
  private int convertEach(Options options, Destination destination, Path directory)
      throws IOException {
    Files.createDirectories(directory);
    ProfileFormat as = Objects.requireNonNullElse(destination.format(), ProfileFormat.OTLP);
    Naming naming = new Naming(directory, as);
    List<SideBySide.Work> all = new ArrayList<>();
    for (Path input : destination.inputs()) {
      try {
        for (Path file : Recording.matching(List.of(input)).files()) {
          String target = naming.target(file);
          // A converter of its own: one keeps the memory that earlier recordings took.
          all.add(apart -> convertOne(new Converter(options), destination, file, target, apart));
        }
      } catch (RecordingException e) {
        all.add(apart -> Exit.failed(e, apart));
      }
    }
    return SideBySide.run(all, SideBySide.workers(all.size()), terminal);
  }

  private int convertOne(
      Converter converter, Destination destination, Path input, String target, Terminal apart) {
    try (Pipes pipes = new Pipes(sources, apart::name)) {
      Path file = pipes.file(input);
      return sources.isRecording(file)
          ? convert(converter, destination, List.of(file), target, apart)
          : convertProfiles(destination, file, target, apart);
    } catch (IOException | CommandFailure e) {
      return Exit.failed(e, apart);
    }
  }

  /** Converts what is no recording. */
  private int convertProfiles(Destination destination, Path input, String target, Terminal apart)
      throws IOException, CommandFailure {
    ProfileFormat as = destination.formatOf(target);
    checkStyle(as);
    if (payload.isGiven() || stats.isGiven()) {
      throw new WrongUsage("--include-payload and --stats are for recordings, unlike " + input);
    }
    conversion.refuseForProfiles(input, ofRecordings());
    overwriting.refuse(target, destination.inputs());
    long start = System.nanoTime();
    ReadProfiles all = NothingToWrite.refuse(input, sources.read(input));
    ReadProfiles read = conversion.withoutAttributes(shape.select(all));
    if (named.isGiven()) {
      read = ReadProfiles.of(List.of(chosen(Profiles.joined(read.profiles()))), read.damages());
    }
    if (as == ProfileFormat.OTLP || as == ProfileFormat.OTLP_JSON || as == ProfileFormat.JSON) {
      read.profiles().forEach(profiles -> conversion.describeRead(profiles.resource()));
    }
    Conformity.refuse(input, read, as);
    List<String> files = new ProfileFiles(read, style(as)).write(target, as, apart);
    apart.note(
        names(files)
            + ": "
            + input
            + " as "
            + as
            + ", in "
            + rounded(System.nanoTime() - start, 10_000_000, 2)
            + " s");
    return Exit.DONE;
  }

  private ProfileFiles.Style style(ProfileFormat as) {
    return new ProfileFiles.Style(
        pretty.isGiven(),
        lines.isGiven(),
        total.isGiven(),
        conversion.hasThreads(),
        split.value(),
        page.look(as));
  }

  private void checkStyle(ProfileFormat as) {
    boolean otlp =
        as == ProfileFormat.OTLP || as == ProfileFormat.JSON || as == ProfileFormat.OTLP_JSON;
    if ((payload.isGiven() || split.isGiven()) && !otlp) {
      throw new WrongUsage("--split and --include-payload are for OTLP, not for " + as);
    }
    boolean isCollapsed = as == ProfileFormat.COLLAPSED;
    if (total.isGiven() && !isCollapsed) {
      throw new WrongUsage("--total is for collapsed stacks, not for " + as);
    }
    if (lines.isGiven() && !isCollapsed && as != ProfileFormat.SPEEDSCOPE) {
      throw new WrongUsage("--lines is for collapsed stacks and speedscope, not for " + as);
    }
    shape.check(as);
    page.look(as);
  }

  private int convert(
      Converter converter, Destination destination, List<Path> from, String target, Terminal apart)
      throws IOException, CommandFailure {
    ProfileFormat as = destination.formatOf(target);
    checkStyle(as);
    overwriting.refuse(target, destination.inputs());
    long start = System.nanoTime();
    Payload carried = payload.isGiven() ? Payloads.of(Recording.matching(from).files()) : null;
    Conversion converted;
    try (ProgressBar bar = new ProgressBar(apart, from)) {
      converted = converter.progress(bar).convert(Recording.matching(from));
    }
    unmet.add(converted);
    conversion.describe(converted.profiles().resource());
    Profiles profiles = conversion.select(converted.profiles());
    if (profiles.profiles().isEmpty()) {
      printStats(converted, target, apart);
      boolean isSelected = conversion.isSelected() || shape.isSelective();
      throw NothingToWrite.of(from, converted, isSelected, apart);
    }
    List<String> files;
    try {
      profiles = shape.apply(profiles, from, conversion.hasTimestamps());
      profiles = chosen(conversion.withoutAttributes(profiles));
      if (carried != null) {
        profiles.profiles().get(0).payload(carried);
      }
      files =
          new ProfileFiles(ReadProfiles.of(List.of(profiles), List.of()), style(as))
              .write(target, as, apart);
    } catch (CommandFailure e) {
      printStats(converted, target, apart);
      Damages.name(converted, apart);
      throw e;
    }
    apart.note(summary(converted, profiles, files, System.nanoTime() - start));
    printStats(converted, target, apart);
    return Damages.report(converted, conversion.isLenient(), apart);
  }

  private void printStats(Conversion converted, String target, Terminal apart) {
    if (stats.isGiven()) {
      StatsTable.print(converted.stats(), apart, target.equals(Output.STANDARD));
    }
  }

  private Profiles chosen(Profiles all) throws CommandFailure {
    Set<String> wanted = new LinkedHashSet<>(named.values());
    if (wanted.isEmpty()) {
      return all;
    }
    Set<String> known = new LinkedHashSet<>();
    List<Profile> kept = new ArrayList<>();
    for (Profile profile : all.profiles()) {
      String kind = ProfileFiles.kind(profile);
      known.add(kind);
      if (wanted.contains(kind)) {
        kept.add(profile);
      }
    }
    for (String name : wanted) {
      if (!known.contains(name)) {
        throw new CommandFailure(
            "there is no profile " + name + ", but " + String.join(", ", known));
      }
    }
    return all.with(kept);
  }

  private static String names(List<String> files) {
    return files.equals(List.of(Output.STANDARD)) ? "standard output" : String.join(", ", files);
  }

  private static String summary(
      Conversion converted, Profiles profiles, List<String> files, long nanos) {
    long samples = 0;
    for (Profile profile : profiles.profiles()) {
      samples += profile.samples().size();
    }
    return names(files)
        + ": "
        + profiles.profiles().size()
        + (profiles.profiles().size() == 1 ? " profile, " : " profiles, ")
        + samples
        + (samples == 1 ? " sample, from " : " samples, from ")
        + rounded(converted.stats().bytes(), 100_000, 1)
        + " MB in "
        + rounded(nanos, 10_000_000, 2)
        + " s";
  }

  /**
   * A number with so many digits behind the point, of which the last counts so much. A formatter,
   * or {@code BigDecimal}, takes a tenth of a short conversion's time to load.
   */
  static String rounded(long number, long lastDigit, int digits) {
    String all = String.valueOf((number + lastDigit / 2) / lastDigit);
    String padded = "0".repeat(Math.max(0, digits + 1 - all.length())) + all;
    int point = padded.length() - digits;
    return padded.substring(0, point) + "." + padded.substring(point);
  }
}
