package org.buftrail.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The {@code buftrail} command.
 *
 * <p>Exit codes: 0 done, 1 failed, 2 wrong usage. Every error is one line on standard error.
 */
@Command(
    name = "buftrail",
    description = {
      "Follows Netty buffers to their release and says which path leaks;",
      "converts JDK Flight Recorder files to OpenTelemetry profiles.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "As an agent: java -javaagent:buftrail.jar=include=com.example;report=flows.json ...",
      "Exit codes: 0 done, 1 failed, 2 wrong usage."
    })
public final class Main implements Runnable {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int WRONG_USAGE = 2;

  @Spec private @Nullable CommandSpec spec;

  private Main() {}

  /** Runs a command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  /** Runs a command that prints to the given streams, and returns its exit code. */
  static int run(String[] args, PrintStream out, PrintStream err) {
    Terminal terminal = new Terminal(out, err);
    try {
      Callable<Integer> plain = plain(args, terminal);
      return plain != null ? run(plain, args[0], terminal) : parse(args, terminal, out, err);
    } catch (OutOfMemoryError e) {
      long megabytes = Runtime.getRuntime().maxMemory() >> 20;
      terminal.fail("out of memory with a heap of " + megabytes + " MB; give more with java -Xmx");
      return FAILED;
    }
  }

  /** The command, if it is one that is often short and is named without options; else null. */
  private static @Nullable Callable<Integer> plain(String[] args, Terminal terminal) {
    String name = args.length == 0 ? "" : args[0];
    if (!name.equals("convert") && !name.equals("info")) {
      return null;
    }
    boolean converts = name.equals("convert");
    PlainArguments arguments = PlainArguments.read(args, converts);
    if (arguments == null) {
      return null;
    }
    return converts
        ? new ConvertCommand(terminal, arguments)
        : new InfoCommand(terminal, arguments);
  }

  private static int run(Callable<Integer> command, String name, Terminal terminal) {
    try {
      return command.call();
    } catch (Exception e) {
      return failed(e, "buftrail " + name, terminal);
    }
  }

  private static int parse(String[] args, Terminal terminal, PrintStream out, PrintStream err) {
    CommandLine line = new CommandLine(new Main());
    Map<String, Supplier<Object>> commands = commands(terminal);
    Supplier<Object> named = args.length == 0 ? null : commands.get(args[0]);
    if (named != null) {
      // What the others can do takes longer to describe than a short conversion takes.
      line.addSubcommand(args[0], named.get());
    } else {
      commands.forEach((name, command) -> line.addSubcommand(name, command.get()));
    }
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setOut(new PrintWriter(out, true, Charset.defaultCharset()));
    line.setErr(new PrintWriter(err, true, Charset.defaultCharset()));
    line.setParameterExceptionHandler(
        (e, given) -> wrongUsage(e, name(e.getCommandLine()), terminal));
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, name(command), terminal));
    return line.execute(args);
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName();
  }

  /** By name, in the order in which help lists them. */
  private static Map<String, Supplier<Object>> commands(Terminal terminal) {
    Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
    commands.put("demo", () -> new DemoCommand(terminal));
    commands.put("report", () -> new ReportCommand(terminal));
    commands.put("convert", () -> ConvertCommand.commandLine(terminal));
    commands.put("info", () -> new InfoCommand(terminal));
    commands.put("check", () -> new CheckCommand(terminal));
    commands.put("push", () -> PushCommand.commandLine(terminal));
    commands.put("diff", () -> new DiffCommand(terminal));
    commands.put("dump", () -> new DumpCommand(terminal));
    commands.put("top", () -> new TopCommand(terminal));
    commands.put("reset", () -> new ResetCommand(terminal));
    commands.put("on", () -> new SwitchCommand(terminal, true));
    commands.put("off", () -> new SwitchCommand(terminal, false));
    commands.put("attach", () -> new AttachCommand(terminal));
    commands.put("detach", () -> new DetachCommand(terminal));
    commands.put("bench", BenchCommand::commandLine);
    return commands;
  }

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "a command is missing");
  }

  private static int wrongUsage(Exception e, String command, Terminal terminal) {
    terminal.fail(e.getMessage() + "; see " + command + " --help");
    return WRONG_USAGE;
  }

  private static int failed(Exception e, String command, Terminal terminal) {
    if (e instanceof WrongUsage) {
      return wrongUsage(e, command, terminal);
    }
    terminal.fail(describe(e));
    return FAILED;
  }

  private static String describe(Exception e) {
    String message = String.valueOf(e.getMessage());
    if (e instanceof CommandFailure) {
      return message;
    }
    if (e instanceof NoSuchFileException) {
      return message + ": no such file";
    }
    if (e instanceof AccessDeniedException) {
      return message + ": permission denied";
    }
    if (e instanceof FileSystemException failure && failure.getReason() != null) {
      return failure.getFile() + ": " + failure.getReason();
    }
    return e instanceof IOException ? message : "unexpected " + e;
  }

  /** The version of the jar, from its manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"buftrail " + (version == null ? "(not packaged)" : version)};
    }
  }
}
