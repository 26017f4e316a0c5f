package org.buftrail.cli;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Damage;
import org.buftrail.jfr.Options;
import org.buftrail.jfr.kinds.Kind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code convert}: recordings to profiles. */
@Command(
    name = "convert",
    description = {
      "Converts JDK Flight Recorder files to profiles.",
      "Several inputs become one output. Without -o, IN.jfr becomes IN.otlp.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ConvertCommand implements Callable<Integer> {
  private static final int MOST_DAMAGES = 10;

  private final Terminal terminal;
  private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "IN",
      description =
          "Recordings, plain or packed (gz, lz4, zst, zip); directories of them; - for standard"
              + " input.")
  private List<Path> inputs = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description = "Where to write; - for standard output. The ending says the format.")
  private @Nullable String output;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "Write this format, whatever the ending: ${COMPLETION-CANDIDATES}.")
  private @Nullable ProfileFormat format;

  @Option(
      names = "--event",
      paramLabel = "NAME[:field[:unit]]",
      description = "Convert this event type too, counting it or adding up a field.")
  private List<String> events = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = TimeOption.class,
      description = "Leave out what began earlier: 2026-01-31T12:00:00Z, or milliseconds.")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = TimeOption.class,
      description = "Leave out what began later.")
  private @Nullable Instant to;

  @Option(names = "--timestamps", description = "Keep the time of every event.")
  private boolean timestamps;

  @Option(names = "--bci", description = "Keep the bytecode index of every frame.")
  private boolean bytecodeIndex;

  @Option(names = "--norm", description = "Cut the numbers from names of hidden classes.")
  private boolean normalized;

  @Option(names = "--lines", description = "Collapsed stacks with line numbers.")
  private boolean lines;

  @Option(names = "--total", description = "Collapsed stacks by time or bytes instead of counts.")
  private boolean total;

  @Option(names = "--pretty", description = "JSON with line breaks.")
  private boolean pretty;

  @Option(
      names = "--lenient",
      description = "Exit with 0 also when a damaged recording could be read only in part.")
  private boolean lenient;

  @Option(names = "--stats", description = "Say what was found, by event type.")
  private boolean stats;

  private ConvertCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The command with one option for each kind. */
  static CommandLine commandLine(Terminal terminal) {
    ConvertCommand command = new ConvertCommand(terminal);
    CommandLine line = new CommandLine(command);
    for (Kind kind : Kind.values()) {
      if (kind != Kind.EVENT) {
        line.getCommandSpec().addOption(command.option(kind));
      }
    }
    return line;
  }

  private OptionSpec option(Kind kind) {
    return OptionSpec.builder("--" + kind.option())
        .arity("0")
        .type(boolean.class)
        .description("Only this kind of profile, and others that are named.")
        .setter(
            new CommandLine.Model.ISetter() {
              @Override
              @SuppressWarnings("unchecked")
              public <T> @Nullable T set(T value) {
                if (Boolean.TRUE.equals(value)) {
                  kinds.add(kind);
                }
                return null;
              }
            })
        .build();
  }

  @Override
  public Integer call() throws Exception {
    String target = target();
    ProfileFormat as = formatOf(target);
    long start = System.nanoTime();
    Conversion conversion = new Converter(options()).convert(inputs);
    List<String> files =
        new ProfileFiles(conversion.profiles(), new ProfileFiles.Style(pretty, lines, total))
            .write(target, as, terminal);
    terminal.note(summary(conversion, files, System.nanoTime() - start));
    if (stats) {
      StatsTable.print(conversion.stats(), terminal, target.equals(Output.STANDARD));
    }
    return partial(conversion);
  }

  private Options options() {
    Options options =
        Options.DEFAULT
            .kinds(kinds)
            .timestamps(timestamps)
            .bytecodeIndex(bytecodeIndex)
            .normalized(normalized);
    if (from != null || to != null) {
      options =
          options.between(
              from == null ? Long.MIN_VALUE : TimeOption.nanos(from),
              to == null ? Long.MAX_VALUE : TimeOption.nanos(to));
    }
    try {
      return options.events(events.stream().map(Options.Event::parse).toList());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(commandLine(), e.getMessage(), e);
    }
  }

  private String target() {
    if (output != null) {
      return output;
    }
    if (inputs.size() > 1) {
      throw new ParameterException(commandLine(), "several inputs need -o OUT");
    }
    String name = inputs.get(0).toString();
    if (name.equals(Output.STANDARD)) {
      throw new ParameterException(commandLine(), "standard input needs -o OUT");
    }
    String ending = format == null ? ProfileFormat.OTLP.ending() : format.ending();
    return name.replaceFirst("\\.jfr(\\.(gz|lz4|zst|zip))?$", "") + ending;
  }

  private ProfileFormat formatOf(String target) {
    if (format != null) {
      return format;
    }
    if (target.equals(Output.STANDARD)) {
      return ProfileFormat.OTLP;
    }
    return ProfileFormat.ofFile(target)
        .orElseThrow(
            () ->
                new ParameterException(
                    commandLine(),
                    "the format of "
                        + target
                        + " is not known; end its name in one of "
                        + ProfileFormat.allEndings()
                        + " or give --format"));
  }

  private CommandLine commandLine() {
    if (spec == null) {
      throw new IllegalStateException("not on a command line");
    }
    return spec.commandLine();
  }

  private static String summary(Conversion conversion, List<String> files, long nanos) {
    long events = conversion.stats().rows().stream().mapToLong(row -> row.converted()).sum();
    return String.format(
        Locale.ROOT,
        "%s: %d profiles of %d events, from %.1f MB in %.2f s",
        files.equals(List.of(Output.STANDARD)) ? "standard output" : String.join(", ", files),
        conversion.profiles().profiles().size(),
        events,
        conversion.stats().bytes() / 1e6,
        nanos / 1e9);
  }

  private int partial(Conversion conversion) {
    if (!conversion.isPartial()) {
      return Main.DONE;
    }
    List<Damage> damages = conversion.damages();
    for (Damage damage : damages.subList(0, Math.min(MOST_DAMAGES, damages.size()))) {
      terminal.fail(damage.toString());
    }
    terminal.fail(
        damages.size()
            + " damaged part"
            + (damages.size() == 1 ? "" : "s")
            + " left out; the output is marked partial"
            + (lenient ? "" : " (--lenient accepts that)"));
    return lenient ? Main.DONE : Main.FAILED;
  }
}
