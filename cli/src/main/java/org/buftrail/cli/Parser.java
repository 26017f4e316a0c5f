package org.buftrail.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.buftrail.cli.commands.AttachCommand;
import org.buftrail.cli.commands.BenchCommand;
import org.buftrail.cli.commands.CheckCommand;
import org.buftrail.cli.commands.CompactCommand;
import org.buftrail.cli.commands.CompletionCommand;
import org.buftrail.cli.commands.ConvertCommand;
import org.buftrail.cli.commands.DatasetCommand;
import org.buftrail.cli.commands.DemoCommand;
import org.buftrail.cli.commands.DetachCommand;
import org.buftrail.cli.commands.DiffCommand;
import org.buftrail.cli.commands.DumpCommand;
import org.buftrail.cli.commands.InfoCommand;
import org.buftrail.cli.commands.ManCommand;
import org.buftrail.cli.commands.MemoryCommand;
import org.buftrail.cli.commands.PushCommand;
import org.buftrail.cli.commands.ReportCommand;
import org.buftrail.cli.commands.ResetCommand;
import org.buftrail.cli.commands.SqlCommand;
import org.buftrail.cli.commands.SwitchCommand;
import org.buftrail.cli.commands.TopCommand;
import org.buftrail.cli.commands.WatchCommand;
import org.buftrail.cli.options.OptionTable;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * All commands with their options and help. Apart from {@link Main}, so that a command that is
 * named plainly loads no class of the parser's.
 */
@Command(
    name = "buftrail",
    description = {
      "Follows Netty buffers to their release and says which path leaks. Converts recordings of"
          + " JDK Flight Recorder to OpenTelemetry profiles, pprof, collapsed stacks and pages.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Parser.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "As an agent: java -javaagent:buftrail.jar=report=flows.html -jar service.jar",
      "Exit codes: 0 done, 1 failed, 2 wrong usage; 141 when the reader of a pipe has gone."
    })
final class Parser implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  private Parser() {}

  /** Parses the arguments, runs what they say, and returns the exit code. */
  static int run(String[] args, Terminal terminal, PrintStream out, PrintStream err) {
    Map<String, Supplier<Object>> commands = commands(terminal);
    return execute(plainHelp(args, commands.keySet()), commands, terminal, out, err);
  }

  /**
   * The arguments, with {@code help} and {@code version} replaced by the options of these names.
   */
  private static String[] plainHelp(String[] args, Set<String> known) {
    String first = args.length == 0 ? "help" : args[0];
    if (first.equals("version")) {
      return new String[] {"--version"};
    }
    if (!first.equals("help")) {
      return args;
    }
    boolean alone = args.length < 2 || args[1].startsWith("-");
    return alone
        ? new String[] {"--help"}
        : known.contains(args[1]) ? new String[] {args[1], "--help"} : new String[] {args[1]};
  }

  private static int execute(
      String[] args,
      Map<String, Supplier<Object>> commands,
      Terminal terminal,
      PrintStream out,
      PrintStream err) {
    CommandLine line = new CommandLine(new Parser());
    Supplier<Object> named = commands.get(args[0]);
    if (args[0].equals("convert") && DatasetCommand.isMeant(args)) {
      named = () -> new DatasetCommand(terminal);
    }
    if (named != null) {
      // What the others can do takes longer to describe than a short conversion takes.
      line.addSubcommand(args[0], named.get());
    } else {
      commands.forEach((name, command) -> line.addSubcommand(name, command.get()));
    }
    line.setCaseInsensitiveEnumValuesAllowed(true);
    WordwiseHelp.use(line);
    line.setOut(new PrintWriter(out, true, Charset.defaultCharset()));
    line.setErr(new PrintWriter(err, true, Charset.defaultCharset()));
    line.setParameterExceptionHandler(
        (e, given) -> {
          String command = name(e.getCommandLine());
          return Exit.wrongUsage(new WrongUsage(WrongWord.describe(e)), command, terminal);
        });
    line.setExecutionExceptionHandler(
        (e, command, parsed) -> Exit.failed(e, name(command), terminal));
    return line.execute(args);
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName();
  }

  /** By name, in the order in which help lists them. */
  private static Map<String, Supplier<Object>> commands(Terminal terminal) {
    Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
    commands.put("demo", () -> new DemoCommand(terminal));
    commands.put("report", () -> OptionTable.commandLine(new ReportCommand(terminal)));
    commands.put("convert", () -> OptionTable.commandLine(new ConvertCommand(terminal)));
    commands.put("info", () -> OptionTable.commandLine(new InfoCommand(terminal)));
    commands.put("check", () -> OptionTable.commandLine(new CheckCommand(terminal)));
    commands.put("push", () -> PushCommand.commandLine(terminal));
    commands.put("diff", () -> OptionTable.commandLine(new DiffCommand(terminal)));
    commands.put("sql", () -> new SqlCommand(terminal));
    commands.put("watch", () -> WatchCommand.commandLine(terminal));
    commands.put("compact", () -> new CompactCommand(terminal));
    commands.put("dump", () -> DumpCommand.commandLine(terminal));
    commands.put("top", () -> new TopCommand(terminal));
    commands.put("memory", () -> new MemoryCommand(terminal));
    commands.put("reset", () -> new ResetCommand(terminal));
    commands.put("on", () -> SwitchCommand.commandLine(terminal, true));
    commands.put("off", () -> SwitchCommand.commandLine(terminal, false));
    commands.put("attach", () -> AttachCommand.commandLine(terminal));
    commands.put("detach", () -> new DetachCommand(terminal));
    commands.put("bench", BenchCommand::commandLine);
    commands.put("completion", () -> new CompletionCommand(terminal, () -> all(commands)));
    commands.put("man", () -> new ManCommand(terminal, () -> all(commands)));
    return commands;
  }

  private static CommandLine all(Map<String, Supplier<Object>> commands) {
    CommandLine line = new CommandLine(new Parser());
    commands.forEach((name, command) -> line.addSubcommand(name, command.get()));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "a command is missing");
  }

  /** The version of the jar, from its manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Parser.class.getPackage().getImplementationVersion();
      return new String[] {"buftrail " + (version == null ? "(not packaged)" : version)};
    }
  }
}
